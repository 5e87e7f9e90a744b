/*
 * index_utf8 - check the UTF-8 of the blocks that are not all ASCII.  A version
 * includes this after index_kernel and the functions that it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_UTF8_H
#define JSON_INDEX_UTF8_H

#include "json/index_kernel.h"

/*
 * Check the UTF-8 of the i-th block, and of the next if a character should go
 * on there but it is all ASCII.
 */
KERNEL void
check_block(struct json_index *x, struct span text, size_t i)
{
	ptrdiff_t at = block_offset(i, (size_t)(text.p - x->origin));
	char room[ROOM];
	const char *p = block_at(text, at, room);

	x->flags[i] &= (uint8_t)~LINE_WIDE;
	if (bad_utf8(p) != 0)
		x->flags[i] |= LINE_BAD;
	if ((signed char)p[63] < 0 && (x->flags[i + 1] & LINE_WIDE) == 0 &&
	    bad_utf8(block_at(text, at + 64, room)) != 0)
		x->flags[i + 1] |= LINE_BAD;
}

/* Mark the blocks that have what is not UTF-8. */
KERNEL void
check_utf8(struct json_index *x, struct span text)
{
	size_t n = (text.n + (size_t)(text.p - x->origin) + 63) / 64;

	memset(x->flags + n, 0, 64);
	for (size_t i = 0; i < n; i += 64) {
		const char *flags = (const char *)x->flags + i;

		for (uint64_t bits = at_least(flags, LINE_WIDE); bits != 0;
		     bits &= bits - 1)
			check_block(x, text, i + (size_t)__builtin_ctzll(bits));
	}
}

#endif
