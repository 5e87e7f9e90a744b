/*
 * input_state - how far inputs were read, in a table of a store, and where
 * to begin with them the next time.
 *
 * Regular files are resumed where they were left, by name or by inode, if
 * what was read of them is still there.  What a pipe sends is new, unless
 * it is to be sent again: then what was read is passed over, and its hash
 * compared.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_STATE_H
#define STATE_INPUT_STATE_H

#include "base/hash.h"
#include "io/input.h"
#include "state/file_position.h"
#include "state/store.h"

/* A file or pipe that was read, now or in an earlier run. */
struct input_source {
	struct file_position position;
	struct span stream, path;
	bool claimed; /* by an operand of this run */
	bool changed; /* since the last save */
};

/* One of the inputs that are read side by side. */
struct input_reading {
	struct input_state *all;
	struct input *in;
	struct span stream; /* its name; empty where there is but one */
	struct input_hooks hooks;
	size_t *claims;	    /* by operand: its source, plus 1 */
	XXH3_state_t *hash; /* of what the open pipe has sent */
	int64_t passed;	    /* bytes in it */
};

struct input_state {
	bool replay;	/* pipes send again what was read before */
	bool keep_last; /* a last line without newline waits for its rest */
	struct input_reading *readings;
	size_t nreadings;
	struct store_table *table;
	struct input_source *sources;
	size_t nsources, cap;
	size_t *dirty; /* sources to be put, for a moment */
	size_t ndirty, dirty_cap;
};

/*
 * Get ready for inputs whose streams, if there are several, have names.
 *
 * Shape:  replay and keep_last are set, all else is zero.
 * Owns:   inputs are kept, not copied.
 */
void input_state_open(struct input_state *s, struct store *store,
    struct input *const *inputs, const struct span *streams, size_t n);
void input_state_fini(struct input_state *s);

/*
 * Let each input begin where it was left.
 *
 * Shape:  nothing has been read yet.
 */
void input_state_resume(struct input_state *s);

/* Bring the store up to date with how far each input has been used. */
void input_state_save(struct input_state *s);

/* How many bytes have been read in this run. */
uint64_t input_state_bytes(const struct input_state *s);

#endif
