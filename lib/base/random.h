/*
 * random - random numbers from a seed, the same on every machine.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

/*
 * The next 64 bits.
 *
 * Source: splitmix64, Steele, Lea, Flood, OOPSLA 2014.
 */
static inline uint64_t
random_next(struct random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* A double in [0, 1). */
static inline double
random_double(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* An integer in [0, n); up to n = 2^48 the bias cannot be seen. */
static inline uint64_t
random_below(struct random *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 uint128;

	return (uint64_t)((uint128)random_next(r) * n >> 64);
}

/*
 * An integer: exp(mu + sigma N) rounded, at most 2^53, where N is normally
 * distributed.
 *
 * Source: the log-normal streams of the papers on partial key grouping; with
 *         rounding there are as many keys as they report.
 */
uint64_t random_lognormal(struct random *r, double mu, double sigma);

/*
 * The Zipf distribution: integers k of 1..n with probability proportional to
 * k^-s.  Neither time nor memory depends on n.
 *
 * Source: W. Hoermann, G. Derflinger, "Rejection-inversion to generate
 *         variates from monotone discrete distributions", TOMACS 1996.
 */
struct zipf {
	uint64_t n;
	double s;
	double first, last; /* the area that is drawn from */
	double accept;
};

void zipf_init(struct zipf *z, uint64_t n, double s);
uint64_t zipf_next(const struct zipf *z, struct random *r);

#endif
