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
 *	_spelling the key as it was first written, where that differs
 *
 * A commit writes what has come and deletes what has gone since the last
 * one, whatever the number of tuples that wait.  The tuples are scanned again
 * when they are read, so that nothing has to be believed of what is in them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_JOIN_STATE_H
#define STATE_JOIN_STATE_H

#include "join/join.h"
#include "join/stream_names.h"
#include "state/store.h"
#include "tuple/stored_key.h"
#include "tuple/watermark.h"

struct join_state {
	struct join *join;
	struct watermark *watermark;
	const struct stream_names *names;
	size_t nkeys;
	const struct projection *projection;

	/*
	 * Make of a tuple what it was when it came: its key, and the fields of
	 * part, whose line, stream and time are set.  False: it was not that.
	 */
	bool (*read)(void *self, const struct tuple *t, struct key *key,
	    struct join_part *part);
	void *self;
	uint64_t *order; /* of the tuple that comes next */

	struct store_table *table;

	/* What is being read. */
	struct stored_key stored; /* as it was first written */
	struct key key;		  /* as it is in the tuple */
	struct buffer line, scratch;
	struct value *slots;
};

/*
 * Open the table of a store, and let all that is in it wait; names are the
 * columns of the key.
 *
 * Shape:  all that stands above the table in the struct is set; nothing
 *         waits.
 * Errors: stops the program where what the store has cannot be right.
 */
void join_state_open(struct join_state *s, struct store *store,
    const struct span *names);
void join_state_save(struct join_state *s, struct store *store);
void join_state_fini(struct join_state *s);

#endif
