/*
 * sum - running totals that are exact: additions and subtractions, in any
 * order, leave no rounding error.
 *
 * So a window adds what comes and subtracts what goes, instead of adding
 * everything again.  Integers of up to 128 bits count as what they are, however
 * they are spelled; any other number as the double that is nearest to it.  Only
 * writing a total rounds, once, to the nearest double.
 *
 * A struct total has eight bytes, and all zeros are the total of nothing.
 * Nearly all are small integers and hold that very number.  One that outgrows
 * SUM_SMALL, or has a fraction, holds the handle of a wide total in the pool:
 * limbs of 64 bits, the low ones first, in two's complement.  Few need more
 * than the near limbs.
 *
 *	near                   2^-128 .. 2^127
 *	far    2^-1088 ............................. 2^1151, as far as needed
 *
 * A copy of a total is no second total: only one of the two may be changed or
 * cleared.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include "base/number.h"
#include "base/packed.h"

#define SUM_SMALL ((int64_t)1 << 61)

enum { SUM_NEAR = 4 };

struct total {
	int64_t word; /* the number or a handle: for sum_* alone */
};

struct sum_wide {
	uint64_t near[SUM_NEAR];
	struct sum_far *far; /* in the place of near, unless NULL */
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
 * Shape:  x->d is finite.
 * Errors: none.
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
 * Add another total, or subtract it: sign is 1 or -1.
 *
 * Errors: none.
 */
void sum_add_wide(struct sum_pool *pool, struct total *total,
    struct total other, int sign);

static inline void
sum_add(struct sum_pool *pool, struct total *total, struct total other)
{
	if (sum_is_small(*total) && sum_is_small(other) &&
	    sum_fits(total->word + other.word))
		total->word += other.word;
	else
		sum_add_wide(pool, total, other, 1);
}

static inline void
sum_sub(struct sum_pool *pool, struct total *total, struct total other)
{
	if (sum_is_small(*total) && sum_is_small(other) &&
	    sum_fits(total->word - other.word))
		total->word -= other.word;
	else
		sum_add_wide(pool, total, other, -1);
}

/*
 * Give a total's wide part back.  *total becomes 0.
 *
 * Errors: none.
 */
void sum_clear(struct sum_pool *pool, struct total *total);

/*
 * Pack a total, to keep it elsewhere; take it out again.
 *
 * Owns:   *total is zeroed or was a total; its wide part is freed.
 * Errors: if what was packed is bad, *total becomes 0 and u->bad is set.
 */
void sum_pack(const struct sum_pool *pool, struct total total,
    struct buffer *b);
void sum_unpack(struct sum_pool *pool, struct total *total, struct unpacker *u);

/* The total divided by n, as near as doubles come. */
double sum_mean(const struct sum_pool *pool, struct total total, int64_t n);

/*
 * Append a total as a JSON number: an integer of up to 128 bits in full,
 * anything else as the double that is nearest to it.
 */
void sum_put(const struct sum_pool *pool, struct buffer *b, struct total total);

#endif
