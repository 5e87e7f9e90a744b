/*
 * The index for processors with SSE4.2: Intel since 2008, AMD since 2011.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__x86_64__)
#include <nmmintrin.h>

#define LANES 16
#define TARGET __attribute__((target("sse4.2,popcnt")))
#include "json/index_grammar.h"
#include "json/index_vector.h"

KERNEL uint64_t
any_of(vector truth)
{
	return (uint32_t)_mm_movemask_epi8((__m128i)truth);
}

KERNEL uint64_t
bits_of(const vector truth[VECTORS])
{
	return any_of(truth[0]) | any_of(truth[1]) << 16 |
	    any_of(truth[2]) << 32 | any_of(truth[3]) << 48;
}

KERNEL vector
look_up(const unsigned char table[16], vector v)
{
	__m128i t = _mm_loadu_si128((const __m128i *)(const void *)table);

	return (vector)_mm_shuffle_epi8(t, (__m128i)v);
}

KERNEL void
put_eight(const struct json_index *x, size_t n, const char *p, offsets at,
    uint64_t gaps)
{
	__m128i places = _mm_loadu_si64(&x->squeeze[gaps]);

	_mm_storeu_si64(x->token + n,
	    _mm_shuffle_epi8(_mm_loadu_si64(p), places));
	_mm_storeu_si128((__m128i *)(void *)(x->at + n),
	    _mm_add_epi16(_mm_unpacklo_epi8(places, _mm_setzero_si128()),
		(__m128i)at));
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	return shifted_xor(bits);
}

KERNEL vector
low_bytes(const uint16_t *v)
{
	const __m128i *p = (const __m128i *)(const void *)v;
	__m128i low = _mm_set1_epi16(255);

	return (vector)_mm_packus_epi16(_mm_and_si128(_mm_loadu_si128(p), low),
	    _mm_and_si128(_mm_loadu_si128(p + 1), low));
}

static bool
runs_here(void)
{
	return __builtin_cpu_supports("sse4.2") &&
	    __builtin_cpu_supports("popcnt");
}

KERNEL void
index_lines(struct json_index *x, struct span text)
{
	index_text(x, text);
}

const struct json_index_version json_index_sse42 = { "sse42", runs_here,
	index_lines };

#endif
