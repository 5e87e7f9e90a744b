/*
 * The index for any 64-bit ARM.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define LANES 16
#define TARGET
#include "json/index_vector.h"

KERNEL uint64_t
bits_of(vector truth)
{
	const uint8x16_t bit = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16,
		32, 64, 128 };
	uint8x16_t set = vandq_u8((uint8x16_t)truth, bit);

	/* Sums of eight different bits. */
	return vaddv_u8(vget_low_u8(set)) |
	    (uint64_t)vaddv_u8(vget_high_u8(set)) << 8;
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	return shifted_xor(bits);
}

static bool
runs_here(void)
{
	return true;
}

const struct json_index_version json_index_neon = { "neon", runs_here,
	index_text };

#endif
