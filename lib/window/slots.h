/*
 * slots - what is kept of numbered periods of time: found by number, and
 * taken in the order of the numbers.
 *
 * A slot is first ahead, then open, then deleted.  What is in it is its
 * owner's: a value of the owner's size.
 *
 *	numbers	    7 ......... 9 | 10 ......... 12
 *		    open          | ahead
 *	            first to close  first to open
 *
 * A number is found by hashing, the least one in a heap.  So a slot is found
 * in the same time whatever the number and the order of slots, and takes the
 * logarithm of their number once to be made, to be opened and to be closed.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOTS_H
#define WINDOW_SLOTS_H

#include "base/hash_map.h"
#include "base/heap.h"

#define SLOTS_NONE HASH_MAP_NONE

/* In front of each value. */
struct slot {
	int64_t number;
	bool open;
};

struct slots {
	struct hash_map map; /* by number; its ids are those of the slots */
	struct heap ahead, open;
};

/*
 * Shape:  values have value_size bytes.
 * Errors: none.
 */
void slots_init(struct slots *s, size_t value_size);
void slots_fini(struct slots *s);

/*
 * Find the slot of a number, or make one that is ahead and whose value is
 * zeroed.
 *
 * Owns:   an id is good until its slot is deleted, a value until the next put.
 * Errors: none.
 */
uint32_t slots_put(struct slots *s, int64_t number);

/*
 * Find the slot of a number.
 *
 * Errors: SLOTS_NONE where there is none.
 */
uint32_t slots_find(const struct slots *s, int64_t number);

static inline struct slot *
slots_get(const struct slots *s, uint32_t id)
{
	return hash_map_value(&s->map, id);
}

static inline void *
slots_value(const struct slots *s, uint32_t id)
{
	return slots_get(s, id) + 1;
}

/*
 * The least number of those ahead, and of all.
 *
 * Errors: INT64_MAX where there is none.
 */
int64_t slots_first_ahead(const struct slots *s);
int64_t slots_first(const struct slots *s);

/*
 * Open the first slot ahead if its number is below one; close the first open
 * slot likewise, for the caller to delete it.
 *
 * Errors: SLOTS_NONE where there is none.
 */
uint32_t slots_open_next(struct slots *s, int64_t below);
uint32_t slots_close_next(struct slots *s, int64_t below);
void slots_del(struct slots *s, uint32_t id);

/*
 * All slots from a number on, in the order of their numbers.
 *
 * Owns:   the caller frees the ids.
 * Errors: none.
 */
uint32_t *slots_from(const struct slots *s, int64_t number, size_t *n);

#endif
