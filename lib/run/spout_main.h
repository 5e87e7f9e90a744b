/*
 * spout_main - the main function of a command that is a spout: reads the
 * command line and has the spout driven, in a shell pipeline (its tuples to
 * stdout, at its pace) or, with --multilang, by Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_SPOUT_MAIN_H
#define RUN_SPOUT_MAIN_H

#include "bolt/spout.h"
#include "tuple/options.h"

/* For a command's tables: the options of every spout, those for Storm. */
extern const struct option_spec spout_main_options[],
    spout_main_storm_options[];

/*
 * Write the spout's tuples to stdout, or send them through Storm.  Returns the
 * exit status.
 *
 * Owns:   the spout's cleanup frees what it holds.
 * Errors: none; stops the program with a message and status 2 for a mistake in
 *         the command line, or if output cannot be written.
 */
int spout_main(const struct command *command, struct spout *spout, int argc,
    char *argv[]);

#endif
