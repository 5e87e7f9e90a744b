/*
 * join_state - keep the tuples that wait in a join, and its watermark, in a
 * store.
 *
 * The table has a row for each tuple that waits:
 *	_order	  the place in the order of arrival
 *	KEY...	  the fields of the key
 *	stream	  the name of its stream
 *	tuple	  the whole tuple, as it came
 *	timeNanos its time
 *	_since	  the time, and
 *	_first	  the order of the first tuple of the key to arrive, if that
 *		  is another tuple
 *	_joined	  whether it was in a row
 *	_spelling the key as it was first written, if that differs
 *
 * A commit writes only the tuples that have come, and deletes those that are
 * gone, since the last one.  Tuples are scanned again when they are read, so
 * that the file need not be trusted.
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
	 * Make the key of a tuple that was stored, and its part, which is
	 * valid until the next call.  Return NULL if the tuple has no key, or
	 * another stream or time.
	 */
	struct join_part *(*read)(void *self, const struct tuple *t,
	    size_t stream, int64_t time, struct key *key);
	void *self;
	uint64_t *order; /* that the next tuple will have */

	struct store_table *table;

	/* The row that is being read. */
	struct stored_key stored; /* the key as it was first written */
	struct key key;		  /* the key as it is in the tuple */
	struct buffer line, scratch;
	struct value *slots;
};

/*
 * Open the table, and put all its tuples back into the join.
 *
 * Shape:  the members above `table` are set; no tuple waits.  names are the
 *         columns of the key.
 * Errors: none; stops the program if the state is damaged.
 */
void join_state_open(struct join_state *s, struct store *store,
    const struct span *names);
void join_state_fini(struct join_state *s);

/* Put the changes since the last save into the store. */
void join_state_save(struct join_state *s, struct store *store);

/*
 * For table_state: scan a line of the store, save the watermark and restore it.
 *
 * Errors: false if the line is no tuple.
 */
bool join_state_scan(struct join_state *s, const struct stored_value *line,
    struct tuple *t);
void join_state_save_watermark(const struct join_state *s, struct store *store);
void join_state_restore_watermark(struct join_state *s, struct store *store);

#endif
