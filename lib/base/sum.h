/*
 * sum - running totals that can be added to and taken from: exact while they
 * are integers, and as near as doubles come when they are not.
 *
 * A total is one int64_t to its owner.  Nearly all are small integers and
 * are that very number.  One that outgrows SUM_SMALL, or that has a number
 * with a fraction in it, is the handle of a wide total in the pool: 128 bits
 * for the integers, and for the rest a double with its rounding error
 * beside it, so that what is added and taken away again leaves nothing.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include "base/number.h"

#define SUM_SMALL ((int64_t)1 << 61)

/* The total of integers i, and of ndoubles others, hi + lo. */
struct sum_wide {
	int128 i;
	double hi, lo;
	double peak; /* the greatest that hi has been, either sign */
	int64_t ndoubles;
	uint32_t next_free;
};

struct sum_pool {
	struct sum_wide *wide;
	size_t n, cap;
	uint32_t free; /* first of the free list, plus 1 */
};

void sum_pool_fini(struct sum_pool *pool);

static inline bool
sum_is_small(int64_t total)
{
	return total >= -SUM_SMALL && total <= SUM_SMALL;
}

/*
 * Add a number to a total.  A total starts as 0.
 *
 * Errors: none.  Beyond 128 bits integers go on as doubles, and a double
 *         that overflows stays at infinity.
 */
void sum_add_number(struct sum_pool *pool, int64_t *total,
    const struct number *x);

/*
 * Add sign times another total, whatever the two are.
 *
 * Errors: false where so much cancelled that the digits left are no longer
 *         those of the sum; the owner adds up anew what is still in it.
 */
bool sum_add_wide(struct sum_pool *pool, int64_t *total, int64_t other,
    int sign);

static inline bool
sum_add(struct sum_pool *pool, int64_t *total, int64_t other)
{
	if (!sum_is_small(*total) || !sum_is_small(other) ||
	    !sum_is_small(*total + other))
		return sum_add_wide(pool, total, other, 1);
	*total += other;
	return true;
}

static inline bool
sum_sub(struct sum_pool *pool, int64_t *total, int64_t other)
{
	if (!sum_is_small(*total) || !sum_is_small(other) ||
	    !sum_is_small(*total - other))
		return sum_add_wide(pool, total, other, -1);
	*total -= other;
	return true;
}

/*
 * Give a total's wide part back.  *total becomes 0.
 */
void sum_clear(struct sum_pool *pool, int64_t *total);

/* All of a total, for keeping it elsewhere; without padding. */
struct sum_packed {
	int64_t high;
	uint64_t low; /* of 128 bits */
	double hi, lo, peak;
	int64_t ndoubles;
};

/* Owns:   *total was 0 or a total; what it held is given back. */
struct sum_packed sum_pack(const struct sum_pool *pool, int64_t total);
void sum_unpack(struct sum_pool *pool, int64_t *total,
    const struct sum_packed *packed);

/* The total divided by n, as near as doubles come. */
double sum_mean(const struct sum_pool *pool, int64_t total, int64_t n);

/* Append a total as a JSON number. */
void sum_put(struct sum_pool *pool, struct buffer *b, int64_t total);

#endif
