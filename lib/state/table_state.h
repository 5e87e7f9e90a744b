/*
 * table_state - what the tables of a join hold, the tuples that wait for their
 * time, and the watermark, in two tables of a store.
 *
 * The part's SQL table has one row per row of a join table: its stream, the
 * fields of the key, timeNanos and the tuple.  The one with the suffix _waiting
 * has one per tuple that waits: _order, tuple and timeNanos.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_TABLE_STATE_H
#define STATE_TABLE_STATE_H

#include "join/table_join.h"
#include "state/join_state.h"

struct table_state {
	struct join_state base; /* its join and its table are not used */
	struct table_join *join;

	struct store_table *rows, *waiting;
	size_t stream; /* whose rows are being put */
};

/*
 * Open the tables of a store, and go on from what is in them; names are the
 * columns of the key.
 *
 * Shape:  base and join are set; the join holds nothing.
 * Errors: stops the program if what the store has cannot be right.
 */
void table_state_open(struct table_state *s, struct store *store,
    const struct span *names);
void table_state_save(struct table_state *s, struct store *store);

#endif
