/*
 * checkpoint - --state: commits the bolt's state, how far each input was
 * read and how long the output is, in one transaction; and goes on from
 * there the next time.
 *
 * What was written to --output after the last commit is cut off, so from file
 * to file every tuple counts once.
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

/* Complain of options that make no sense without --state. */
void checkpoint_check(const struct checkpoint_settings *settings,
    const struct command *command);

/* Add what rows are written to, and the state. */
void checkpoint_add_uses(const struct checkpoint_settings *settings,
    struct file_uses *uses);

/*
 * For --dump, give the command the options that its state was begun with,
 * where the command line does not.
 */
void checkpoint_recall(const struct checkpoint_settings *settings,
    struct options *given);

/* Where the command's tuples come from, and its rows go. */
struct checkpoint_ends {
	struct input *const *inputs;
	size_t n;
	struct output *out;
};

/*
 * Open the state and go on from it: the bolt is restored, the inputs begin
 * where they were left, the output is cut.  For --dump only the bolt is.
 *
 * Shape:  inputs and output are open, nothing has been read or written;
 *         ends is NULL for --dump.
 * Owns:   keeps the settings, what inputs point to, and out.
 * Errors: stops the program, see store_open.
 */
struct checkpoint *checkpoint_open(const struct checkpoint_settings *settings,
    const struct options *given, const struct bolt *bolt,
    const struct checkpoint_ends *ends);

/* Tell whether a run before has read something; c may be NULL. */
bool checkpoint_goes_on(const struct checkpoint *c);

/*
 * When the next commit is due; INT64_MAX where nothing has happened since
 * the last one.
 */
int64_t checkpoint_due_ms(const struct checkpoint *c);

/* Commit, between two lines. */
void checkpoint_commit(struct checkpoint *c);

/* Write what has been assembled, and close; what was not committed is lost. */
void checkpoint_close(struct checkpoint *c);

#endif
