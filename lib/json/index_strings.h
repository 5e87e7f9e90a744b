/*
 * index_strings - whether escapes and what is not ASCII are valid, in the blocks
 * that have any.  A version includes this after index_kernel and the functions
 * that it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_STRINGS_H
#define JSON_INDEX_STRINGS_H

#include "json/index_kernel.h"

/* Which of 64 bytes, the u of an escape, have four hex digits behind them. */
KERNEL uint64_t
have_digits(const char *p)
{
	uint64_t hex = of_class(p, HEX), later = of_class(p + 4, HEX);

	return (hex >> 1 | later << 3) & (hex >> 2 | later << 2) &
	    (hex >> 3 | later << 1) & later;
}

/*
 * Tell whether the escapes of a block are valid, where the bits are set of
 * backslashes, which may be escaped too, and of what they escape; four bytes
 * behind it are readable.
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

/* Check the UTF-8 of the i-th block, and of the next if a character goes on. */
KERNEL void
check_wide(struct json_index *x, struct span text, size_t i)
{
	ptrdiff_t at = (ptrdiff_t)(i * 64) - (ptrdiff_t)x->before;
	char room[ROOM];
	const char *p = block_at(text, at, room);

	x->flags[i] &= (uint8_t)~LINE_WIDE;
	if (bad_utf8(p) != 0)
		x->flags[i] |= LINE_BAD;
	if ((signed char)p[63] < 0 &&
	    bad_utf8(block_at(text, at + 64, room)) != 0)
		x->flags[i + 1] |= LINE_BAD;
}

/* Check the escapes of the i-th block. */
KERNEL void
check_escapes(struct json_index *x, struct span text, size_t i)
{
	ptrdiff_t at = (ptrdiff_t)(i * 64) - (ptrdiff_t)x->before;
	char room[ROOM];

	if (!escapes_are_valid(block_at(text, at, room), x->escapes[i]))
		x->flags[i] |= LINE_BAD;
}

/* Mark the blocks that have what is not valid in a string. */
KERNEL void
check_strings(struct json_index *x, struct span text)
{
	size_t n = (text.n + x->before + 63) / 64;

	memset(x->flags + n, 0, 64);
	for (size_t i = 0; i < n; i += 64) {
		const char *flags = (const char *)x->flags + i;
		uint64_t bits;

		for (bits = at_least(flags, LINE_WIDE); bits != 0;
		     bits &= bits - 1)
			check_wide(x, text, i + (size_t)__builtin_ctzll(bits));
		for (bits = at_least(flags, LINE_ESCAPED); bits != 0;
		     bits &= bits - 1)
			check_escapes(x, text,
			    i + (size_t)__builtin_ctzll(bits));
	}
}

#endif
