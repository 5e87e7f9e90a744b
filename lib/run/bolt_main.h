/*
 * bolt_main - the main function of a command that is a bolt: reads the command
 * line and has the bolt driven, in a shell pipeline or, with --multilang, by
 * Storm.
 *
 *	int
 *	main(int argc, char *argv[])
 *	{
 *		struct keep k = { 0 };
 *		struct bolt bolt = { .self = &k, .prepare = prepare, ... };
 *
 *		return bolt_main(&command, &bolt, argc, argv);
 *	}
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_BOLT_MAIN_H
#define RUN_BOLT_MAIN_H

#include "bolt/bolt.h"
#include "tuple/options.h"

/*
 * For a command's tables: the options of every command that reads, and of
 * those that Storm can drive.
 */
extern const struct option_spec bolt_main_options[], bolt_main_storm_options[];

/*
 * Run a bolt over the files that the operands name, or stdin if there are
 * none; or under Storm.  Returns the exit status.
 *
 * Owns:   the bolt's cleanup frees what it holds.
 * Errors: none; stops the program with a message and status 2 if it cannot
 *         go on: a mistake in the command line, a file that cannot be read, a
 *         full disk.
 */
int bolt_main(const struct command *command, struct bolt *bolt, int argc,
    char *argv[]);

#endif
