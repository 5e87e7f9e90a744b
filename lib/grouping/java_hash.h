/*
 * java_hash - compute hashCode() and toString() of a JSON scalar as Java does,
 * for Storm's groupings.
 *
 *	"a"             String      31 h + c over UTF-16 code units
 *	7, -0           Long        low half xor high half
 *	2^63 and more   BigInteger  31 h + w over 32-bit words, times the sign
 *	7.0, 1e3, -0.0  Double      as a Long, of its IEEE bits
 *	true, false     Boolean     1231, 1237
 *	null            -           0
 *
 * A number without fraction and exponent is a Long, or a BigInteger if it is
 * too large.  (This holds up to Storm 2.5 for values from multilang
 * components.)  A lone surrogate is hashed as a code unit, and is `?` in
 * toString's bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_JAVA_HASH_H
#define GROUPING_JAVA_HASH_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"
#include "json/scanner.h"

/* The most digits of an integer. */
enum { JAVA_HASH_DIGITS = 10000 };

/*
 * Compute the hashCode of a scalar.
 *
 * Shape:  v is not an object or array.
 * Owns:   scratch is overwritten.
 * Errors: -1 if an integer has more than JAVA_HASH_DIGITS digits.
 */
int java_hash_value(const struct value *v, struct buffer *scratch,
    int32_t *hash);

/*
 * Append the toString of a scalar, in UTF-8.
 *
 * Shape:  v is not an object, an array or null.
 * Owns:   scratch is overwritten.
 * Errors: as for java_hash_value.
 */
int java_hash_text(const struct value *v, struct buffer *scratch,
    struct buffer *text);

/* Add an element's hash to the hash of a list, which begins with 1. */
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

/* new Random(seed). */
struct java_random java_random(int64_t seed);

/*
 * nextInt(n), for n > 0.
 *
 * Source: the specification in the documentation of java.util.Random.
 */
int32_t java_random_below(struct java_random *r, int32_t n);

#endif
