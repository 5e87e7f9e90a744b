/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/random.h"

/*
 * A number from the normal distribution with mean 0 and deviation 1.
 *
 * Source: G. Marsaglia, T. Bray, "A convenient method for generating normal
 *         variables", SIAM Review 1964; one of each pair is thrown away.
 */
static double
normal(struct random *r)
{
	double x, y, s;

	do {
		x = 2 * random_double(r) - 1;
		y = 2 * random_double(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

uint64_t
random_lognormal(struct random *r, double mu, double sigma)
{
	double v = exp(mu + sigma * normal(r));

	return (uint64_t)(v < 0x1p53 ? floor(v + 0.5) : 0x1p53);
}

/* (e^x - 1) / x and log(1 + x) / x, continued into 0. */
static double
expm1_over(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

static double
log1p_over(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

/* The integral of x^-s from 1 to x, and its inverse. */
static double
area(const struct zipf *z, double x)
{
	double l = log(x);

	return expm1_over((1 - z->s) * l) * l;
}

static double
area_inverse(const struct zipf *z, double a)
{
	double t = a * (1 - z->s);

	if (t < -1)
		t = -1;
	return exp(log1p_over(t) * a);
}

static double
density(const struct zipf *z, double x)
{
	return exp(-z->s * log(x));
}

void
zipf_init(struct zipf *z, uint64_t n, double s)
{
	z->n = n;
	z->s = s;
	z->first = area(z, 1.5) - 1;
	z->last = area(z, (double)n + 0.5);
	z->accept = 2 - area_inverse(z, area(z, 2.5) - density(z, 2));
}

uint64_t
zipf_next(const struct zipf *z, struct random *r)
{
	for (;;) {
		double u = z->last + random_double(r) * (z->first - z->last);
		double x = area_inverse(z, u);
		double k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		if (k > (double)z->n)
			k = (double)z->n;
		/* Close enough to k, or below the bar that stands for k. */
		if (k - x <= z->accept || u >= area(z, k + 0.5) - density(z, k))
			return (uint64_t)k;
	}
}
