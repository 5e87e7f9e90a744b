/*
 * slot_counter_internal - what the files of slot_counter share:
 * slot_counter.c counts, opens, wipes and reports, slot_counter_keep.c takes a
 * counter apart and puts it together again, for keeping it elsewhere.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_COUNTER_INTERNAL_H
#define WINDOW_SLOT_COUNTER_INTERNAL_H

#include "window/slot_counter.h"

/*
 * What is kept of a key.  The key itself begins where the padding would be, so
 * never assign to a whole one.
 */
struct counter_key {
	struct total total;	/* over the open slots */
	struct total count;	/* in its newest slot */
	uint32_t slot;		/* the newest slot's id, plus 1; 0: none */
	uint32_t cell;		/* its cell there */
	uint32_t open_or_shown; /* KEY_OPEN for each open slot that has it */
};

enum {
	KEY_SHOWN = 1,
	KEY_OPEN = 2,
	KEY_BYTES =
	    offsetof(struct counter_key, open_or_shown) + sizeof(uint32_t),
};

static inline struct slot_cells *
counter_cells_of(const struct slot_counter *c, uint32_t slot)
{
	return slots_value(&c->slots, slot);
}

static inline struct counter_key *
counter_key_of(const struct slot_counter *c, uint32_t key)
{
	return hash_map_value(&c->keys, key);
}

/* With aggregates, the panes of a key come after it. */
static inline struct panes *
counter_panes_of(const struct slot_counter *c, uint32_t key)
{
	return (struct panes *)(counter_key_of(c, key) + 1);
}

/* Note whether the last report had the key. */
static inline void
counter_set_shown(struct slot_counter *c, struct counter_key *k, bool shown)
{
	c->nshown -= k->open_or_shown & KEY_SHOWN;
	k->open_or_shown = (k->open_or_shown & ~(uint32_t)KEY_SHOWN) | shown;
	c->nshown += shown;
}

/* The place of the count of a cell of the slot. */
static inline struct total *
counter_count_at(struct slot_counter *c, uint32_t slot, uint32_t cell)
{
	struct slot_cells *s = counter_cells_of(c, slot);
	struct counter_key *k = counter_key_of(c, s->keys[cell]);

	return k->slot == slot + 1 ? &k->count : slot_cells_count(s, cell);
}

/* The place of a key's count in a slot; if there is none, it is made. */
struct total *slot_counter_find_count(struct slot_counter *c, uint32_t key,
    uint32_t slot);

#endif
