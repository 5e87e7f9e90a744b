/*
 * index_numbers - check the numbers of a block all at once: digits must be
 * behind a point, an e, or the sign of an exponent; no digit may be behind a
 * first zero; and only a point and an e may be behind digits, each once, in
 * this order.  What begins with a sign is index_scalars' to check, up to its
 * first digits.
 *
 * Source: RFC 8259, section 6.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_NUMBERS_H
#define JSON_INDEX_NUMBERS_H

#include "base/word.h"
#include "json/index_masks.h"

/* The bytes of numbers, one mask per block. */
struct numbers {
	uint64_t digits[BLOCKS];
	uint64_t tails[BLOCKS]; /* that are no digits, right behind a digit */
	uint64_t zeros[BLOCKS]; /* that are the first byte of a number */
};

/* What a block ends with, for the next to go on from. */
enum {
	ENDS_POINT,
	ENDS_FRACTION, /* a digit of one */
	ENDS_ZERO,     /* that begins a number */
	ENDS_E,
	ENDS_SIGN,     /* of an exponent */
	ENDS_EXPONENT, /* a digit of one */
};

/* What is right behind some bytes of a block, or behind the block before. */
KERNEL uint64_t
behind_these(uint64_t bytes, unsigned ends, int which)
{
	return bytes << 1 | (ends >> which & 1);
}

/* The bit of *ends for a block with these bytes. */
KERNEL unsigned
ends_with(uint64_t bytes, int which)
{
	return (unsigned)(bytes >> 63) << which;
}

/*
 * The bytes right behind runs of digits.  A run begins at each bit of first, or
 * goes on from the block before.  To add its first bit carries through the run
 * to the byte behind it.
 */
KERNEL uint64_t
behind_digits(uint64_t digits, uint64_t first, unsigned *ends, int which)
{
	uint64_t sum;
	bool goes_on =
	    __builtin_add_overflow(digits, first | (*ends >> which & 1), &sum);

	*ends = (*ends & ~(1U << which)) | (unsigned)goes_on << which;
	return sum & ~digits;
}

/*
 * The bytes that are wrong in exponents, and those behind digits that are
 * neither a point nor an e.
 */
KERNEL uint64_t
bad_exponents(const char *p, uint64_t digits, uint64_t tails, uint64_t points,
    unsigned *ends)
{
	uint64_t es = tails & equal_letter(p, 'e');
	uint64_t behind_e = behind_these(es, *ends, ENDS_E);
	uint64_t signs = behind_e & (equal(p, '-') | equal(p, '+'));
	uint64_t first =
	    (behind_e & ~signs) | behind_these(signs, *ends, ENDS_SIGN);
	uint64_t end = behind_digits(digits, first, ends, ENDS_EXPONENT);

	*ends &= 1U << ENDS_EXPONENT;
	*ends |= ends_with(es, ENDS_E) | ends_with(signs, ENDS_SIGN);
	return (first & ~digits) | (end & tails) | (tails & ~(points | es));
}

/*
 * Tell whether the numbers of a block are valid.  *ends tells what the block
 * before ends with, and is set to what this one ends with.
 */
KERNEL bool
numbers_are_valid(const char *p, uint64_t digits, uint64_t tails,
    uint64_t zeros, unsigned *ends)
{
	uint64_t points = tails & equal(p, '.'), others = tails & ~points;
	uint64_t first = behind_these(points, *ends, ENDS_POINT);
	uint64_t behind_zero = behind_these(zeros, *ends, ENDS_ZERO);
	uint64_t end = behind_digits(digits, first, ends, ENDS_FRACTION);
	uint64_t bad;
	unsigned exponent = *ends >> ENDS_E << ENDS_E;

	bad = (first & ~digits) | (end & points) | (behind_zero & digits);
	if (others != 0 || exponent != 0)
		bad |= bad_exponents(p, digits, tails, points, &exponent);
	*ends = (*ends & 1U << ENDS_FRACTION) | exponent |
	    ends_with(points, ENDS_POINT) | ends_with(zeros, ENDS_ZERO);
	return bad == 0;
}

/*
 * Check the numbers of those of n blocks that have LINE_TAILS, or that a number
 * goes on in; mark the blocks with a bad one.
 */
KERNEL void
check_numbers(const struct numbers *b, const char *p, uint8_t *flags,
    unsigned *ends, size_t n)
{
	const uint64_t any = LINE_TAILS * (~(uint64_t)0 / 255);

	/* Eight are read at once, of which the last ones may not be set. */
	memset(flags + n, 0, 8);
	for (size_t i = 0; i < n; i += 8) {
		if (*ends == 0 &&
		    (word_load((const char *)flags + i) & any) == 0)
			continue;
		for (size_t k = i; k < i + 8 && k < n; k++)
			if (((flags[k] & LINE_TAILS) != 0 || *ends != 0) &&
			    !numbers_are_valid(p + 64 * k, b->digits[k],
				b->tails[k], b->zeros[k], ends))
				flags[k] |= LINE_BAD;
	}
}

#endif
