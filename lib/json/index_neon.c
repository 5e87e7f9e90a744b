/*
 * The index for any 64-bit ARM.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define LANES 16
#define SEEN_AT_ONCE 1
#define TARGET
#include "json/index_grammar.h"
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
