/*
 * stream_summary - counters that are counted up by one and stay sorted by their
 * counts.  Counting and finding the least one take constant time.
 *
 *	buckets   [ 3: 0..1 ] <-> [ 4: 2..4 ] <-> [ 9: 5..5 ]
 *	order      c2 c5           c0 c3 c1        c4
 *
 * Counters with the same count are a bucket, a range of places in the order.  A
 * counter that is counted up changes places with the last of its bucket, and is
 * then at the start of the next bucket.
 *
 * Source: A. Metwally, D. Agrawal, A. El Abbadi, "Efficient computation of
 *         frequent and top-k elements in data streams", ICDT 2005, with
 *         arrays for its lists.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_STREAM_SUMMARY_H
#define GROUPING_STREAM_SUMMARY_H

#include <stdint.h>

struct stream_summary {
	uint32_t n;
	uint32_t *order; /* counters, the least first */
	struct stream_summary_counter {
		uint32_t place, bucket;
	} * counters;
	struct stream_summary_bucket {
		uint64_t count;
		uint32_t first, last;  /* places */
		uint32_t below, above; /* buckets; above also: next free */
	} * buckets;
	uint32_t free;
};

/*
 * Make n counters, all 0.
 *
 * Shape:  n >= 1.
 * Errors: none.
 */
void stream_summary_init(struct stream_summary *s, uint32_t n);
void stream_summary_fini(struct stream_summary *s);

/* Add one to counter c, which is less than n. */
void stream_summary_add(struct stream_summary *s, uint32_t c);

static inline uint64_t
stream_summary_count(const struct stream_summary *s, uint32_t c)
{
	return s->buckets[s->counters[c].bucket].count;
}

/* The least count; *n is how many counters have it, the first in the order. */
static inline uint64_t
stream_summary_least(const struct stream_summary *s, uint32_t *n)
{
	const struct stream_summary_bucket *b =
	    &s->buckets[s->counters[s->order[0]].bucket];

	*n = b->last + 1;
	return b->count;
}

#endif
