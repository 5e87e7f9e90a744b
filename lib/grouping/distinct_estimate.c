/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "grouping/distinct_estimate.h"

void
distinct_estimate_init(struct distinct_estimate *d, int bits)
{
	d->bits = bits;
	d->registers = memory_new((size_t)1 << bits, 1);
}

void
distinct_estimate_fini(struct distinct_estimate *d)
{
	free(d->registers);
	*d = (struct distinct_estimate){ 0 };
}

double
distinct_estimate_get(const struct distinct_estimate *d)
{
	size_t n = (size_t)1 << d->bits, unused = 0;
	double m = (double)n, sum = 0, estimate;

	for (size_t i = 0; i < n; i++) {
		sum += ldexp(1, -d->registers[i]);
		unused += d->registers[i] == 0;
	}
	estimate = 0.7213 / (1 + 1.079 / m) * m * m / sum;
	if (estimate <= 2.5 * m && unused != 0)
		return m * log(m / (double)unused);
	return estimate;
}
