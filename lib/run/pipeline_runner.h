/*
 * pipeline_runner - run a bolt in a shell pipeline: NDJSON from files or stdin,
 * rows to stdout.
 *
 * Here is what all commands share: bad lines are reported and skipped, output
 * is written before waiting and after each tick, signals end the input, and
 * counters, side files and the exit status are kept.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_RUNNER_H
#define RUN_PIPELINE_RUNNER_H

#include "bolt/bolt.h"
#include "io/bad_lines.h"
#include "run/checkpoint.h"
#include "tuple/options.h"

/* The options of every command. */
struct pipeline_settings {
	struct bad_lines_policy bad_lines;
	int64_t threads;   /* 0: as many as there are processors */
	const char *stats; /* NULL: none; "": to stderr */
	bool progress;
	struct checkpoint_settings checkpoint;
};

struct pipeline_runner {
	const struct options *options; /* those of the command */
	const struct projection *projection;
	const struct bolt *bolt;
	const struct pipeline_settings *settings;
	char *const *files; /* stdin if there are none */
	size_t nfiles;
};

/*
 * Run the bolt over the files.  Returns the exit status.
 *
 * Shape:  the projection is compiled.
 * Errors: none; stops the program with a message and status 2 if it cannot
 *         go on, as when the disk is full.
 */
int pipeline_runner_run(const struct pipeline_runner *runner);

#endif
