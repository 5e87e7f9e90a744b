/*
 * The index for processors with AVX-512 and its byte permutations: Intel
 * since Ice Lake, AMD since Zen 4.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET                                               \
	__attribute__((target("avx512f,avx512bw,avx512vbmi," \
			      "avx512vbmi2,bmi,popcnt,pclmul")))
#include "json/index_kernel.h"

/* The bits of a class; the first is that of what is not ASCII too. */
enum {
	ODD = 0x80,
	OP = 0x01,
	GAP = 0x02,
	BLANK = 0x04,
	DIGIT = 0x08,
};

/* The classes of the characters of ASCII. */
static const unsigned char classes[128] = {
	[0 ... 8] = ODD,
	['\t'] = ODD | GAP | BLANK,
	['\n'] = GAP | OP,
	[11 ... 12] = ODD,
	['\r'] = ODD | GAP | BLANK,
	[14 ... 0x1f] = ODD,
	[' '] = GAP | BLANK,
	['"'] = GAP,
	[','] = GAP | OP,
	['0' ... '9'] = DIGIT,
	[':'] = GAP | OP,
	['['] = GAP | OP,
	['\\'] = ODD,
	[']'] = GAP | OP,
	['{'] = GAP | OP,
	['}'] = GAP | OP,
};

KERNEL uint64_t
has_bit(__m512i v, unsigned char bit)
{
	return _mm512_test_epi8_mask(v, _mm512_set1_epi8((char)bit));
}

KERNEL struct masks
classify(const char *p)
{
	__m512i v = _mm512_loadu_si512(p), class;
	struct masks m;

	class = _mm512_permutex2var_epi8(_mm512_loadu_si512(classes), v,
	    _mm512_loadu_si512(classes + 64));
	m.odd = _mm512_movepi8_mask(_mm512_or_si512(class, v));
	m.quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
	m.newline = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n'));
	m.op = has_bit(class, OP);
	m.gap = has_bit(class, GAP);
	m.blank = has_bit(class, BLANK);
	m.digit = has_bit(class, DIGIT);
	m.zero = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('0'));
	return m;
}

KERNEL uint64_t
equal(const char *p, unsigned char c)
{
	return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p),
	    _mm512_set1_epi8((char)c));
}

KERNEL uint64_t
at_least(const char *p, unsigned char c)
{
	return _mm512_cmpge_epu8_mask(_mm512_loadu_si512(p),
	    _mm512_set1_epi8((char)c));
}

KERNEL uint64_t
prefix_xor(uint64_t bits)
{
	__m128i ones = _mm_set1_epi8('\xff');

	return (uint64_t)
	    _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)
							   bits),
		ones, 0));
}

static const unsigned char places[64] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
	48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };

KERNEL void
put_tokens(const struct json_index *x, size_t n, const char *p, ptrdiff_t at,
    uint64_t tokens, uint64_t gap)
{
	__m512i v = _mm512_mask_blend_epi8(gap, _mm512_set1_epi8('0'),
	    _mm512_loadu_si512(p));
	__m512i place =
	    _mm512_maskz_compress_epi8(tokens, _mm512_loadu_si512(places));
	__m512i first = _mm512_set1_epi16((short)at);

	_mm512_storeu_si512(x->token + n,
	    _mm512_maskz_compress_epi8(tokens, v));
	_mm512_storeu_si512(x->at + n,
	    _mm512_add_epi16(first,
		_mm512_cvtepu8_epi16(_mm512_castsi512_si256(place))));
	if (__builtin_popcountll(tokens) > 32)
		_mm512_storeu_si512(x->at + n + 32,
		    _mm512_add_epi16(first,
			_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(place,
			    1))));
}

static bool
runs_here(void)
{
	return __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vbmi") &&
	    __builtin_cpu_supports("avx512vbmi2") &&
	    __builtin_cpu_supports("pclmul");
}

KERNEL void
index_lines(struct json_index *x, struct span text)
{
	index_text(x, text);
}

const struct json_index_version json_index_avx512 = { "avx512", runs_here,
	index_lines };

#endif
