/*
 * quantile_bins - how many numbers fell into each of the bins of a
 * quantile_sketch.
 *
 * Of each power of two there are 64 bins, and 64 that follow one another are an
 * octave here.  An octave that has a number has a bit for each of its bins, set
 * if the bin has a number.  Only such bins have a count.  Counts are in the
 * order of their bins, so a bin's index is the number of bits set before it.
 *
 *	octaves	[ 53: 0110...1, from 0 ] [ 55: 1000...0, from 3 ]
 *	counts	  7 1 4                    2
 *
 * Memory: 32 bytes, 8 to 16 for each bin that has a number, and 16 to 32 for
 * each octave.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_QUANTILE_BINS_H
#define WINDOW_QUANTILE_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

/* No bin is lower, nor as far above 0. */
enum { QUANTILE_BINS_LOWEST = -(1 << 19) };

struct quantile_octave {
	uint64_t has;	 /* its bins that have a number, the lowest first */
	uint32_t octave; /* those below come first */
	uint32_t first;	 /* place of the count of its lowest bin */
};

/* A zeroed struct has no numbers. */
struct quantile_bins {
	struct quantile_octave *octaves;
	uint64_t *counts;
	uint32_t noctaves, octaves_cap;
	uint32_t n, cap; /* bins that have a number */
};

/* Its memory is from a pool; pass the same pool to every call. */
void quantile_bins_fini(struct pool *p, struct quantile_bins *b);

/* Have a bin count n numbers more. */
void quantile_bins_add(struct pool *p, struct quantile_bins *b, int32_t bin,
    uint64_t n);

/* Add all numbers of another struct, which stays as it is. */
void quantile_bins_merge(struct pool *p, struct quantile_bins *b,
    const struct quantile_bins *other);

/*
 * The bin whose count has that place, from the lowest on.
 *
 * Shape:  place < b->n.
 */
int32_t quantile_bins_at(const struct quantile_bins *b, uint32_t place);

#endif
