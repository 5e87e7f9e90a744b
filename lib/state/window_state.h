/*
 * window_state - keep a sliding_window_counter in a store.
 *
 * One table has the cells, the count of each slot and key, for users to query;
 * another has the keys in the order in which they came.  A commit writes the
 * cells of keys that were counted since the last one, in slots that were counted
 * in.  It also writes the new keys, or all keys if a window was reported.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_WINDOW_STATE_H
#define STATE_WINDOW_STATE_H

#include "state/row_order.h"
#include "state/store.h"
#include "tuple/stored_key.h"
#include "window/sliding_window_counter.h"
#include "window/slot_times.h"

struct window_state {
	struct sliding_window_counter *window;
	size_t nkeys;
	struct slot_times *times;
	bool sums; /* cells are sums of a field, not counts */

	struct store_table *cells, *keys;
	uint32_t end;		  /* keys with a lower id are stored */
	int64_t nstored;	  /* how many keys are stored */
	struct window_cell *list; /* the cells that are being written */
	size_t n, cap;
	struct row_order order; /* of list */
	struct buffer text, exact;

	/* The rows that are being read. */
	struct stored_key key;
	int64_t tuples; /* in all cells so far, if they are counts */
};

/*
 * _open: open the tables.  _load: fill the empty window; call it when
 * times->start_ms is set.
 *
 * Shape:  window, nkeys, times and sums are set; names are the columns of the
 *         key.
 * Errors: none; _load stops the program if the state is damaged.
 */
void window_state_open(struct window_state *s, struct store *store,
    const struct span *names);
void window_state_load(struct window_state *s, struct store *store);

/* Put the changes since the last save into the store. */
void window_state_save(struct window_state *s, struct store *store);
void window_state_fini(struct window_state *s);

#endif
