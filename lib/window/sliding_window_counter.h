/*
 * sliding_window_counter - counts per key in a window of n slots that moves
 * on by one slot at a time.
 *
 * A boundary b lies at the start of slot b; the window that ends there is
 * the slots b-n .. b-1.  Time is the caller's: it numbers slots, says how
 * far time has come, and asks which boundary is the next at which a key has
 * something to say.
 *
 * Source: SlidingWindowCounter of storm-starter, which knows only the slot
 *         at the head and demands two slots; one will do here (a tumbling
 *         window).
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
	int64_t last;	 /* the greatest slot ever counted in */
	bool started;	 /* reached is set */
	bool any;	 /* last is set */

	/* For keeping it elsewhere; both are for the keeper to reset. */
	int64_t touched; /* the least slot counted in; INT64_MAX: none */
	bool reported;
};

/*
 * Shape:  nslots >= 1.
 */
void sliding_window_counter_init(struct sliding_window_counter *w,
    int64_t nslots);
void sliding_window_counter_fini(struct sliding_window_counter *w);

/*
 * Count a tuple in its slot, see slot_counter_add.
 *
 * Errors: false where time has reached the end of the last window that the
 *         slot is in: the tuple is late and not counted.
 */
bool sliding_window_counter_add(struct sliding_window_counter *w,
    const struct key *key, int64_t slot, const struct number *x);

/*
 * Tell at which boundary after the one reached a key has something to say.
 *
 * Errors: false where no key has, ever, unless more is counted.
 */
bool sliding_window_counter_next(const struct sliding_window_counter *w,
    int64_t *boundary);

/*
 * Move to a boundary that _next told and report the window that ends there.
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

/* How many keys there are; where they are looked up, for keys_look_ahead. */
static inline size_t
sliding_window_counter_live(const struct sliding_window_counter *w)
{
	return w->counter.keys.live;
}

static inline const struct hash_map *
sliding_window_counter_keys(const struct sliding_window_counter *w)
{
	return &w->counter.keys;
}

/* Note that time has reached a boundary, if that is news. */
void sliding_window_counter_reach(struct sliding_window_counter *w,
    int64_t boundary);

#endif
