/*
 * join_state - what waits in a join, and the watermark it goes by, in a
 * table of a store.
 *
 * A row for each tuple that waits, in the order of arrival:
 *	_order	  the place in it
 *	KEY...	  the fields of the key
 *	stream	  the name of its stream
 *	tuple	  the whole tuple, as it came
 *	timeNanos its time
 *	_since	  the time, and
 *	_first	  the order of the first to arrive of the key, if that is
 *		  another one
 *	_joined	  it was in some row
 *	_fields	  where in the tuple the fields are that rows need
 *	_spelling the key as it was first written, where that differs
 *
 * A commit writes what has come and deletes what has gone since the last
 * one, whatever the number of tuples that wait.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_JOIN_STATE_H
#define STATE_JOIN_STATE_H

#include "join/join.h"
#include "join/stream_names.h"
#include "state/store.h"
#include "tuple/watermark.h"

struct join_state {
	struct join *join;
	struct watermark *watermark;
	const struct stream_names *names;
	size_t nkeys;

	struct store_table *table;
	struct key key;
	struct join_field *fields;
	bool has_fields; /* those that are stored are as many, and the same */
};

/*
 * Open the table of a store, and let all that is in it wait; names are the
 * columns of the key.
 *
 * Shape:  join, watermark, names and nkeys are set; nothing waits.
 */
void join_state_open(struct join_state *s, struct store *store,
    const struct span *names);
void join_state_save(struct join_state *s, struct store *store);
void join_state_fini(struct join_state *s);

#endif
