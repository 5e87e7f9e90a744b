/*
 * slots - values for numbered periods of time, found by number, and opened and
 * closed in the order of the numbers.
 *
 * A slot is first ahead, then open, then deleted.  It holds a value of the
 * owner's.
 *
 *	numbers	    7 ......... 9 | 10 ......... 12
 *		    open          | ahead
 *	            first to close  first to open
 *
 * Slots are found by a hash map, the least number by a heap.  So finding a slot
 * takes constant time; making, opening and closing it is O(log n).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOTS_H
#define WINDOW_SLOTS_H

#include "base/hash_map.h"
#include "base/heap.h"

#define SLOTS_NONE HASH_MAP_NONE

/* What is before each value. */
struct slot {
	int64_t number;
	bool open;
};

struct slots {
	struct hash_map map; /* by number; its ids are those of the slots */
	struct heap ahead, open;
};

/*
 * Begin, with no slots, whose values have value_size bytes.
 *
 * Errors: none.
 */
void slots_init(struct slots *s, size_t value_size);
void slots_fini(struct slots *s);

/*
 * Find the slot of a number; if there is none, make one, which is ahead and has
 * a zeroed value.
 *
 * Owns:   an id is valid until its slot is deleted, a value until the next put.
 * Errors: none.
 */
uint32_t slots_put(struct slots *s, int64_t number);

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
 * The least number of a slot that is ahead; the least of all slots.
 *
 * Errors: INT64_MAX if there is none.
 */
int64_t slots_first_ahead(const struct slots *s);
int64_t slots_first(const struct slots *s);

/*
 * Open the first slot that is ahead; close the first open one, which the caller
 * then deletes.  Only a slot whose number is less than below counts.
 *
 * Errors: SLOTS_NONE if there is none.
 */
uint32_t slots_open_next(struct slots *s, int64_t below);
uint32_t slots_close_next(struct slots *s, int64_t below);
void slots_del(struct slots *s, uint32_t id);

/*
 * List all slots in the order of their numbers.
 *
 * Owns:   the caller frees the array of *n ids.
 * Errors: none.
 */
uint32_t *slots_list(const struct slots *s, size_t *n);

#endif
