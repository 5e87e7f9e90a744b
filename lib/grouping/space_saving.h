/*
 * space_saving - find the frequent keys of a stream in bounded memory.
 *
 * With c counters, every key with a share of more than 1 / c of the stream has
 * a counter, and no count is more than total / c too high.  Keys are 64-bit
 * hashes.
 *
 * Source: A. Metwally, D. Agrawal, A. El Abbadi, "Efficient computation of
 *         frequent and top-k elements in data streams", ICDT 2005.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_SPACE_SAVING_H
#define GROUPING_SPACE_SAVING_H

#include <stdbool.h>
#include <stdint.h>

#include "grouping/stream_summary.h"

struct space_saving {
	struct stream_summary summary;
	struct space_saving_key {
		uint64_t key, error;
	} * keys;	 /* of each counter */
	uint32_t *slots; /* hash table of counters + 1; 0: empty */
	uint32_t mask;
	uint32_t used; /* counters that have a key */
	uint64_t total;
};

/*
 * Begin, with ncounters counters and no keys.
 *
 * Shape:  1 <= ncounters <= 2^24.
 * Errors: none.
 */
void space_saving_init(struct space_saving *s, uint32_t ncounters);
void space_saving_fini(struct space_saving *s);

/*
 * Count a key once.  Returns the number of its counter; *fresh says whether
 * the counter was another key's, or nobody's, before.
 *
 * Errors: none.
 */
uint32_t space_saving_add(struct space_saving *s, uint64_t key, bool *fresh);

/*
 * How often the key of a counter has come at least: its count, less what the
 * count may be too high.
 */
static inline uint64_t
space_saving_sure(const struct space_saving *s, uint32_t c)
{
	return stream_summary_count(&s->summary, c) - s->keys[c].error;
}

/*
 * How often the most frequent key has come at least; 0 if none has.  Takes time
 * proportional to the number of counters.
 */
uint64_t space_saving_top(const struct space_saving *s);

#endif
