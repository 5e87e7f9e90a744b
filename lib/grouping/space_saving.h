/*
 * space_saving - the frequent keys of a stream, in bounded memory.
 *
 * With c counters each count is at most total / c too high, and every key
 * with a share of more than 1 / c has a counter.  Keys are 64-bit hashes.
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
	} * keys;	 /* by counter */
	uint32_t *slots; /* counter + 1 by key, open addressing; 0: none */
	uint32_t mask;
	uint32_t used; /* counters that have a key */
	uint64_t total;
};

/*
 * Shape:  1 <= ncounters <= 2^24.
 * Errors: none.
 */
void space_saving_init(struct space_saving *s, uint32_t ncounters);
void space_saving_fini(struct space_saving *s);

/*
 * Count key once.  Returns its counter, which it keeps as long as it is
 * frequent; *fresh tells that it has just got it.
 */
uint32_t space_saving_add(struct space_saving *s, uint64_t key, bool *fresh);

/*
 * How often the key of a counter has certainly come: what the estimate may
 * have too much is left out.
 */
static inline uint64_t
space_saving_sure(const struct space_saving *s, uint32_t c)
{
	return stream_summary_count(&s->summary, c) - s->keys[c].error;
}

/*
 * How often the most frequent key has certainly come; 0 before the first.
 * Time proportional to the counters.
 */
uint64_t space_saving_top(const struct space_saving *s);

#endif
