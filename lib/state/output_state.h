/*
 * output_state - what has been written to an output, kept in a store, so that
 * what was written after the last commit can be cut off.
 *
 * A file is cut only where that is known to be of this state: where it is the
 * same file (by device and inode), begins and ends as it did at the last
 * commit, and the state has written to it.  So that this is known of the first
 * rows, too, their beginning is committed before they are written.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_OUTPUT_STATE_H
#define STATE_OUTPUT_STATE_H

#include "io/output.h"
#include "state/content.h"
#include "state/store.h"

struct output_state {
	struct output *out;
	struct store *store;
	struct store_table *table;
	bool is_kept; /* it is a regular file */
	int64_t device, inode;
	int64_t begin;		/* where the rows of this state begin */
	struct content content; /* all that has been written */
	struct span first;	/* the first rows, while they are announced */
	int64_t committed;	/* of the content; the rest can be cut off */
	bool is_unsure; /* what the state says is known at its next start */
};

/*
 * Go on in an output where the last commit left it, if that is wanted.
 *
 * Shape:  out is open, for appending, and nothing has been written.
 * Owns:   out and store are kept.
 * Errors: warns of a file that is another one, or was cut, and goes on at its
 *         end; stops the program where it cannot be read or cut, or what the
 *         store has of it cannot be right.
 */
void output_state_open(struct output_state *s, struct store *store,
    struct output *out, bool is_wanted);

/* Write what has been assembled; the output is then on its own. */
void output_state_fini(struct output_state *s);

/*
 * Before a commit, write what has been assembled and let it reach the disk; put
 * into the store how much that is; _committed when that has been committed.
 * In between nobody knows: nothing is cut off then.
 *
 * Errors: none; stops the program where it cannot be written.
 */
void output_state_sync(struct output_state *s);
void output_state_save(struct output_state *s);
void output_state_committed(struct output_state *s);

/* Cut off what this process has written after the last commit. */
void output_state_cut(struct output_state *s);

#endif
