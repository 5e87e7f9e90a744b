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

/* A word whose eight bytes are all c. */
#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/*
 * 0x80 for each byte of w that is a quote, a backslash, a control byte or not
 * ASCII.  Behind the first of them others may have it, too.
 */
static inline uint64_t
word_first_special(uint64_t w)
{
	uint64_t found = ((w ^ EACH_BYTE('"')) - EACH_BYTE(1)) |
	    ((w ^ EACH_BYTE('\\')) - EACH_BYTE(1)) | (w - EACH_BYTE(0x20)) | w;

	return found & EACH_BYTE(0x80);
}

static inline uint32_t
word_load_half(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

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

/*
 * A word of n bytes, 1 to 8, and zeros behind them; no others are read.  Loads
 * overlap, so that there is no loop.
 */
static inline uint64_t
word_load_short(const char *p, size_t n)
{
	const unsigned char *byte = (const unsigned char *)p;

	if (n < 4)
		return byte[0] | (uint64_t)byte[n / 2] << 8 * (n / 2) |
		    (uint64_t)byte[n - 1] << 8 * (n - 1);
	return word_load_half(p) |
	    (uint64_t)word_load_half(p + n - 4) << 8 * (n - 4);
}

/* The same of the first eight bytes, if there are more. */
static inline uint64_t
word_load_first(const char *p, size_t n)
{
	return n >= 8 ? word_load(p) : word_load_short(p, n);
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
