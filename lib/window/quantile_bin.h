/*
 * quantile_bin - which bin of a quantile_sketch a number falls into, and which
 * number stands for a bin.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_QUANTILE_BIN_H
#define WINDOW_QUANTILE_BIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Six bits of the mantissa stay.  What is below the normal doubles is scaled
 * by 2^54 into them.  BELOW is the offset that gives 2^-1074 the first bin.
 */
enum { MANTISSA_CUT = 46, PER_OCTAVE = 64, SCALED_BY = 54, BELOW = 3264 };

/*
 * The bin of v: negative, 0 or positive as v is, and ordered as v is.
 *
 * Shape:  v is finite.
 * Errors: none.
 */
static inline int32_t
quantile_bin_of(double v)
{
	double size = v < 0 ? -v : v;
	int32_t shift = BELOW + 1, bin;
	uint64_t bits;

	if (size == 0)
		return 0;
	if (size < 0x1p-1022) {
		size *= 0x1p54;
		shift -= SCALED_BY * PER_OCTAVE;
	}
	memcpy(&bits, &size, sizeof bits);
	bin = (int32_t)(bits >> MANTISSA_CUT) + shift;
	return v < 0 ? -bin : bin;
}

/* The middle of a bin that some number has. */
static inline double
quantile_bin_middle(int32_t bin)
{
	int32_t index = (bin < 0 ? -bin : bin) - BELOW - 1;
	bool is_scaled = index < PER_OCTAVE;
	uint64_t bits;
	double v;

	if (bin == 0)
		return 0;
	if (is_scaled)
		index += SCALED_BY * PER_OCTAVE;
	bits =
	    (uint64_t)index << MANTISSA_CUT | (uint64_t)1 << (MANTISSA_CUT - 1);
	memcpy(&v, &bits, sizeof v);
	if (is_scaled)
		v *= 0x1p-54;
	return bin < 0 ? -v : v;
}

#endif
