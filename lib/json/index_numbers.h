/*
 * index_numbers - check the numbers of blocks, all those of a block at once: what
 * is behind a point, an e, the sign of an exponent, a zero that comes first, and
 * the digits of a fraction or of an exponent.  A sign that comes first is left to
 * index_scalars.
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
	uint64_t tails[BLOCKS]; /* what is no digit, right behind one */
	uint64_t zeros[BLOCKS]; /* that begin a number */
};

/* What ends a block, and the next has to know of. */
enum {
	ENDS_POINT,
	ENDS_FRACTION, /* in its digits */
	ENDS_ZERO,     /* that begins a number */
	ENDS_E,
	ENDS_SIGN,     /* of an exponent */
	ENDS_EXPONENT, /* in its digits */
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
 * What is right behind the digits that begin at these bytes, or that go on from
 * the block before.  A sum carries from the first of them to there.
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

/* The bytes of exponents that are not valid. */
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
 * Tell whether the numbers of a block are valid.  *ends has a bit for each of
 * what ends the block before, and then of what ends this one.
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

/* Check the numbers of n blocks that have more than digits; mark the bad ones. */
KERNEL void
check_numbers(const struct numbers *b, const char *p, uint8_t *flags,
    unsigned *ends, size_t n)
{
	const uint64_t any = LINE_TAILS * (~(uint64_t)0 / 255);

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
