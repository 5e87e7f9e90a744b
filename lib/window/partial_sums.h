/*
 * partial_sums - for each key, the latest value that each source has reported,
 * and the sum of these (rollagg).
 *
 *	keys    "the"          sum 11, of 2 parts
 *	parts   "the", task 0      7
 *		"the", task 2      4
 *	batch   "the", and the row that reported it last
 *
 * A part that is 0 is deleted.  A key without parts is deleted after its sum,
 * 0, was reported.  An update takes constant time, however many sources a key
 * has.
 *
 * Source: RollingCountAggBolt of storm-starter, which forgets nothing and
 *         tells a sum at each report, half-updated ones too.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_PARTIAL_SUMS_H
#define WINDOW_PARTIAL_SUMS_H

#include "base/hash_map.h"
#include "base/sum.h"
#include "tuple/key.h"
#include "tuple/key_limit.h"

struct partial_sums {
	struct hash_map keys;	 /* to struct key_state */
	struct hash_map parts;	 /* key and source to struct total */
	struct key_limit *limit; /* NULL: none; may be set after init */
	struct sum_pool sums;
	struct buffer place; /* of the part at hand */
	struct report {
		uint32_t key;
		uint64_t source;   /* its hash */
		size_t at, n, cap; /* the row in text */
		size_t value_at;   /* where the sum goes, in the row */
	} * reports;
	size_t nreports, reports_cap;
	/* Some rows of a key, of one batch and two sources, differ in more. */
	bool differ;
	struct buffer text;
};

void partial_sums_init(struct partial_sums *p);
void partial_sums_fini(struct partial_sums *p);

/*
 * Set the value that a source has for a key.
 *
 * Shape:  before and after are the bytes of the row around the sum.
 * Owns:   copies all.
 * Errors: false if the limit refuses the key.  Nothing is changed then.
 */
bool partial_sums_put(struct partial_sums *p, const struct key *key,
    const struct key *source, const struct number *value, struct span before,
    struct span after);

/*
 * Call fn for each key that was set since the last time, in the order in which
 * they first were, with its last row.
 *
 * Owns:   sum is valid during the call; partial_sums_put_sum writes it.
 * Errors: none.
 */
typedef void (*partial_sums_fn)(void *self, struct span before,
    struct total sum, struct span after);
void partial_sums_report(struct partial_sums *p, partial_sums_fn fn,
    void *self);

/* Append the sum that fn was called with. */
static inline void
partial_sums_put_sum(const struct partial_sums *p, struct buffer *b,
    struct total sum)
{
	sum_put(&p->sums, b, sum);
}

/* _changed: keys set since the last report.  _live: all keys. */
static inline size_t
partial_sums_changed(const struct partial_sums *p)
{
	return p->nreports;
}

static inline size_t
partial_sums_live(const struct partial_sums *p)
{
	return p->keys.live;
}

#endif
