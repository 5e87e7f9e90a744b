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
#include "json/index_grammar.h"
#include "json/index_kernel.h"

/* The bits of a class; the first is that of what is not ASCII too. */
enum {
	ODD = 0x80,
	OP = 0x01,
	BLANK = 0x02,
	DIGIT = 0x04,
};

/* The classes of the characters of ASCII. */
static const unsigned char classes[128] = {
	[0 ... 8] = ODD,
	['\t'] = ODD | BLANK,
	['\n'] = OP | BLANK,
	[11 ... 12] = ODD,
	['\r'] = ODD | BLANK,
	[14 ... 0x1f] = ODD,
	[' '] = BLANK,
	[','] = OP,
	['0' ... '9'] = DIGIT,
	[':'] = OP,
	['['] = OP,
	['\\'] = ODD,
	[']'] = OP,
	['{'] = OP,
	['}'] = OP,
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

/* To each byte, what the table has for its low four bits. */
KERNEL __m512i
look_up(const unsigned char table[16], __m512i v)
{
	__m512i t = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i
		*)(const void *)table));

	return _mm512_shuffle_epi8(t,
	    _mm512_and_si512(v, _mm512_set1_epi8(15)));
}

/* What the high and the low four bits of a byte have in common. */
KERNEL __m512i
both(const unsigned char high[16], const unsigned char low[16], __m512i v)
{
	return _mm512_and_si512(look_up(high, _mm512_srli_epi16(v, 4)),
	    look_up(low, v));
}

KERNEL uint64_t
escapable(const char *p, uint64_t *hex)
{
	__m512i class = both(escape_high, escape_low, _mm512_loadu_si512(p));

	*hex = has_bit(class, HEX);
	return has_bit(class, ESCAPABLE);
}

KERNEL uint64_t
bad_utf8(const char *p)
{
	__m512i wrong = _mm512_and_si512(both(utf8_high, utf8_low,
					     _mm512_loadu_si512(p - 1)),
	    look_up(utf8_second, _mm512_srli_epi16(_mm512_loadu_si512(p), 4)));

	return has_bit(wrong, (unsigned char)~TWO_MORE) |
	    (_mm512_movepi8_mask(wrong) ^
		(at_least(p - 2, 0xe0) | at_least(p - 3, 0xf0)));
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
    uint64_t tokens)
{
	__m512i place =
	    _mm512_maskz_compress_epi8(tokens, _mm512_loadu_si512(places));
	__m512i first = _mm512_set1_epi16((short)at);

	_mm512_storeu_si512(x->token + n,
	    _mm512_maskz_compress_epi8(tokens, _mm512_loadu_si512(p)));
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
