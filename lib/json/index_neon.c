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
#include "json/index_grammar.h"
#include "json/index_vector.h"

KERNEL uint64_t
any_of(vector truth)
{
	return vmaxvq_u8((uint8x16_t)truth);
}

/* A byte for each two bytes of a and b: their sum. */
KERNEL vector
sums(vector a, vector b)
{
	return (vector)vpaddq_u8((uint8x16_t)a, (uint8x16_t)b);
}

KERNEL uint64_t
bits_of(const vector truth[VECTORS])
{
	const vector bit = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32,
		64, 128 };
	/* Of eight different bits the sum is all of them. */
	vector v = sums(sums(truth[0] & bit, truth[1] & bit),
	    sums(truth[2] & bit, truth[3] & bit));

	return vgetq_lane_u64((uint64x2_t)sums(v, v), 0);
}

KERNEL vector
look_up(const unsigned char table[16], vector v)
{
	uint8x16_t at = vandq_u8((uint8x16_t)v, vdupq_n_u8(0x8f));

	return (vector)vqtbl1q_u8(vld1q_u8(table), at);
}

KERNEL void
put_eight(const struct json_index *x, size_t n, const char *p, offsets at,
    uint64_t gaps)
{
	uint8x8_t places = vcreate_u8(x->squeeze[gaps]);

	vst1_u8(x->token + n, vtbl1_u8(vld1_u8((const uint8_t *)p), places));
	vst1q_u16(x->at + n, vaddq_u16(vmovl_u8(places), (uint16x8_t)at));
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	return shifted_xor(bits);
}

KERNEL vector
low_bytes(const uint16_t *v)
{
	return (vector)vuzp1q_u8(vreinterpretq_u8_u16(vld1q_u16(v)),
	    vreinterpretq_u8_u16(vld1q_u16(v + 8)));
}

static bool
runs_here(void)
{
	return true;
}

const struct json_index_version json_index_neon = { "neon", runs_here,
	index_text };

#endif
