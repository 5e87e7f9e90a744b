/*
 * number - JSON numbers by their exact decimal value.
 *
 * 1, 1.0 and 1e0 are one number; 2^53 and 2^53+1 are two.  Nothing here goes
 * through a double unless a double is asked for.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/digits.h"
#include "base/span.h"

#if SIZE_MAX < UINT64_MAX || !defined(__SIZEOF_INT128__)
#error "tupletools needs a 64-bit system, and a compiler that has __int128"
#endif

__extension__ typedef __int128 int128;

/*
 * A number taken apart: 0.D1D2..Dn * 10^point, D1 and Dn not 0; n is 0 for
 * zero, which has no sign.  `digits` starts at D1 in the text and ends after
 * Dn; the decimal point may lie between them and is not counted in n.
 */
struct decimal {
	struct span digits;
	size_t n;
	int64_t point;
	bool negative;
};

/* A number that was read. */
struct number {
	bool is_int; /* integral and within int64_t: then i is exact */
	int64_t i;
	double d; /* nearest double; infinite if out of range */
	struct span text;
};

/*
 * Find the end of the JSON number that begins at p.
 *
 * Shape:  some byte after it is no part of a number.
 * Errors: if there is no number, *lacks becomes what is missing, for a message,
 *         and the result is where it is missing.
 * Source: RFC 8259, section 6.
 */
static inline const char *
number_end(const char *p, const char **lacks)
{
	bool minus = *p == '-';

	p += minus;
	if (!digits_is(*p)) {
		*lacks = minus ? "a digit after '-'" : "a number";
		return p;
	}
	p = *p == '0' ? p + 1 : digits_skip(p);
	if (*p == '.') {
		if (!digits_is(*++p)) {
			*lacks = "a digit after '.'";
			return p;
		}
		p = digits_skip(p);
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '+' || *p == '-';
		if (!digits_is(*p)) {
			*lacks = "a digit in the exponent";
			return p;
		}
		p = digits_skip(p);
	}
	return p;
}

/*
 * Tell whether text is a JSON number, the whole of it.
 *
 * Shape:  text is followed by a byte that is no part of a number, as within
 *         any JSON text.
 */
bool number_is(struct span text);

/*
 * Take the number apart, or read it.
 *
 * Shape:  text is a JSON number, and followed as for number_is.
 * Owns:   the result points into text.
 * Errors: -1 if the exponent is beyond 10^18; the result is then unset.
 */
int decimal_parse(struct decimal *d, struct span text);
int number_parse(struct number *x, struct span text);

/* Compare by value: negative, 0 or positive. */
int decimal_cmp(const struct decimal *a, const struct decimal *b);
static inline int number_cmp(const struct number *a, const struct number *b);

/*
 * Tell whether text is already what decimal_put would write; false may also
 * mean: too long to say.
 */
bool decimal_is_canonical(struct span text);

/* The most zeros added to avoid an exponent. */
enum { DECIMAL_PLAIN_ZEROS = 40 };

/*
 * Append the one spelling that all spellings of the value share: plain digits
 * if that is not long, otherwise the digits as a whole number and a power of
 * ten.
 */
void decimal_put(struct buffer *b, const struct decimal *d);

/*
 * _scale gives floor(d * 10^shift), _int128 gives d itself.
 *
 * Errors: -1 if *out cannot hold that, or if d is no integer for _int128; *out
 *         is then unset.
 */
int decimal_scale(const struct decimal *d, int shift, int64_t *out);
int decimal_int128(const struct decimal *d, int128 *out);

/* Append an integer in decimal. */
void buffer_int128(struct buffer *b, int128 v);

/* number_cmp unless both are integers. */
int number_cmp_decimal(const struct number *a, const struct number *b);

static inline int
number_cmp(const struct number *a, const struct number *b)
{
	if (a->is_int && b->is_int)
		return (a->i > b->i) - (a->i < b->i);
	return number_cmp_decimal(a, b);
}

#endif
