/*
 * index_vector - what index_kernel needs of a processor, from comparisons of
 * vectors and from tables of 16 bytes.  A version defines what index_kernel
 * wants, includes this, and defines what is declared here, and prefix_xor.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_VECTOR_H
#define JSON_INDEX_VECTOR_H

#include "json/index_kernel.h"

typedef uint8_t vector __attribute__((vector_size(LANES)));
typedef int8_t signed_vector __attribute__((vector_size(LANES)));

/* A bit for each byte of a comparison: all ones, or zero. */
KERNEL uint64_t bits_of(vector truth);

/*
 * To each byte below 0x80, that of the table which its low four bits number,
 * to others zero.
 */
KERNEL vector look_up(const unsigned char table[16], vector v);

/* prefix_xor where no instruction multiplies without carries. */
static inline uint64_t
shifted_xor(uint64_t bits)
{
	for (int n = 1; n < 64; n *= 2)
		bits ^= bits << n;
	return bits;
}

/* An offset, as often as there is room. */
typedef uint16_t offsets __attribute__((vector_size(LANES)));

/*
 * Put the bytes and the offsets, from at on, of those of sixteen whose bits are
 * set.  Returns where the next token goes.
 */
KERNEL struct end put_sixteen(const struct json_index *x, struct end end,
    const char *p, offsets at, uint64_t bits);

/* The end behind as many more tokens as bits are set. */
KERNEL struct end
end_behind(struct end end, uint64_t bits)
{
	int n = __builtin_popcountll(bits);

	return (struct end){ end.token + n, end.at + n };
}

KERNEL vector
load(const char *p)
{
	vector v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* The low bytes of as many numbers as a vector has bytes. */
KERNEL vector low_bytes(const uint16_t *v);

/* Do something for each vector of 64 bytes, whose first is the at-th. */
#define EACH_VECTOR \
	_Pragma("GCC unroll 4") for (int at = 0; at < 64; at += LANES)

/* Which of 64 bytes the expression of v holds for. */
#define WHICH(bits, p, expression)                                  \
	do {                                                        \
		uint64_t all = 0;                                   \
                                                                    \
		EACH_VECTOR                                         \
		{                                                   \
			vector v = load((p) + at);                  \
                                                                    \
			all |= bits_of((vector)(expression)) << at; \
		}                                                   \
		(bits) = all;                                       \
	} while (0)

KERNEL uint64_t
equal(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, v == c);
	return bits;
}

KERNEL uint64_t
equal_letter(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, (v | 0x20) == c);
	return bits;
}

KERNEL uint64_t
at_least(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, v >= c);
	return bits;
}

/*
 * White space, and the others with those of them that differ in the bit 0x20
 * alone, each where its low four bits say; no other byte is its own there.
 */
static const unsigned char spaces[16] = { [0] = ' ', [9] = '\t', [13] = '\r' };
static const unsigned char
    ops[16] = { [10] = ':', [11] = '{', [12] = ',', [13] = '}' };

/* Vectors of one byte; read from memory, they need no register of their own. */
enum {
	ALL_QUOTE,
	ALL_NEWLINE,
	ALL_BACKSLASH,
	ALL_BLANK,
	ALL_LAST_CONTROL,
	ALL_ZERO,
	ALL_ZERO_LEAST,
	ALL_TEN,
};
static const unsigned char bytes[][LANES] = {
	[ALL_QUOTE] = { [0 ... LANES - 1] = '"' },
	[ALL_NEWLINE] = { [0 ... LANES - 1] = '\n' },
	[ALL_BACKSLASH] = { [0 ... LANES - 1] = '\\' },
	[ALL_BLANK] = { [0 ... LANES - 1] = ' ' },
	[ALL_LAST_CONTROL] = { [0 ... LANES - 1] = 0x1f },
	[ALL_ZERO] = { [0 ... LANES - 1] = '0' },
	[ALL_ZERO_LEAST] = { [0 ... LANES - 1] = '0' + 0x80 },
	[ALL_TEN] = { [0 ... LANES - 1] = 10 + 0x80 },
};
#define ALL(c) load((const char *)bytes_of[ALL_##c])

KERNEL void
classify(struct blocks *b, const char *text, size_t k, size_t n)
{
	const char *p = text + 64 * k;
	struct column *c = b->seen;
	const unsigned char(*bytes_of)[LANES] = bytes;
	vector wide = { 0 }, backslash = { 0 };

	HIDE(bytes_of);
	WHICH(c[QUOTE].of[k], p, v == ALL(QUOTE));
	WHICH(c[CONTROL].of[k], p, v <= ALL(LAST_CONTROL));
	WHICH(c[OP].of[k], p,
	    ((v | ALL(BLANK)) == look_up(ops, v)) | (v == ALL(NEWLINE)));
	WHICH(c[BLANK].of[k], p, v == look_up(spaces, v));
	/* Only digits come to be the least of signed numbers. */
	WHICH(c[DIGIT].of[k], p,
	    (signed_vector)(v - ALL(ZERO_LEAST)) < (signed_vector)ALL(TEN));
	WHICH(c[ZERO].of[k], p, v == ALL(ZERO));
	EACH_VECTOR
	{
		vector v = load(p + at);

		wide |= v;
		backslash |= (vector)(v == ALL(BACKSLASH));
	}
	c[WIDE].of[k] = bits_of((vector)((signed_vector)wide < 0));
	c[BACKSLASH].of[k] = bits_of(backslash);
	(void)n;
}

/* What the high and the low four bits of a byte have in common. */
KERNEL vector
both(const unsigned char high[16], const unsigned char low[16], vector v)
{
	return look_up(high, v >> 4) & look_up(low, v & 15);
}

KERNEL uint64_t
escapable(const char *p, uint64_t *hex)
{
	uint64_t bits;

	WHICH(*hex, p, (both(escape_high, escape_low, v) & HEX) != 0);
	WHICH(bits, p, (both(escape_high, escape_low, v) & ESCAPABLE) != 0);
	return bits;
}

KERNEL uint64_t
bad_utf8(const char *p)
{
	uint64_t bits;

	WHICH(bits, p,
	    (both(utf8_high, utf8_low, load(p + at - 1)) &
		look_up(utf8_second, v >> 4)) !=
		((vector)((load(p + at - 2) >= 0xe0) |
		     (load(p + at - 3) >= 0xf0)) &
		    TWO_MORE));
	return bits;
}

KERNEL uint64_t
distances_in(const uint16_t *at, uint64_t bits)
{
	static const unsigned char bit[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	unsigned char set[16] = { 0 };
	uint64_t all = 0;

	memcpy(set, &bits, sizeof bits);
	_Pragma("GCC unroll 4") for (int i = 0; i < 64; i += LANES)
	{
		vector v = low_bytes(at + i + 1) - low_bytes(at + i);

		all |= bits_of((vector)((look_up(set, v >> 3 & 7) &
					    look_up(bit, v & 7)) != 0))
		    << i;
	}
	return all;
}

/* As some of each eight are tokens, and how many is hard to predict. */
KERNEL void
put_tokens(const struct json_index *x, struct end end, const char *p,
    ptrdiff_t at, uint64_t tokens)
{
	offsets from = (offsets){ 0 } + (uint16_t)at;

	_Pragma("GCC unroll 4") for (int i = 0; i < 64; i += 16)
	{
		end = put_sixteen(x, end, p + i, from, tokens >> i);
		from += 16;
		HIDE_VECTOR(from);
	}
}

#endif
