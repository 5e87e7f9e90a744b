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
#include "json/index_tables.h"

typedef uint8_t vector __attribute__((vector_size(LANES)));
typedef int8_t signed_vector __attribute__((vector_size(LANES)));

enum { VECTORS = 64 / LANES };

/* A bit for each of 64 bytes that are all ones, or zero: returned, or put. */
KERNEL uint64_t bits_of(const vector truth[VECTORS]);
KERNEL void put_bits(uint64_t *to, const vector truth[VECTORS]);

/* Not 0 if any byte is all ones; the others are zero. */
KERNEL uint64_t any_of(vector truth);

/* table[v & 15] for bytes below 0x80, else 0 (as pshufb). */
KERNEL vector look_up(const unsigned char table[16], vector v);

/* prefix_xor without an instruction for carry-less multiplication. */
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
 * zero, behind n tokens.
 */
KERNEL void put_sixteen(const struct json_index *x, size_t n, const char *p,
    offsets at, uint64_t gaps);

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
#define WHICH(bits, p, expression)                                \
	do {                                                      \
		vector truth[VECTORS];                            \
                                                                  \
		EACH_VECTOR                                       \
		{                                                 \
			vector v = load((p) + at);                \
                                                                  \
			truth[at / LANES] = (vector)(expression); \
		}                                                 \
		(bits) = bits_of(truth);                          \
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
 * A byte is one of eight kinds, each of three bits, the highest first:
 *
 *	000	another		011	tab, carriage return
 *	001	quote		100	{}[]:,
 *	010	space		101	newline
 *	110	1 to 9		111	0
 *
 * The sum of what the first two tables have for its high and its low four bits,
 * modulo 16, has it in the third; a sum from 128 on is another.  A search found
 * sums that do not let two kinds share a place.  What else is below 0x20, which
 * is an error, and seldom, has none of the three bits, but the fourth.
 */
static const unsigned char kind_high[16] = { 13, 0, 65, 50, 79, 161, 79, 161,
	128, 128, 128, 128, 128, 128, 128, 128 };
static const unsigned char kind_low[16] = { 0, 67, 51, 67, 67, 67, 67, 67, 67,
	74, 73, 109, 61, 106, 80, 80 };
static const unsigned char kind_of[16] = { 0x10, 0x40, 0xe0, 0x10, 0x20, 0xc0,
	0xa0, 0x60, 0, 0x10, 0x10, 0x80, 0xc0, 0x10, 0x80, 0 };

/* Read from memory, it needs no register of its own. */
static const char backslashes[LANES] = { [0 ... LANES - 1] = '\\' };

/* All ones in each byte that has its highest bit. */
KERNEL vector
high(vector v)
{
	return (vector)((signed_vector)v < 0);
}

/* Put the bits of 64 bytes that are the n-th from the highest on. */
KERNEL void
put_high_bits(uint64_t *to, const vector v[VECTORS], int n)
{
	vector truth[VECTORS];

	EACH_VECTOR
	truth[at / LANES] = high(v[at / LANES] << n);
	put_bits(to, truth);
}

/* The columns that have the three bits, from the highest on. */
enum { FIRST = OP, SECOND = BLANK, THIRD = DIGIT };

KERNEL struct kinds_seen
kinds_seen(const struct column *seen, size_t at)
{
	masks first = masks_at(&seen[FIRST], at);
	masks second = masks_at(&seen[SECOND], at);
	masks third = masks_at(&seen[THIRD], at);

	return (struct kinds_seen){
		.op = first & ~second,
		.blank = second & ~first,
		.digit = first & second,
		.zero = first & second & third,
		.control = third & (first ^ second),
	};
}

/* See what the bytes of the k-th block are, and add their kinds to all. */
KERNEL void
classify_block(struct column *c, const char *p, size_t k, vector *all)
{
	const char *slashes = backslashes;
	vector wide = { 0 }, backslash[VECTORS], kinds[VECTORS];

	HIDE(slashes);
	EACH_VECTOR
	{
		vector v = load(p + at);
		vector kind = look_up(kind_of,
		    look_up(kind_high, v >> 4) + look_up(kind_low, v));

		wide |= v;
		*all |= kind;
		backslash[at / LANES] = (vector)(v == load(slashes));
		kinds[at / LANES] = kind;
	}
	put_high_bits(&c[FIRST].of[k], kinds, 0);
	put_high_bits(&c[SECOND].of[k], kinds, 1);
	put_high_bits(&c[THIRD].of[k], kinds, 2);
	put_bits(&c[BACKSLASH].of[k], backslash);
	c[WIDE].of[k] = any_of(high(wide));
}

/* Mark the blocks that have control characters other than white space. */
TARGET static __attribute__((noinline)) void
mark_controls(struct blocks *b, const char *p, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t white = equal(p + 64 * k, '\t') |
		    equal(p + 64 * k, '\n') | equal(p + 64 * k, '\r');

		if ((~at_least(p + 64 * k, ' ') & ~white) != 0)
			b->flags.of[k] |= LINE_BAD;
	}
}

