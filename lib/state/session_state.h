/*
 * session_state - open sessions in a table of a store, a row for each:
 *
 *	_order	       order of arrival; the key of the table
 *	KEY...
 *	session_start  and session_end: its times
 *	AGGREGATE...   for users to query
 *	_spelling      the key as it is written, if that differs
 *	_exact	       all of its aggregates
 *
 * A commit writes the sessions that tuples have come for since the last one,
 * and deletes those that are no more.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_SESSION_STATE_H
#define STATE_SESSION_STATE_H

#include "state/row_order.h"
#include "state/store.h"
#include "tuple/stored_key.h"
#include "window/sessions.h"

struct session_state {
	struct sessions *sessions;
	size_t nkeys; /* columns of the key */
	struct store_table *table;
	struct row_order order; /* of what is being written */
	struct buffer exact;

	/* The rows that are being read. */
	struct stored_key key;
	int64_t tuples; /* in all of them so far */
};

/*
 * Open the table of a store, and put back all that is in it; names are the
 * columns of the key.
 *
 * Shape:  sessions, which has none, and nkeys are set.
 * Errors: stops the program if what the store has cannot be right.
 */
void session_state_open(struct session_state *s, struct store *store,
    const struct span *names);
void session_state_save(struct session_state *s, struct store *store);
void session_state_fini(struct session_state *s);

#endif
