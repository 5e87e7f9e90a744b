/*
 * slot_counter - count per key and slot, and keep the total of each key over
 * the slots that are open.
 *
 * Slots are numbered by time; only those that something was counted in exist.
 * A slot is first ahead, then open (its counts are in the totals), then wiped,
 * always in the order of the numbers.
 *
 *	slots     7 ......... 9 | 10 ......... 12      boundary 10
 *	          open          | ahead
 *	cells     a:3 b:1   a:1 | b:2           a:5    (key, count)
 *	totals    a:4 b:1
 *
 * A slot has a cell for each key that was counted in it.  So the time of
 * opening and wiping a slot depends on its cells, and that of a report on its
 * rows, not on the number of slots or keys.  The count of a key's newest slot
 * is in the entry of the key, since the next tuple most likely needs it; it
 * moves to the cells of the slot when the key occurs in a newer slot.
 *
 * A counter can have aggregates beside the counts.  Each cell then also has a
 * value in the panes of its key, and a report has the value over all open
 * slots.
 *
 * Source: SlotBasedCounter of storm-starter, which has an array of all the
 *         slots for each key, and wipes a slot by a walk over all keys.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_COUNTER_H
#define WINDOW_SLOT_COUNTER_H

#include "base/hash_map.h"
#include "base/id_set.h"
#include "base/number.h"
#include "base/sum.h"
#include "tuple/key_limit.h"
#include "window/panes.h"
#include "window/slot_cells.h"
#include "window/slots.h"

struct slot_counter {
	struct hash_map keys;
	struct key_limit *limit; /* NULL: none; may be set after init */
	struct slots slots;	 /* with struct slot_cells */
	size_t ncells;		 /* of all slots */
	struct id_set due;	 /* keys that the next report looks at */
	int64_t last;	    /* number of the slot counted in last, if ahead */
	uint32_t last_slot; /* its id plus 1; 0: there is none */
	uint32_t nopen;	    /* keys that have a count in an open slot */
	uint32_t nshown;    /* keys that were reported, not as gone */
	struct sum_pool sums;
	struct aggregates *aggregates; /* NULL: counts only */
	void *scratch;		       /* a value of theirs */
	int64_t from, below;	       /* the slots that are open */
	bool is_kept; /* for a state, so aggregates stay until they are wiped */
	struct id_set changed; /* if kept: keys counted since the last save */
};

/*
 * Owns:   aggregates, which may be NULL, stay the caller's.
 */
void slot_counter_init(struct slot_counter *c, struct aggregates *aggregates);
void slot_counter_fini(struct slot_counter *c);

/*
 * Count a tuple of a key, or add x if that is not NULL.  Aggregates get the
 * tuple that they have checked last.
 *
 * Owns:   copies the key.
 * Errors: false if the limit refuses the key.  It is not counted then.
 * Source: incrementCount, whose counts wrap.
 */
bool slot_counter_add(struct slot_counter *c, const struct key *key,
    int64_t slot, const struct number *x);

/* Open all slots below the number; wipe all open ones below it. */
void slot_counter_open(struct slot_counter *c, int64_t below);
void slot_counter_wipe(struct slot_counter *c, int64_t below);

/*
 * Call fn for each key that has a count in an open slot, in the order in which
 * the keys came; and once more, with total 0 and farewell set, for each that
 * was reported last time and has none now.  A key that has no counts at all is
 * deleted.
 *
 * Owns:   spelling is valid during the call, and so is value, that of the
 *         aggregates; NULL if there are none, or if farewell is set.
 * Errors: none.
 * Source: getCounts and wipeZeros; here a key whose weights add up to 0 is
 *         still there.
 */
typedef void slot_counter_fn(void *arg, struct span spelling,
    struct total total, const void *value, bool farewell);
void slot_counter_report(struct slot_counter *c, slot_counter_fn *fn,
    void *arg);

/*
 * For saving.  _each_key: keys from id `from`, by arrival.  _each_touched: by
 * slot, the cells that may have changed since the last call: those of keys
 * that were counted, in slots that were counted in.
 *
 * Owns:   counts are the counter's, see sums.  An id is good until the next
 *         report.
 */
typedef void slot_counter_key_fn(void *arg, uint32_t key, bool shown);
typedef void slot_counter_cell_fn(void *arg, uint32_t key, int64_t slot,
    struct total count);
void slot_counter_each_key(struct slot_counter *c, uint32_t from,
    slot_counter_key_fn *fn, void *arg);
void slot_counter_each_touched(struct slot_counter *c, slot_counter_cell_fn *fn,
    void *arg);

/*
 * The canonical bytes of a key, and how it was first spelled; the id above
 * those of all keys.
 *
 * Owns:   the counter's, and good until it changes.
 */
static inline struct span
slot_counter_key(const struct slot_counter *c, uint32_t key)
{
	return hash_map_key(&c->keys, key);
}

static inline struct span
slot_counter_spelling(const struct slot_counter *c, uint32_t key)
{
	return hash_map_label(&c->keys, key);
}

static inline uint32_t
slot_counter_end(const struct slot_counter *c)
{
	return c->keys.end;
}

/*
 * The aggregates of a cell.
 *
 * Owns:   the counter's, and good until it changes.
 */
void *slot_counter_value(struct slot_counter *c, uint32_t key, int64_t slot);

/*
 * Restore into an empty counter, in this order: all keys, by arrival; all cells,
 * by slot; slot_counter_open.
 *
 * Owns:   count is taken over; *value becomes the place for the aggregates of
 *         the cell, if there are any.
 * Errors: false if that cannot have been saved: a key or a cell that is there
 *         already, a cell of no key.
 */
bool slot_counter_put_key(struct slot_counter *c, const struct key *key,
    bool shown);
bool slot_counter_put_cell(struct slot_counter *c, const struct key *key,
    int64_t slot, struct total count, void **value);

/* How many keys there are. */
static inline size_t
slot_counter_live(const struct slot_counter *c)
{
	return c->keys.live;
}

/* Tell whether a report would have a row. */
static inline bool
slot_counter_has_rows(const struct slot_counter *c)
{
	return c->nopen != 0 || c->nshown != 0;
}

/* The number of the first slot of all; INT64_MAX if there is none. */
int64_t slot_counter_first(const struct slot_counter *c);

/*
 * The number of the first slot ahead.
 *
 * Errors: false if there is none.
 */
bool slot_counter_next(const struct slot_counter *c, int64_t *slot);

#endif
