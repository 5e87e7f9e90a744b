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
#include "json/index_vector.h"

KERNEL uint64_t
bits_of(vector truth)
{
	return (uint32_t)_mm256_movemask_epi8((__m256i)truth);
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	return (uint64_t)
	    _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)
							   bits),
		_mm_set1_epi8('\xff'), 0));
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
