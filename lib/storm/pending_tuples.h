/*
 * pending_tuples - the tuples that a spout has sent and that are not acked yet,
 * oldest first, and those of them that have failed and are to be sent again.
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
	int64_t again_ms; /* when to send it again; 0: it has not failed */
	struct buffer line;
	/* Links, indexes plus 1: by age; of failed ones, by again_ms. */
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

/* Add a tuple, as the newest.  Owns: copies line. */
void pending_tuples_add(struct pending_tuples *p, uint64_t number,
    int64_t place, struct span line);

/*
 * The tuple of a number; the oldest tuple.
 *
 * Owns:   valid until the next _add.
 * Errors: NULL if there is none.
 */
struct pending_tuple *pending_tuples_find(const struct pending_tuples *p,
    uint64_t number);
struct pending_tuple *pending_tuples_oldest(const struct pending_tuples *p);

/* Remove a tuple, which is not waiting to be sent again. */
void pending_tuples_drop(struct pending_tuples *p, struct pending_tuple *t);

/*
 * Note that a tuple has failed and is to be sent again at again_ms, which is
 * not before that of a tuple that failed earlier.
 */
void pending_tuples_fail(struct pending_tuples *p, struct pending_tuple *t,
    int64_t again_ms);

/*
 * Get a failed tuple whose time to be sent again has come.  It counts as sent.
 *
 * Errors: NULL if there is none.
 */
struct pending_tuple *pending_tuples_again(struct pending_tuples *p,
    int64_t now_ms);

#endif
