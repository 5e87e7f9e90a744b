/*
 * output_state - how long an output is, kept in a store, so that what was
 * written after the last commit can be cut off.
 *
 * Not every file of its name is the one that was written to: it is known by
 * its last bytes at that commit.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_OUTPUT_STATE_H
#define STATE_OUTPUT_STATE_H

#include "io/output.h"
#include "state/store.h"

struct output_state {
	struct output *out;
	struct store *store; /* NULL: nothing is kept */
	int64_t length;	     /* at the last commit; -1: it is no regular file */
	int reader;	     /* of the file; -1: it cannot be read */
	char *length_name, *hash_name; /* of the values */
};

/*
 * Go on in an output, where the last commit left it; with store NULL where it
 * is.
 *
 * Shape:  out is open for appending.
 * Owns:   out and store are kept.
 * Errors: none; warns of a file that is another one, or was cut, and goes on
 *         at its end.
 */
void output_state_open(struct output_state *s, struct store *store,
    struct output *out);
void output_state_fini(struct output_state *s);

/*
 * Write what has been assembled and let it reach the disk, then put how long
 * the file is into the store; _committed when that has been committed.
 *
 * Errors: none; stops the program where it cannot be written.
 */
void output_state_save(struct output_state *s);
void output_state_committed(struct output_state *s);

/* Cut off what was written after the last commit. */
void output_state_cut(struct output_state *s);

#endif
