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
 * Write what the spout gives to stdout, or send it through Storm.
 *
 * Owns:   the spout's functions free what is its own.
 * Errors: the exit status; a mistake in the command line, and what cannot be
 *         written, end the program with a message and status 2.
 */
int spout_main(const struct command *command, struct spout *spout, int argc,
    char *argv[]);

#endif
