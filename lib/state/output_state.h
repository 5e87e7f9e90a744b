/*
 * output_state - keep in a store what was written to an output file, so that
 * rows after the last commit can be cut off at the next start.
 *
 * A file is cut only if the rows to cut are certainly this state's: it is the
 * same file (by device and inode), begins and ends as it did at the last
 * commit, and the state has written to it before.  To know this of the first
 * rows too, their beginning is committed before they are written.
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
	bool is_kept; /* it is a regular file, whose state is kept */
	int64_t device, inode;
	int64_t begin;		/* the offset of this state's first row */
	struct content content; /* all that was written */
	struct span first;	/* the first rows, before they are written */
	int64_t committed;	/* length of the committed content */
	bool is_unsure;		/* a commit is under way: do not cut */
	struct buffer old_path; /* of its record, if it had another name */
};

/*
 * Begin to keep the state of an output.  If is_wanted, cut off the rows after
 * the last commit.
 *
 * Shape:  out is open for appending; nothing was written to it.
 * Owns:   out and store are kept, not copied.
 * Errors: none; warns if the file is another one, or was cut, and appends to
 *         it; stops the program if it cannot be read or cut, or if the state
 *         is damaged.
 */
void output_state_open(struct output_state *s, struct store *store,
    struct output *out, bool is_wanted);

/*
 * Tell whether the command's part of the store keeps the state of an output of
 * that name, or of the same file by another name.
 *
 * Errors: none; false if there is no such file, or it cannot be read.
 */
bool output_state_has(struct store *store, const char *name);

/*
 * If the state of the output is kept, write all rows; then it is kept no longer.
 */
void output_state_fini(struct output_state *s);

/*
 * The three steps of a commit.  _sync: write all rows to the disk.  _save: put
 * into the store how much was written.  _committed: the store's commit is done.
 * Between _save and _committed nothing is cut, since it is not known whether
 * the commit holds.
 *
 * Errors: none; stops the program if rows cannot be written.
 */
void output_state_sync(struct output_state *s);
void output_state_save(struct output_state *s);
void output_state_committed(struct output_state *s);

/* Cut off the rows that this process has written after the last commit. */
void output_state_cut(struct output_state *s);

#endif
