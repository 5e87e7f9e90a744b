/*
 * index_escapes - find the escapes in blocks, check them, and mark the keys
 * that have some.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_ESCAPES_H
#define JSON_INDEX_ESCAPES_H

#include "json/index_masks.h"

/*
 * Which bytes are escaped: of a run of backslashes every second one, and what
 * is behind the run if their number is odd.  The first byte is if *first is 1;
 * then *first is set for the next block.
 *
 *	text		a \ \ \ n \ \ b
 *	odd		. 1 . 1 . 1 . 1
 *	runs << 1 | odd	. 1 1 1 1 1 1 1
 *	less runs	. . . . 1 . . 1
 *	differ, ^ odd	. 1 . 1 1 1 . .		what escapes, and n
 *	escaped		. . 1 . 1 . 1 .
 */
KERNEL uint64_t
find_escaped(uint64_t backslash, uint64_t *first)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaa;
	uint64_t runs = backslash & ~*first;
	uint64_t differ = ((runs << 1 | odd) - runs) ^ odd;
	uint64_t escaped = differ ^ (backslash | *first);

	*first = (differ & backslash) >> 63;
	return escaped;
}

/* Which of 64 bytes, the u of an escape, have four hex digits behind them. */
KERNEL uint64_t
have_digits(const char *p)
{
	uint64_t hex = of_class(p, HEX), later = of_class(p + 4, HEX);

	return (hex >> 1 | later << 3) & (hex >> 2 | later << 2) &
	    (hex >> 3 | later << 1) & later;
}

/*
 * Tell whether the escapes of a block are valid.  bits has the backslashes,
 * escaped ones too, and what they escape; four bytes behind the block are
 * readable.
 */
KERNEL bool
escapes_are_valid(const char *p, uint64_t bits)
{
	uint64_t bad = bits & ~of_class(p, ESCAPABLE);
	uint64_t u = bits & equal(p, 'u');

	if (u != 0)
		bad |= u & ~have_digits(p);
	return bad == 0;
}

/*
 * Find and check the escapes of n blocks, the first of which is the i-th of
 * all; `with` has a bit for each that has backslashes.  Escaped quotes are taken
 * out of QUOTE.  Returns whether there are any escapes.
 *
 * If each line has some, going from bit to bit takes a tenth less time than a
 * branch for each block, which is hard to predict.
 */
KERNEL bool
find_escapes(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t n, uint64_t with)
{
	bool any = (with | c->escaped) != 0;

	if (any || c->escapes != 0)
		memset(x->escapes + i, 0, n * sizeof *x->escapes);
	for (with |= c->escaped; with != 0; with &= with - 1) {
		size_t k = (size_t)__builtin_ctzll(with);
		const char *block = p + 64 * k;
		uint64_t backslash = equal(block, '\\');
		uint64_t escaped = find_escaped(backslash, &c->escaped);

		x->escapes[i + k] = backslash | escaped;
		b->seen[QUOTE].of[k] &= ~escaped;
		b->flags.of[k] |= LINE_ESCAPED;
		if (!escapes_are_valid(block, backslash | escaped))
			b->flags.of[k] |= LINE_BAD;
		/* Seldom; a branch, so that the next block need not wait. */
		if (c->escaped != 0 && k + 1 < n)
			with |= (uint64_t)2 << k;
	}
	return any;
}

/*
 * Mark the blocks in which a key with escapes ends.  Adding an escape to the
 * ones of its string carries to the quote behind it.
 */
KERNEL void
find_escaped_keys(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t in = b->in.of[k], end;

		c->escapes = __builtin_add_overflow(in,
		    (x->escapes[i + k] & in) | c->escapes, &end);
		end &= ~in & b->seen[QUOTE].of[k] & equal(p + 64 * k + 1, ':');
		b->flags.of[k] |= end != 0 ? LINE_ESCAPED_KEY : 0;
	}
}

#endif
