/*
 * quantile_sketch - the quantiles of a stream of numbers, in memory that grows
 * with how far they are spread, not with how many they are.
 *
 * Up to QUANTILE_SKETCH_EXACT numbers are kept as they are.  More are counted
 * in bins: of each power of two there are 64, all of one width, so that the
 * middle of a bin is within 1 / 128 of every number in it.  A number's bin is
 * its sign, its exponent and the first six bits of its mantissa.  Bins never
 * collapse.  What a sketch holds depends on which numbers came, not on their
 * order, nor on how they were merged.
 *
 *	 [1, 1 1/64)  [1 1/64, 1 2/64)  ...  [2, 2 2/64)  ...
 *
 * Memory: 40 bytes, which have up to two numbers in them; for more, 8 to 16 for
 * each number while it is exact (512 at most), then what quantile_bins has: 8
 * to 16 for each bin that has a number, 192 at least.  Times from 1 ms to 1 h
 * fall into at most 1408 bins of 22 octaves.
 *
 * Source: Masson, Rim, Lee, DDSketch, VLDB 2019, whose bins these are with the
 *         mapping that interpolates linearly between powers of two (section
 *         2.2); the paper's store collapses the lowest bins, this one none.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_QUANTILE_SKETCH_H
#define WINDOW_QUANTILE_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/packed.h"
#include "base/pool.h"
#include "window/quantile_bins.h"

enum { QUANTILE_SKETCH_EXACT = 64 };

/* Numbers while n <= QUANTILE_SKETCH_EXACT, then bins. */
struct quantile_sketch {
	uint64_t n;	 /* numbers */
	double range[2]; /* least and most; with n <= 2 these are all */
	size_t cap;	 /* of numbers, while they are exact */
	union {
		double *numbers; /* in no order; cap 0: those of the range */
		struct quantile_bins *bins;
	} kept;
};

/* Its memory is from a pool; pass the same pool to every call. */
void quantile_sketch_fini(struct pool *p, struct quantile_sketch *q);

/*
 * Add a number.
 *
 * Shape:  a zeroed struct is a sketch of none; v is finite.
 * Errors: none.
 */
void quantile_sketch_add(struct pool *p, struct quantile_sketch *q, double v);

/* Add all numbers of another sketch, which stays as it is. */
void quantile_sketch_merge(struct pool *p, struct quantile_sketch *q,
    const struct quantile_sketch *other);

/*
 * The number of that rank, from 1 for the least to q->n.
 *
 * Shape:  1 <= rank <= q->n.
 * Errors: none.  Exact for up to QUANTILE_SKETCH_EXACT numbers; for more the
 *         result has four significant digits and is within 1 % of the number,
 *         or is the least or the greatest if it would lie outside.
 */
double quantile_sketch_get(const struct quantile_sketch *q, uint64_t rank);

/*
 * Pack all of it; unpack it into a zeroed struct.
 *
 * Errors: u->bad is set if what was packed is bad; fini is then still due.
 */
void quantile_sketch_pack(const struct quantile_sketch *q, struct buffer *b);
void quantile_sketch_unpack(struct pool *p, struct quantile_sketch *q,
    struct unpacker *u);

#endif
