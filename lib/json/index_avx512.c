/*
 * The index for processors with AVX-512 and its byte permutations: Intel
 * since Ice Lake, AMD since Zen 4.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 64
#define TARGET                                                           \
	__attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2," \
			      "avx512bitalg,gfni,bmi,popcnt,pclmul")))
#include "json/index_grammar.h"
#include "json/index_kernel.h"
#include "json/index_tables.h"

/* The classes of the characters of ASCII. */
static const unsigned char classes[128] = {
	[0 ... 8] = 1 << CONTROL,
	['\t'] = 1 << CONTROL | 1 << BLANK,
	['\n'] = 1 << CONTROL | 1 << OP,
	[11 ... 12] = 1 << CONTROL,
	['\r'] = 1 << CONTROL | 1 << BLANK,
	[14 ... 0x1f] = 1 << CONTROL,
	[' '] = 1 << BLANK,
	['"'] = 1 << QUOTE,
	[','] = 1 << OP,
	['0'] = 1 << DIGIT | 1 << ZERO,
	['1' ... '9'] = 1 << DIGIT,
	[':'] = 1 << OP,
	['['] = 1 << OP,
	['\\'] = 1 << BACKSLASH,
	[']'] = 1 << OP,
	['{'] = 1 << OP,
	['}'] = 1 << OP,
};

static const unsigned char places[64] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
	48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };

KERNEL uint64_t
has_bit(__m512i v, unsigned char bit)
{
	return _mm512_test_epi8_mask(v, _mm512_set1_epi8((char)bit));
}

/* By its place in its square of eight by eight, where a byte goes. */
static const unsigned char across[64] = { 0, 8, 16, 24, 32, 40, 48, 56, 1, 9,
	17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27,
	35, 43, 51, 59, 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37, 45,
	53, 61, 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63 };

/* The masks of a block, a word for each bit of the classes. */
KERNEL __m512i
masks_of(const char *p)
{
	__m512i v = _mm512_loadu_si512(p);
	__m512i wide = _mm512_set1_epi8((char)(1 << WIDE));
	__m512i class = _mm512_maskz_permutex2var_epi8(_mm512_testn_epi8_mask(v,
							   wide),
	    _mm512_loadu_si512(classes), v, _mm512_loadu_si512(classes + 64));

	class = _mm512_or_si512(class, _mm512_and_si512(v, wide));
	/* Turn each square of eight by eight bits, which swaps its bytes... */
	class = _mm512_shuffle_epi8(class,
	    _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607));
	class = _mm512_gf2p8affine_epi64_epi8(
	    _mm512_set1_epi64((long long)0x8040201008040201), class, 0);
	/* ...and the square of bytes. */
	return _mm512_permutexvar_epi8(_mm512_loadu_si512(across), class);
}

/* Turn four by four pairs of words, and put them at every second column. */
KERNEL void
put_pairs(struct column *c, size_t k, const __m512i pair[4])
{
	__m512i a = _mm512_shuffle_i64x2(pair[0], pair[1], 0x44);
	__m512i b = _mm512_shuffle_i64x2(pair[0], pair[1], 0xee);
	__m512i d = _mm512_shuffle_i64x2(pair[2], pair[3], 0x44);
	__m512i e = _mm512_shuffle_i64x2(pair[2], pair[3], 0xee);

	_mm512_storeu_si512(c[0].of + k, _mm512_shuffle_i64x2(a, d, 0x88));
	_mm512_storeu_si512(c[2].of + k, _mm512_shuffle_i64x2(a, d, 0xdd));
	_mm512_storeu_si512(c[4].of + k, _mm512_shuffle_i64x2(b, e, 0x88));
	_mm512_storeu_si512(c[6].of + k, _mm512_shuffle_i64x2(b, e, 0xdd));
}

