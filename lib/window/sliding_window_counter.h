/*
 * sliding_window_counter - count per key in a window of n slots, which moves by
 * one slot at a time.
 *
 * Boundary b is the start of slot b, and the window that ends there has the
 * slots b-n .. b-1.  The caller numbers the slots, asks for the next boundary
 * whose window has rows, and moves there when time has come so far.
 *
 * Source: SlidingWindowCounter of storm-starter.  It counts only in the newest
 *         slot and needs two of them; here a window can have one slot (a
 *         tumbling window).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLIDING_WINDOW_COUNTER_H
#define WINDOW_SLIDING_WINDOW_COUNTER_H

#include "window/slot_counter.h"

struct sliding_window_counter {
	struct slot_counter counter;
	int64_t nslots;
	int64_t reached; /* the last boundary that time has reached */
	/* When the window that ends with this slot has come, all were in one. */
	int64_t last;
	bool started;  /* reached is set */
	bool any;      /* last is set */
	bool reported; /* a window was, since the state was last written */
};

/*
 * Begin, with nothing counted.
 *
 * Shape:  nslots >= 1; aggregates as for slot_counter_init.
 * Errors: none.
 */
void sliding_window_counter_init(struct sliding_window_counter *w,
    int64_t nslots, struct aggregates *aggregates);
void sliding_window_counter_fini(struct sliding_window_counter *w);

/*
 * Count a tuple in its slot, see slot_counter_add.
 *
 * Errors: false if the tuple is late: time has reached the end of the last
 *         window that the slot is in; or if the limit refuses its key.  It is
 *         not counted then.
 */
bool sliding_window_counter_add(struct sliding_window_counter *w,
    const struct key *key, int64_t slot, const struct number *x);

/*
 * Find the next boundary, after the one that was reached, whose window has a
 * row.
 *
 * Errors: false if nothing that was counted so far gives a row.
 */
bool sliding_window_counter_next(const struct sliding_window_counter *w,
    int64_t *boundary);

/*
 * Move to the boundary that _next has found, and call fn for each row of the
 * window that ends there.
 */
void sliding_window_counter_advance(struct sliding_window_counter *w,
    int64_t boundary, slot_counter_fn *fn, void *arg);

/*
 * Append the text of a total that is being reported.
 */
static inline void
sliding_window_counter_put_total(const struct sliding_window_counter *w,
    struct buffer *b, struct total total)
{
	sum_put(&w->counter.sums, b, total);
}

/* How many keys there are. */
static inline size_t
sliding_window_counter_live(const struct sliding_window_counter *w)
{
	return slot_counter_live(&w->counter);
}

static inline void
sliding_window_counter_look_ahead(const struct sliding_window_counter *w,
    struct keys_ahead *ahead, struct tuple *const *tuples, size_t n,
    size_t first, size_t nfields)
{
	keys_look_ahead(ahead, &w->counter.keys, tuples, n, first, nfields);
}

/* Note that time has reached a boundary; earlier ones change nothing. */
void sliding_window_counter_reach(struct sliding_window_counter *w,
    int64_t boundary);

#endif
