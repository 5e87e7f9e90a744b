/*
 * The index for any x86-64.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__x86_64__)
#include <emmintrin.h>

#define LANES 16
#define TARGET
#include "json/index_vector.h"

KERNEL uint64_t
bits_of(vector truth)
{
	return (uint32_t)_mm_movemask_epi8((__m128i)truth);
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

const struct json_index_version json_index_sse2 = { "sse2", runs_here,
	index_text };

#endif
