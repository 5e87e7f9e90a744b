/*
 * digits - read decimal digits one by one, or eight at a time in a word; write
 * them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/span.h"
#include "base/word.h"

#define DIGITS_ZERO UINT64_C(0x3030303030303030) /* "00000000" */

static inline bool
digits_is(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
digits_is_hex(char c)
{
	return digits_is(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Find the first byte from p on that is not a digit; there must be one. */
static inline const char *
digits_skip(const char *p)
{
	while (digits_is(*p))
		p++;
	return p;
}

/* Tell whether s is nothing but digits. */
static inline bool
digits_are(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!digits_is(s.p[i]))
			return false;
	return true;
}

/*
 * Add the digits of a fraction of a second to *ns, as nanoseconds; finer ones are
 * cut off.  Returns the end of the digits.
 */
static inline const char *
digits_fraction(const char *p, const char *end, int64_t *ns)
{
	for (int64_t unit = 100000000; p < end && digits_is(*p); p++) {
		*ns += (*p - '0') * unit;
		unit /= 10;
	}
	return p;
}

/* Compare whole numbers in digits, without zeros in front. */
static inline int
digits_cmp(struct span a, struct span b)
{
	return a.n != b.n ? (a.n > b.n) - (a.n < b.n) : memcmp(a.p, b.p, a.n);
}

/*
 * Tell whether eight bytes of text fit a model: a '0' of the model stands for
 * any digit, every other byte for itself.
 *
 * Shape:  x is text ^ model.
 */
static inline bool
digits_fit(uint64_t x, uint64_t model)
{
	const uint64_t ones = DIGITS_ZERO / '0', high = ones * 0x80;
	uint64_t others = ((model ^ DIGITS_ZERO) + ones * 0x7f) & high;
	/* To add 0x76 sets the high bit of bytes above 9; 0x7f, of all but 0. */
	uint64_t add = ones * 0x7f - (others ^ high) / 0x80 * 9;

	return (((x + add) | x) & high) == 0;
}

/*
 * Make each byte ten times itself plus the next one: the value of two digits
 * is then where the first of them was.
 */
static inline uint64_t
digits_pairs(uint64_t x)
{
	return x * 10 + (x >> 8);
}

/* The value of eight digits; x is text ^ DIGITS_ZERO. */
static inline uint32_t
digits_value(uint64_t x)
{
	const uint64_t pair = UINT64_C(0x000000ff000000ff);

	x = digits_pairs(x);
	return (uint32_t)(((x & pair) * (100 + (UINT64_C(1000000) << 32)) +
			      (x >> 16 & pair) *
				  (1 + (UINT64_C(10000) << 32))) >>
	    32);
}

/*
 * Load n bytes, 1 to 8, as text ^ DIGITS_ZERO, padded in front with zeros to
 * eight digits.
 */
static inline uint64_t
digits_load_right(const char *p, size_t n)
{
	return (word_load_short(p, n) ^ DIGITS_ZERO) << (64 - 8 * n);
}

/* The value of n digits at p, 8 to 16. */
static inline int64_t
digits_number(const char *p, size_t n)
{
	uint64_t head = word_load(p) ^ DIGITS_ZERO;
	uint64_t tail = word_load(p + n - 8) ^ DIGITS_ZERO;

	/* Drop those of the first eight that are among the last eight too. */
	head = head << 4 * (16 - n) << 4 * (16 - n);
	return (int64_t)digits_value(head) * 100000000 + digits_value(tail);
}

/*
 * The value of n digits at p, 1 to 8.  Eight bytes at p are read whatever n is,
 * so that nothing branches on n.
 */
static inline uint32_t
digits_few(const char *p, size_t n)
{
	return digits_value((word_load(p) ^ DIGITS_ZERO) << (64 - 8 * n));
}

/* The value of n digits at p, 1 to DIGITS_INTEGER_MOST. */
enum { DIGITS_INTEGER_MOST = 18 };
static inline int64_t
digits_integer(const char *p, size_t n)
{
	if (n <= 8)
		return digits_value(digits_load_right(p, n));
	if (n <= 16)
		return digits_number(p, n);
	return digits_integer(p, n - 16) * 10000000000000000 +
	    digits_number(p + n - 16, 16);
}

/*
 * The eight digits of v < 10^8 as text ^ DIGITS_ZERO.  v is split into halves,
 * pairs and ones; products, which are exact here, take the place of divisions.
 */
static inline uint64_t
digits_spell(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32, tens;

	tens = (x * 5243 >> 19) & UINT64_C(0x7f0000007f);
	x = tens | (x - tens * 100) << 16;
	tens = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return tens | (x - tens * 10) << 8;
}

/* The most bytes that digits_put writes; there are up to 20 digits. */
enum { DIGITS_ROOM = 24 };

/*
 * Write v in decimal.  Returns the end of its digits.  Most numbers are short;
 * for these nothing branches on the number of digits, which is hard to predict.
 */
static inline char *
digits_put(char *p, uint64_t v)
{
	uint64_t digits;
	int zeros;

	if (v >= 100000000) {
		p = digits_put(p, v / 100000000);
		word_store(p,
		    digits_spell((uint32_t)(v % 100000000)) | DIGITS_ZERO);
		return p + 8;
	}
	digits = digits_spell((uint32_t)v);
	/* 0 has a digit, too. */
	zeros = __builtin_ctzll(digits | (uint64_t)1 << 56) & ~7;
	word_store(p, (digits | DIGITS_ZERO) >> zeros);
	return p + 8 - zeros / 8;
}

#endif
