/*
 * The index for processors with AVX2: Intel since Haswell, AMD since Zen.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 32
#define TARGET __attribute__((target("avx2,bmi,popcnt,pclmul")))
#include "json/index_grammar.h"
#include "json/index_vector.h"

KERNEL uint64_t
any_of(vector truth)
{
	return (uint32_t)_mm256_movemask_epi8((__m256i)truth);
}

KERNEL uint64_t
bits_of(const vector truth[VECTORS])
{
	return any_of(truth[0]) | any_of(truth[1]) << 32;
}

/* In halves, as putting them together takes longer. */
KERNEL void
put_bits(uint64_t *to, const vector truth[VECTORS])
{
	for (int i = 0; i < VECTORS; i++) {
		uint32_t half = (uint32_t)any_of(truth[i]);

		memcpy((char *)to + 4 * i, &half, sizeof half);
	}
}

KERNEL vector
look_up(const unsigned char table[16], vector v)
{
	__m256i t = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i
		*)(const void *)table));

	return (vector)_mm256_shuffle_epi8(t, (__m256i)v);
}

KERNEL void
put_sixteen(const struct json_index *x, size_t n, const char *p, offsets at,
    uint64_t gaps)
{
	/* Read from n on, it moves eight bytes up by 8 - n. */
	static const unsigned char up[24] = {
		[0 ... 7] = 0x80, 0, 1, 2, 3, 4, 5, 6, 7, [16 ... 23] = 0x80
	};
	uint64_t low = gaps & 255, high = gaps >> 8 & 255;
	__m128i places, behind, tokens;

	places = _mm_loadu_si64(&x->squeeze[low]);
	behind = _mm_loadu_si64(&x->squeeze[256 + high]);
	places = _mm_or_si128(places,
	    _mm_shuffle_epi8(behind,
		_mm_loadu_si128((const __m128i *)(const void *)(up +
		    __builtin_popcountll(low)))));
	tokens =
	    _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p),
		places);
	_mm_storeu_si128((__m128i *)(void *)(x->token + n), tokens);
	_mm256_storeu_si256((__m256i *)(void *)(x->at + n),
	    _mm256_add_epi16(_mm256_cvtepu8_epi16(places), (__m256i)at));
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	return (uint64_t)
	    _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)
							   bits),
		_mm_set1_epi8('\xff'), 0));
}

KERNEL vector
low_bytes(const uint16_t *v)
{
	const __m256i *p = (const __m256i *)(const void *)v;
	__m256i low = _mm256_set1_epi16(255);

	return (vector)_mm256_permute4x64_epi64(
	    _mm256_packus_epi16(_mm256_and_si256(_mm256_loadu_si256(p), low),
		_mm256_and_si256(_mm256_loadu_si256(p + 1), low)),
	    0xd8);
}

static bool
runs_here(void)
{
	return __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("pclmul");
}

KERNEL void
index_lines(struct json_index *x, struct span text)
{
	index_text(x, text);
}

const struct json_index_version json_index_avx2 = { "avx2", runs_here,
	index_lines };

#endif
