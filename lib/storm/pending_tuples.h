/*
 * pending_tuples - what a spout has sent and nobody has acked yet, oldest
 * first, and of that what has failed and is to be sent again.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_PENDING_TUPLES_H
#define STORM_PENDING_TUPLES_H

#include <stdint.h>

#include "base/hash_map.h"

struct pending_tuple {
	uint64_t number;
	int64_t place; /* in the spout's input */
	int64_t failures;
	int64_t again_ms; /* when it is to be sent again; 0: it is under way */
	struct buffer line;
	/* Indexes, plus 1: by age, and of those that failed, by again_ms. */
	uint32_t older, newer, next_failed;
};

struct pending_tuples {
	struct pending_tuple *list;
	size_t cap, used;
	size_t n;
	struct hash_map numbers; /* to indexes */
	uint32_t free, oldest, newest, first_failed, last_failed;
};

void pending_tuples_init(struct pending_tuples *p);
void pending_tuples_fini(struct pending_tuples *p);

/* Keep a tuple, newer than all others.  Owns: copies line. */
void pending_tuples_add(struct pending_tuples *p, uint64_t number,
    int64_t place, struct span line);

/*
 * The tuple of that number, or the oldest one, or NULL.
 *
 * Owns:   good until the next _add.
 */
struct pending_tuple *pending_tuples_find(const struct pending_tuples *p,
    uint64_t number);
struct pending_tuple *pending_tuples_oldest(const struct pending_tuples *p);

/* Forget a tuple, which is not waiting to be sent again. */
void pending_tuples_drop(struct pending_tuples *p, struct pending_tuple *t);

/* Have a tuple sent again at a time, not before those that failed before. */
void pending_tuples_fail(struct pending_tuples *p, struct pending_tuple *t,
    int64_t again_ms);

/* Take the tuple that is to be sent again by now, or NULL. */
struct pending_tuple *pending_tuples_again(struct pending_tuples *p,
    int64_t now_ms);

#endif
