/*
 * group_number - the number of a group, before the bytes of a key within it.
 *
 * Seven bits a byte, the lowest first, and a bit that says whether more come:
 * most groups have small numbers, and a key of which little is added still
 * fits into its entry of a hash_map.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_GROUP_NUMBER_H
#define WINDOW_GROUP_NUMBER_H

#include <stdint.h>

#include "base/buffer.h"

/* Append a number. */
static inline void
group_number_put(struct buffer *b, uint64_t number)
{
	for (; number > 127; number >>= 7)
		buffer_byte(b, (char)(number | 128));
	buffer_byte(b, (char)number);
}

/*
 * Take the number away from a key, and return it.
 *
 * Shape:  the key begins with one.
 */
static inline uint64_t
group_number_take(struct span *key)
{
	uint64_t number = 0;
	unsigned char c;
	int shift = 0;

	do {
		c = (unsigned char)*key->p++;
		key->n--;
		number |= (uint64_t)(c & 127) << shift;
		shift += 7;
	} while (c > 127);
	return number;
}

#endif