KERNEL void
classify(struct blocks *b, const char *p, size_t n)
{
	struct column *c = b->seen;
	vector all = { 0 };

	for (size_t k = 0; k < n; k++)
		classify_block(c, p + 64 * k, k, &all);
	for (size_t k = 0; k < n; k += MASKS) {
		masks quote = masks_at(&c[THIRD], OWN + k) &
		    ~(masks_at(&c[FIRST], OWN + k) |
			masks_at(&c[SECOND], OWN + k));

		memcpy(c[QUOTE].of + k, &quote, sizeof quote);
	}
	if (any_of(high(all << 3)) != 0) /* the fourth bit */
		mark_controls(b, p, n);
}

/* What the high and the low four bits of a byte have in common. */
KERNEL vector
both(const unsigned char high[16], const unsigned char low[16], vector v)
{
	return look_up(high, v >> 4) & look_up(low, v & 15);
}

KERNEL uint64_t
escapable(const char *p, uint64_t *u)
{
	vector is_u[VECTORS], others[VECTORS];

	EACH_VECTOR
	{
		vector v = load(p + at);

		v = look_up(escape_high, v >> 4) & look_up(escape_low, v);
		is_u[at / LANES] = high(v); /* UNICODE */
		others[at / LANES] = (vector)((signed_vector)v > 0);
	}
	*u = bits_of(is_u);
	return bits_of(others) | *u;
}

KERNEL uint64_t
hex_digits(const char *p)
{
	uint64_t bits;

	WHICH(bits, p, both(hex_high, hex_low, v) != 0);
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
distances_in(const uint16_t *at, const uint64_t bits[2])
{
	static const unsigned char bit[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	const unsigned char *set = (const unsigned char *)bits;
	vector truth[VECTORS];

	_Pragma("GCC unroll 4") for (int i = 0; i < 64; i += LANES)
	{
		vector v = low_bytes(at + i + 1) - low_bytes(at + i);

		truth[i / LANES] = (vector)((look_up(set, v >> 3 & 7) &
						look_up(bit, v & 7)) != 0);
	}
	return bits_of(truth);
}

KERNEL void
put_numbers(uint16_t *out, size_t first, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
		*out++ = (uint16_t)(first + (size_t)__builtin_ctzll(bits));
}

#if LANES == 16
/* With vectors of 16 bytes a version puts eight at a time, by this. */
KERNEL void put_eight(const struct json_index *x, size_t n, const char *p,
    offsets at, uint64_t gaps);

KERNEL void
put_bits(uint64_t *to, const vector truth[VECTORS])
{
	*to = bits_of(truth);
}

KERNEL void
put_sixteen(const struct json_index *x, size_t n, const char *p, offsets at,
    uint64_t gaps)
{
	put_eight(x, n, p, at, gaps & 255);
	n += 8 - (size_t)__builtin_popcountll(gaps & 255);
	put_eight(x, n, p + 8, at + 8, gaps >> 8 & 255);
}

#endif

/*
 * Put the tokens of one block, whose first bytes have the offsets `from`.
 * Without branches: how many of each eight are tokens is hard to predict.
 */
ALWAYS_INLINE KERNEL size_t
put_block(const struct json_index *x, size_t n, const char *p, offsets from,
    uint64_t tokens)
{
	uint64_t gaps = ~tokens;

	_Pragma("GCC unroll 4") for (size_t i = 0; i < 64; i += 16)
	{
		put_sixteen(x, n + i, p + i, from, gaps);
		n -= (size_t)__builtin_popcountll(gaps & 0xffff);
		gaps >>= 16;
		HIDE(gaps);
		from += 16;
		HIDE_VECTOR(from);
	}
	return n + 64;
}

/* Which of n blocks have tokens. */
KERNEL uint64_t
blocks_with(const struct column *tokens, size_t n)
{
	const masks bit = bit_of_each();
	masks with = { 0 };

	for (size_t k = 0; k < n; k += MASKS)
		with |= have_bits(masks_at(tokens, OWN + k)) & bit << k;
	return bits_of_all(with) & ~(uint64_t)0 >> (64 - n);
}

/*
 * If most blocks have no tokens, only the others are looked at.  This takes a
 * seventh off a scan of long texts; to do it always adds 2 to 4 % to other scans.
 */
KERNEL size_t
put_tokens(const struct json_index *x, size_t n, const char *p, size_t at,
    const struct column *tokens, size_t nblocks)
{
	uint64_t with = blocks_with(tokens, nblocks);
	offsets from = (offsets){ 0 } + (uint16_t)at;

	if (__builtin_popcountll(with) < BLOCKS / 2) {
		for (; with != 0; with &= with - 1) {
			size_t k = (size_t)__builtin_ctzll(with);

			n = put_block(x, n, p + 64 * k,
			    from + (uint16_t)(64 * k), tokens->of[k]);
		}
		return n;
	}
	for (size_t k = 0; k < nblocks; k++, p += 64, from += 64)
		n = put_block(x, n, p, from, tokens->of[k]);
	return n;
}

#endif
