/*
 * utf8 - check and encode UTF-8 (RFC 3629).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the sequence of two to four bytes that begins at s.
 *
 * Shape:  s < end; *s is not ASCII.
 * Errors: 0 if the bytes are not UTF-8: overlong, a surrogate, above U+10FFFF,
 *         cut short, or a byte that begins no sequence.
 * Source: RFC 3629 section 4, the grammar UTF8-octets.
 */
static inline size_t
utf8_length(const char *s, const char *end)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t left = (size_t)(end - s);
	unsigned char lo = 0x80, hi = 0xbf;
	size_t n;

	if (p[0] < 0xc2)
		return 0;
	if (p[0] < 0xe0) {
		n = 2;
	} else if (p[0] < 0xf0) {
		n = 3;
		if (p[0] == 0xe0)
			lo = 0xa0;
		else if (p[0] == 0xed)
			hi = 0x9f;
	} else if (p[0] < 0xf5) {
		n = 4;
		if (p[0] == 0xf0)
			lo = 0x90;
		else if (p[0] == 0xf4)
			hi = 0x8f;
	} else {
		return 0;
	}
	if (left < n || p[1] < lo || p[1] > hi)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Tell whether all bytes from s on, before end, are UTF-8. */
static inline bool
utf8_is_valid(const char *s, const char *end)
{
	while (s < end) {
		size_t n = (unsigned char)*s < 0x80 ? 1 : utf8_length(s, end);

		if (n == 0)
			return false;
		s += n;
	}
	return true;
}

/*
 * Encode c as generalised UTF-8, in which a lone surrogate is three bytes like
 * other numbers of its size.
 *
 * Shape:  c <= 0x10ffff; out has room for four bytes.
 * Errors: none.  Returns the number of bytes.
 */
static inline size_t
utf8_encode(char *out, uint32_t c)
{
	unsigned char *p = (unsigned char *)out;

	if (c < 0x80) {
		p[0] = (unsigned char)c;
		return 1;
	}
	if (c < 0x800) {
		p[0] = (unsigned char)(0xc0 | c >> 6);
		p[1] = (unsigned char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		p[0] = (unsigned char)(0xe0 | c >> 12);
		p[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
		p[2] = (unsigned char)(0x80 | (c & 0x3f));
		return 3;
	}
	p[0] = (unsigned char)(0xf0 | c >> 18);
	p[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
	p[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
	p[3] = (unsigned char)(0x80 | (c & 0x3f));
	return 4;
}

#endif
