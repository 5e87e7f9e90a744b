/*
 * window_state - a sliding window counter in the tables of a store: the
 * cells, which can be looked at, and the keys with what they are to the
 * window, in the order in which they came.
 *
 * A commit writes the slots that were counted in since the last one, all keys
 * if some window was reported since, and else those that are new.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_WINDOW_STATE_H
#define STATE_WINDOW_STATE_H

#include "base/packed.h"
#include "state/store.h"
#include "tuple/stored_key.h"
#include "window/sliding_window_counter.h"
#include "window/slot_times.h"
#include "window/time_tracker.h"

struct window_state {
	struct sliding_window_counter *window;
	size_t nkeys;
	struct slot_times *times;
	bool sums; /* of any numbers; else of ones */

	struct store_table *cells, *keys;
	uint32_t end;		  /* all keys below this id are stored */
	int64_t nstored;	  /* and are so many */
	struct window_cell *list; /* what is being written */
	size_t n, cap;
	struct buffer text, exact;
	struct buffer passed; /* slots ahead that time has passed */

	/* What is being read. */
	struct stored_key key;
	struct unpacker next_passed;
	int64_t passed_slot; /* the next of them; INT64_MAX: none */
	bool ahead;	     /* the cells of those; else of all others */
	int64_t tuples;	     /* in the cells so far, where they are counts */
};

/*
 * Open the tables of a store, and fill the window, which is empty, from
 * them; names are the columns of the key.  _load does so once the start of
 * times is known.
 *
 * Shape:  window, nkeys, times and sums are set.
 * Errors: _load stops the program where what the store has cannot be right.
 */
void window_state_open(struct window_state *s, struct store *store,
    const struct span *names);
void window_state_load(struct window_state *s, struct store *store);
void window_state_save(struct window_state *s, struct store *store);
void window_state_fini(struct window_state *s);

/*
 * The times at which slots were closed by hand; _load_ticks sets a tracker of
 * n of them up if there are any.
 */
void window_state_save_ticks(struct store *store, const struct time_tracker *t);
void window_state_load_ticks(struct store *store, struct time_tracker *t,
    size_t n);

#endif