KERNEL void
classify(struct blocks *b, const char *p, size_t n)
{
	for (size_t k = 0; k < n; k += 8) {
		__m512i even[4], odd[4];

		_Pragma("GCC unroll 4") for (size_t i = 0; i < 4; i++)
		{
			size_t at = k + 2 * i, next = at + 1;
			__m512i v = masks_of(p + 64 * (at < n ? at : n - 1));
			__m512i w =
			    masks_of(p + 64 * (next < n ? next : n - 1));

			even[i] = _mm512_unpacklo_epi64(v, w);
			odd[i] = _mm512_unpackhi_epi64(v, w);
		}
		put_pairs(b->seen, k, even);
		put_pairs(b->seen + 1, k, odd);
	}
}

KERNEL struct kinds_seen
kinds_seen(const struct column *seen, size_t at)
{
	return (struct kinds_seen){
		.op = masks_at(&seen[OP], at),
		.blank = masks_at(&seen[BLANK], at),
		.digit = masks_at(&seen[DIGIT], at),
		.zero = masks_at(&seen[ZERO], at),
		.control = masks_at(&seen[CONTROL], at),
	};
}

KERNEL uint64_t
equal(const char *p, unsigned char c)
{
	return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p),
	    _mm512_set1_epi8((char)c));
}

KERNEL uint64_t
equal_letter(const char *p, unsigned char c)
{
	return _mm512_cmpeq_epi8_mask(_mm512_or_si512(_mm512_loadu_si512(p),
					  _mm512_set1_epi8(0x20)),
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
escapable(const char *p, uint64_t *u)
{
	__m512i v = both(escape_high, escape_low, _mm512_loadu_si512(p));

	*u = has_bit(v, UNICODE);
	return has_bit(v, ESCAPABLE);
}

KERNEL uint64_t
hex_digits(const char *p)
{
	return has_bit(both(hex_high, hex_low, _mm512_loadu_si512(p)), HEX);
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

KERNEL void
put_numbers(uint16_t *out, size_t at, uint64_t bits)
{
	__m512i place =
	    _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(places));
	__m512i first = _mm512_set1_epi16((short)at);

	_mm512_storeu_si512(out,
	    _mm512_add_epi16(first,
		_mm512_cvtepu8_epi16(_mm512_castsi512_si256(place))));
	if (__builtin_popcountll(bits) > 32)
		_mm512_storeu_si512(out + 32,
		    _mm512_add_epi16(first,
			_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(place,
			    1))));
}

KERNEL size_t
put_tokens(const struct json_index *x, size_t n, const char *p, size_t at,
    const struct column *tokens, size_t nblocks)
{
	for (size_t k = 0; k < nblocks; k++, p += 64, at += 64) {
		uint64_t bits = tokens->of[k];
		__m512i token =
		    _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(p));
		__m256i *out = (__m256i *)(void *)(x->token + n);
		size_t more = (size_t)__builtin_popcountll(bits);

		put_numbers(x->at + n, at, bits);
		_mm256_storeu_si256(out, _mm512_castsi512_si256(token));
		if (more > 32)
			_mm256_storeu_si256(out + 1,
			    _mm512_extracti64x4_epi64(token, 1));
		n += more;
	}
	return n;
}

/* The low bytes of 64 numbers. */
KERNEL __m512i
low_bytes(const uint16_t *v)
{
	return _mm512_permutex2var_epi8(_mm512_loadu_si512(v),
	    _mm512_slli_epi16(_mm512_loadu_si512(places), 1),
	    _mm512_loadu_si512(v + 32));
}

KERNEL uint64_t
distances_in(const uint16_t *at, const uint64_t bits[2])
{
	return _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64((long long)*bits),
	    _mm512_sub_epi8(low_bytes(at + 1), low_bytes(at)));
}

static bool
runs_here(void)
{
	return __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vbmi") &&
	    __builtin_cpu_supports("avx512vbmi2") &&
	    __builtin_cpu_supports("avx512bitalg") &&
	    __builtin_cpu_supports("gfni") && __builtin_cpu_supports("pclmul");
}

KERNEL void
index_lines(struct json_index *x, struct span text)
{
	index_text(x, text);
}

const struct json_index_version json_index_avx512 = { "avx512", runs_here,
	index_lines };

#endif
