/*
 * java_hash - hashCode() and toString() of the values that a JSON scalar is
 * in Java, as Storm's groupings use them.
 *
 *	"a"             String      31 h + c over UTF-16 code units
 *	7, -0           Long        low half xor high half
 *	2^63 and more   BigInteger  31 h + w over 32-bit words, times the sign
 *	7.0, 1e3, -0.0  Double      the same of the IEEE bits as of a Long
 *	true, false     Boolean     1231, 1237
 *	null            -           0
 *
 * A number without fraction and exponent is an integer, and a Long if it can
 * be, however small: up to Storm 2.5 that is what comes from a multilang
 * component.  A lone surrogate counts as the unit that it is, and becomes
 * `?` in bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_JAVA_HASH_H
#define GROUPING_JAVA_HASH_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"
#include "json/scanner.h"

/* An integer that is no Long may have so many digits. */
enum { JAVA_HASH_DIGITS = 10000 };

/*
 * Give the hashCode of a scalar.
 *
 * Shape:  v is no object or array.
 * Owns:   scratch is overwritten.
 * Errors: -1 where an integer is longer than JAVA_HASH_DIGITS.
 */
int java_hash_value(const struct value *v, struct buffer *scratch,
    int32_t *hash);

/*
 * Append the UTF-8 of a scalar's toString.
 *
 * Shape:  v is no object, array or null, which has none.
 * Errors: as above.
 */
int java_hash_text(const struct value *v, struct buffer *scratch,
    struct buffer *text);

/* One more element of a list whose hash is h so far; 1 at first. */
static inline int32_t
java_hash_list(int32_t h, int32_t element)
{
	return (int32_t)(31 * (uint32_t)h + (uint32_t)element);
}

/* Arrays.hashCode of bytes, which are signed in Java. */
int32_t java_hash_bytes(struct span s);

/* java.util.Random. */
struct java_random {
	uint64_t state;
};

struct java_random java_random(int64_t seed);

/*
 * nextInt(n), for n > 0.
 *
 * Source: the specification in the documentation of java.util.Random.
 */
int32_t java_random_below(struct java_random *r, int32_t n);

#endif
