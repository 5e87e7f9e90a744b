/*
 * pipeline_runner - drive a bolt in a shell pipeline: NDJSON from files or stdin,
 * rows to stdout.
 *
 * What every command has in common lies here: bad lines are reported and
 * skipped, output is flushed before the runner waits and after each tick,
 * signals end the input, and the counters, side files and exit status are
 * kept.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_RUNNER_H
#define RUN_PIPELINE_RUNNER_H

#include "bolt/bolt.h"
#include "io/bad_lines.h"
#include "run/checkpoint.h"
#include "tuple/options.h"

/* What the options say that all commands have in common. */
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
	char *const *files; /* stdin where there are none */
	size_t nfiles;
};

/*
 * Run the bolt over the files.
 *
 * Shape:  the projection is compiled.
 * Errors: the exit status; what leaves no way on (a file that cannot be
 *         read, a full disk) ends the program with a message and status 2.
 */
int pipeline_runner_run(const struct pipeline_runner *runner);

#endif
