/*
 * repeat_state - which keys have been passed on, and when, in a table of a
 * store.
 *
 * A row for each that is remembered: timeMillis, then the fields of the key.
 * A commit writes what has come since the last one, and deletes all rows before
 * a time, which are forgotten.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_REPEAT_STATE_H
#define STATE_REPEAT_STATE_H

#include "join/repeats.h"
#include "state/store.h"
#include "tuple/stored_key.h"
#include "tuple/watermark.h"

struct repeat_state {
	struct repeats *repeats;
	struct watermark *watermark; /* in milliseconds */
	bool several; /* it has several streams, which are kept elsewhere */
	size_t nkeys;

	struct store_table *table;
	struct stored_key key;	  /* of the row that is being read */
	struct repeats_near near; /* to that */
};

/*
 * Open the table of a store and remember all that is in it; names are the
 * columns of the key.
 *
 * Shape:  all that stands above the table in the struct is set; nothing is
 *         remembered.
 * Errors: stops the program if what the store has cannot be right.
 */
void repeat_state_open(struct repeat_state *s, struct store *store,
    const struct span *names);
void repeat_state_save(struct repeat_state *s, struct store *store);
void repeat_state_fini(struct repeat_state *s);

#endif
