/*
 * sum - running totals that can be added to and taken from: exact while they
 * are integers, and as near as doubles come when they are not.
 *
 * A struct total has eight bytes, and all zeros are the total of nothing.
 * Nearly all are small integers and hold that very number.  One that outgrows
 * SUM_SMALL, or that has a number with a fraction in it, holds the handle of
 * a wide total in the pool: 128 bits for the integers, and for the rest a
 * double with its rounding error beside it, so that what is added and taken
 * away again leaves nothing.  So a copy of a total is no second total: only
 * one of the two may be changed or cleared.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include "base/number.h"
#include "base/packed.h"

#define SUM_SMALL ((int64_t)1 << 61)

struct total {
	int64_t word; /* the number or a handle: for sum_* alone */
};

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
sum_fits(int64_t word)
{
	return word >= -SUM_SMALL && word <= SUM_SMALL;
}

/* Tell whether a total is a small integer and has nothing in the pool. */
static inline bool
sum_is_small(struct total total)
{
	return sum_fits(total.word);
}

/*
 * Add an integer, or any number, to a total.
 *
 * Errors: none.  Beyond 128 bits integers go on as doubles, and a double
 *         that overflows stays at infinity.
 */
void sum_add_wide_int(struct sum_pool *pool, struct total *total, int64_t i);
void sum_add_number(struct sum_pool *pool, struct total *total,
    const struct number *x);

static inline void
sum_add_int(struct sum_pool *pool, struct total *total, int64_t i)
{
	if (sum_is_small(*total) && sum_fits(i) && sum_fits(total->word + i))
		total->word += i;
	else
		sum_add_wide_int(pool, total, i);
}

/*
 * Add sign times another total, whatever the two are.
 *
 * Errors: false where so much cancelled that the digits left are no longer
 *         those of the sum; the owner adds up anew what is still in it.
 */
bool sum_add_wide(struct sum_pool *pool, struct total *total,
    struct total other, int sign);

static inline bool
sum_add(struct sum_pool *pool, struct total *total, struct total other)
{
	if (!sum_is_small(*total) || !sum_is_small(other) ||
	    !sum_fits(total->word + other.word))
		return sum_add_wide(pool, total, other, 1);
	total->word += other.word;
	return true;
}

static inline bool
sum_sub(struct sum_pool *pool, struct total *total, struct total other)
{
	if (!sum_is_small(*total) || !sum_is_small(other) ||
	    !sum_fits(total->word - other.word))
		return sum_add_wide(pool, total, other, -1);
	total->word -= other.word;
	return true;
}

/*
 * Give a total's wide part back.  *total becomes 0.
 *
 * Errors: none.
 */
void sum_clear(struct sum_pool *pool, struct total *total);

/*
 * Pack all of a total, for keeping it elsewhere, and back.
 *
 * Owns:   *total was 0 or a total; what it held is given back.
 * Errors: where what was packed is bad, *total becomes 0 and u tells.
 */
void sum_pack(const struct sum_pool *pool, struct total total,
    struct buffer *b);
void sum_unpack(struct sum_pool *pool, struct total *total, struct unpacker *u);

/* The total divided by n, as near as doubles come. */
double sum_mean(const struct sum_pool *pool, struct total total, int64_t n);

/* Append a total as a JSON number. */
void sum_put(const struct sum_pool *pool, struct buffer *b, struct total total);

#endif
