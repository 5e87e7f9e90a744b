/*
 * word - eight bytes of a text in a word of 64 bits, the first byte of the text
 * the lowest of the word on any machine.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdint.h>
#include <string.h>

static inline uint64_t
word_load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline void
word_store(char *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(p, &v, sizeof v);
}

#endif
