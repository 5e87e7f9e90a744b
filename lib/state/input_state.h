/*
 * input_state - keep in a store how far inputs were read, and read them on from
 * there in the next run.
 *
 * Regular files are found again even under other names (see input_match).  What
 * a pipe sends is new.  With --replay it sends everything again: then what was
 * read before is skipped, and its hash is compared.
 *
 * What was read of a log has been counted, so its beginning and its end are
 * enough to know it again.  A row of a table can be changed anywhere, and counts
 * then.  So all that was read of its file is compared, by a hash; if it was
 * changed, the file is read from its start: each row replaces that of its key.
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
	struct content content;		/* the used part of the open file */
	XXH3_state_t *hash;		/* of a pipe or table: of all content */
	struct content_mark long_line;	/* the content before a long line */
	int64_t long_line_hash;		/* of a table: of all that content */
	struct stat opened;		/* of the open file */
	bool used_up; /* it is compressed, and was read to its end before */
};

struct input_state {
	bool replay;	/* pipes send everything again */
	bool keep_last; /* a last line without newline waits for its rest */
	bool urgent;	/* a file has lost what was read: save soon */
	/* Of each input: it is a table, as above; NULL: none is. */
	const bool *is_table;
	struct input_reading *readings;
	size_t nreadings;
	struct input_operand *operands; /* of all readings */
	struct input_records records;
};

/*
 * Read the records of n inputs and match them.  streams has the names of their
 * streams, if there are several.
 *
 * Shape:  s->replay, s->keep_last and s->is_table are set, all else is zero.
 * Owns:   inputs and is_table are kept, not copied.
 * Errors: none; stops the program if the state is damaged or a file cannot be
 *         read.
 */
void input_state_open(struct input_state *s, struct store *store,
    struct input *const *inputs, const struct span *streams, size_t n);
void input_state_fini(struct input_state *s);

/*
 * The name that each input had in the last run, to find what is stored under it.
 * A new file gets its present name, or an empty one if that was another input's.
 *
 * Shape:  names has one for each input, which has one operand.
 * Owns:   valid until input_state_fini.
 */
void input_state_names(const struct input_state *s, struct span *names);

/*
 * Make each input go on from where the last run has left it.
 *
 * Shape:  nothing has been read yet.
 */
void input_state_resume(struct input_state *s);

/* Put into the store how far each input has been used. */
void input_state_save(struct input_state *s);

/* How many bytes this run has read. */
uint64_t input_state_bytes(const struct input_state *s);

#endif
