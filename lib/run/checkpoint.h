/*
 * checkpoint - the option --state: commit the bolt's state, how far each input
 * was read, and how long the output is, all in one transaction; and go on from
 * there in the next run.
 *
 * Rows that were written to --output after the last commit are cut off, so from
 * input file to output file every tuple counts exactly once.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_CHECKPOINT_H
#define RUN_CHECKPOINT_H

#include "bolt/bolt.h"
#include "io/file_uses.h"
#include "io/input.h"
#include "io/output.h"
#include "tuple/options.h"

/* What the options say. */
struct checkpoint_settings {
	const char *state; /* NULL: there is none */
	const char *name, *output;
	int64_t commit;
	bool final, replay, dump;
};

/*
 * The options of every command that has a state, and of one that also can
 * dump it; kept in a struct checkpoint_settings.
 */
extern const struct option_spec checkpoint_dump_options[];
#define checkpoint_options (checkpoint_dump_options + 1)

struct checkpoint;

/* Add the files that rows are written to, and the file of the state. */
void checkpoint_add_uses(const struct checkpoint_settings *settings,
    struct file_uses *uses);

/*
 * For --dump: add the options that the state was made with and that the command
 * line does not have.
 */
void checkpoint_recall(const struct checkpoint_settings *settings,
    struct options *given);

/* What the command's tuples come from, and its rows go to. */
struct checkpoint_ends {
	struct input *const *inputs;
	size_t n;
	struct output *out;
};

/*
 * Open the state and go on from it: restore the bolt, resume the inputs, and
 * cut the output.  For --dump only restore the bolt.
 *
 * Shape:  inputs and output are open; nothing was read or written.  ends is
 *         NULL for --dump.
 * Owns:   settings, the inputs and out are kept, not copied; the caller frees
 *         with checkpoint_close.
 * Errors: none; stops the program, see store_open.
 */
struct checkpoint *checkpoint_open(const struct checkpoint_settings *settings,
    const struct options *given, const struct bolt *bolt,
    const struct checkpoint_ends *ends);

/* Tell whether an earlier run has read something; c may be NULL. */
bool checkpoint_goes_on(const struct checkpoint *c);

/* Something has changed although nothing was read, and is to be committed. */
void checkpoint_touch(struct checkpoint *c);

/*
 * When the next commit is due, INT64_MAX if nothing happened since the last.
 * _is_due: whether that time has come.
 */
int64_t checkpoint_due_ms(const struct checkpoint *c);
bool checkpoint_is_due(const struct checkpoint *c, int64_t now_ms);

/* Commit; call it between two lines. */
void checkpoint_commit(struct checkpoint *c);

/* Write all rows and close; changes that were not committed are lost. */
void checkpoint_close(struct checkpoint *c);

#endif
