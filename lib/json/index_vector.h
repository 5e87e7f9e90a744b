/*
 * index_vector - what index_kernel needs of a processor, from comparisons of
 * vectors and from tables of 16 bytes.  A version defines LANES and TARGET,
 * includes this, and defines what is declared here, and prefix_xor.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_VECTOR_H
#define JSON_INDEX_VECTOR_H

#include "json/index_kernel.h"

/* Let the compiler not know what a variable, or a vector, holds. */
#define HIDE(variable) __asm__("" : "+r"(variable))
#define HIDE_VECTOR(variable) __asm__("" : "+x"(variable))

typedef uint8_t vector __attribute__((vector_size(LANES)));
typedef int8_t signed_vector __attribute__((vector_size(LANES)));

/* A bit for each byte of a comparison: all ones, or zero. */
KERNEL uint64_t bits_of(vector truth);

/*
 * To each byte below 0x80, that of the table which its low four bits number,
 * to others zero.
 */
KERNEL vector look_up(const unsigned char table[16], vector v);

/* An offset, as often as there is room. */
typedef uint16_t offsets __attribute__((vector_size(LANES)));

/*
 * Put the offsets, from at on, and the bytes of those of sixteen whose bits are
 * set, behind n.  Returns how many there are then.
 */
KERNEL size_t put_sixteen(const struct json_index *x, size_t n, const char *p,
    offsets at, uint64_t bits);

KERNEL vector
load(const char *p)
{
	vector v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Do something for each vector of 64 bytes, whose first is the at-th. */
#define EACH_VECTOR \
	_Pragma("GCC unroll 4") for (int at = 0; at < 64; at += LANES)

/* Which of 64 bytes the expression of v holds for. */
#define WHICH(bits, p, expression)                                     \
	do {                                                           \
		(bits) = 0;                                            \
		EACH_VECTOR                                            \
		{                                                      \
			vector v = load((p) + at);                     \
                                                                       \
			(bits) |= bits_of((vector)(expression)) << at; \
		}                                                      \
	} while (0)

KERNEL uint64_t
equal(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, v == c);
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
static const unsigned char
    spaces[16] = { [0] = ' ', [9] = '\t', [10] = '\n', [13] = '\r' };
static const unsigned char
    ops[16] = { [10] = ':', [11] = '{', [12] = ',', [13] = '}' };

/* Vectors of one byte; read from memory, they need no register of their own. */
enum { QUOTE, NEWLINE, BACKSLASH, BLANK, ZERO, ZERO_LEAST, TEN };
static const unsigned char bytes[][LANES] = {
	[QUOTE] = { [0 ... LANES - 1] = '"' },
	[NEWLINE] = { [0 ... LANES - 1] = '\n' },
	[BACKSLASH] = { [0 ... LANES - 1] = '\\' },
	[BLANK] = { [0 ... LANES - 1] = ' ' },
	[ZERO] = { [0 ... LANES - 1] = '0' },
	[ZERO_LEAST] = { [0 ... LANES - 1] = '0' + 0x80 },
	[TEN] = { [0 ... LANES - 1] = 10 + 0x80 },
};
#define ALL(c) load((const char *)k[c])

KERNEL struct masks
classify(const char *p)
{
	const unsigned char(*k)[LANES] = bytes;
	struct masks m;

	HIDE(k);
	WHICH(m.quote, p, v == ALL(QUOTE));
	WHICH(m.newline, p, v == ALL(NEWLINE));
	WHICH(m.odd, p,
	    (v == ALL(BACKSLASH)) |
		((signed_vector)v < (signed_vector)ALL(BLANK)));
	WHICH(m.op, p, (v | ALL(BLANK)) == look_up(ops, v));
	WHICH(m.blank, p, v == look_up(spaces, v));
	/* Only digits come to be the least of signed numbers. */
	WHICH(m.digit, p,
	    (signed_vector)(v - ALL(ZERO_LEAST)) < (signed_vector)ALL(TEN));
	WHICH(m.zero, p, v == ALL(ZERO));
	m.odd &= ~m.newline;
	return m;
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

/* As some of each eight are tokens, and how many is hard to predict. */
KERNEL void
put_tokens(const struct json_index *x, size_t n, const char *p, ptrdiff_t at,
    uint64_t tokens)
{
	offsets from = (offsets){ 0 } + (uint16_t)at;

	_Pragma("GCC unroll 4") for (int i = 0; i < 64; i += 16)
	{
		n = put_sixteen(x, n, p + i, from, tokens >> i);
		from += 16;
		HIDE_VECTOR(from);
	}
}

#endif
