/*
 * input_state - how far inputs were read, kept in a store, and where to begin
 * with them the next time.
 *
 * Regular files are resumed where they were left, under whatever name they are
 * found again, see input_match.  What a pipe sends is new, unless it is to be
 * sent again: then what was read is passed over, and its hash compared.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_STATE_H
#define STATE_INPUT_STATE_H

#include "base/hash.h"
#include "io/input.h"
#include "state/input_match.h"

/* One of the inputs that are read side by side. */
struct input_reading {
	struct input_state *all;
	struct input *in;
	struct input_hooks hooks;
	struct input_operand *operands; /* one for each name of in */
	struct content content;		/* what was used of the open file */
	XXH3_state_t *hash;		/* of all of that, if it is a pipe */
	struct content_mark long_line;	/* where one begins that is not used */
	struct stat opened;		/* what the open file was, */
	bool used_up; /* which is compressed, and was used up before */
};

struct input_state {
	bool replay;	/* pipes send again what was read before */
	bool keep_last; /* a last line without newline waits for its rest */
	bool urgent;	/* what was read of a file is not there any more */
	struct input_reading *readings;
	size_t nreadings;
	struct input_operand *operands; /* of all readings */
	struct input_records records;
};

/*
 * Get ready for inputs whose streams, if there are several, have names.
 *
 * Shape:  replay and keep_last are set, all else is zero.
 * Owns:   inputs are kept, not copied.
 * Errors: stops the program, see input_records_open and input_match_all.
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
