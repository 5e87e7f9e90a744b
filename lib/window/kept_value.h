/*
 * kept_value - one value of a stream as it stood in its line: the least, the
 * greatest, the first or the last.
 *
 * A value comes with its place in the order of arrival, so that which one is
 * kept does not depend on the order in which values, or parts of a stream,
 * are put together.
 *
 * Memory: 24 bytes; what is not a whole number of at most 18 digits takes its
 * text besides, and 96 bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_KEPT_VALUE_H
#define WINDOW_KEPT_VALUE_H

#include "base/number.h"
#include "base/span.h"
#include "tuple/stored_value.h"

/*
 * A value at hand.  Numbers are ordered by value, and all others after them by
 * the bytes of text.
 */
struct ordered_value {
	struct span raw;  /* as it stood */
	struct span text; /* of a string, decoded, the contents; else raw */
	struct number x;  /* if is_number: what text says */
	bool is_number;
	bool digits; /* raw is nothing but digits, without a needless 0 */
};

enum kept_which { KEEP_LEAST, KEEP_GREATEST, KEEP_FIRST, KEEP_LAST };

/* The text of a value that is kept; opaque. */
struct kept_text;

/* The order of a value from a store: before all others. */
enum { KEPT_BEFORE_ALL = 1 };

struct kept_value {
	uint64_t order; /* by arrival, from KEPT_BEFORE_ALL; 0: there is none */
	int64_t i;	/* the value, if text is NULL */
	struct kept_text *text;
};

void kept_value_fini(struct kept_value *k);

/*
 * Keep v if it ranks before what is kept; of equal values the first to arrive
 * stays.
 *
 * Owns:   copies v.
 */
void kept_value_add(struct kept_value *k, enum kept_which which,
    const struct ordered_value *v, uint64_t order);
void kept_value_merge(struct kept_value *k, enum kept_which which,
    const struct kept_value *other);

/*
 * Append it as it stood.
 *
 * Shape:  there is one.
 */
void kept_value_put(const struct kept_value *k, struct buffer *b);

/*
 * Read the value at hand from JSON, which is followed by a byte that is no
 * part of it; compares says whether it is to be compared.
 *
 * Owns:   text may point into scratch.
 * Errors: false if it cannot be compared.
 */
bool ordered_value_read(struct ordered_value *v, struct span json,
    bool compares, struct buffer *scratch);

/*
 * Keep a value that was stored as it stood.
 *
 * Shape:  k is zeroed.
 * Owns:   scratch is the caller's, for use again.
 * Errors: false if it is not JSON, or cannot be kept.
 */
bool kept_value_restore(struct kept_value *k, enum kept_which which,
    const struct stored_value *c, uint64_t order, struct buffer *scratch);

#endif
