/*
 * timed_window_state - keep a timed_window in a store: what it has counted, see
 * window_state, and how far time has come.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_TIMED_WINDOW_STATE_H
#define STATE_TIMED_WINDOW_STATE_H

#include "state/window_state.h"
#include "window/timed_window.h"

/* A zeroed one can be freed. */
struct timed_window_state {
	struct timed_window *window;
	struct window_state counts;
};

/*
 * Go on from what the store has.
 *
 * Shape:  the window is empty; it has nkeys parts in a key, whose columns are
 *         names; sums: it adds numbers up.
 * Owns:   keeps window.
 * Errors: stops the program if the state is damaged.
 */
void timed_window_state_open(struct timed_window_state *s,
    struct timed_window *window, struct store *store, const struct span *names,
    size_t nkeys, bool sums);
void timed_window_state_fini(struct timed_window_state *s);

/* Put the changes since the last save into the store. */
void timed_window_state_save(struct timed_window_state *s, struct store *store);

#endif
