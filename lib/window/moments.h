/*
 * moments - how far the numbers of a stream are spread around their mean.
 *
 * A long double has room for the square of any double, and bits to spare for
 * the rounding of 10^7 additions, wherever the numbers lie.
 *
 * Memory: 40 bytes.
 *
 * Source: Welford, Technometrics 4, 1962; merging is that of Chan, Golub,
 *         LeVeque, Updating formulae, 1979.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_MOMENTS_H
#define WINDOW_MOMENTS_H

#include "base/packed.h"

/* Long doubles as unaligned bytes.  Zeroed: no numbers. */
struct moments {
	int64_t n;
	unsigned char mean[sizeof(long double)];
	/* The sum of squared deviations. */
	unsigned char squares[sizeof(long double)];
};

/*
 * Add a number, or all numbers of another.
 *
 * Shape:  v is finite.
 */
void moments_add(struct moments *m, double v);
void moments_merge(struct moments *m, const struct moments *other);

/*
 * The standard deviation of a sample.
 *
 * Shape:  m->n >= 2.
 */
double moments_deviation(const struct moments *m);

/*
 * Pack all of it; unpack it.
 *
 * Errors: u->bad is set if what was packed is bad.
 */
void moments_pack(const struct moments *m, struct buffer *b);
void moments_unpack(struct moments *m, struct unpacker *u);

#endif
