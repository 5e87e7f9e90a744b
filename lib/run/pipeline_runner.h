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
#include "io/part_files.h"
#include "io/workers.h"
#include "tuple/options.h"

/* The options of every command that reads; what those have that Storm runs. */
extern const struct option_spec pipeline_runner_options[],
    pipeline_runner_storm_options[];

/* What is special to one command. */
struct pipeline_runner {
	const struct command *command;
	const struct bolt *bolt;
	const char *side; /* the file for late or failed tuples; NULL: none */
	const char *side_option; /* by which option */
	bool lateness_helps;	 /* a longer -l would keep late tuples */
	/*
	 * The names of the files, if each is a stream of its own; else NULL.
	 * If the bolt has time_of, the stream whose next tuple is oldest goes
	 * first, and one that has nothing to read is waited for so long; else
	 * they go in turn.
	 */
	const struct span *streams;
	int64_t idle_ms;
	const char *operands; /* that a state is begun with; or NULL */

	/* Where the bolt sends tuples besides stdout; NULL: nowhere. */
	struct workers *workers; /* nworkers of worker_argv are started */
	char *const *worker_argv;
	size_t nworkers;
	const char *worker_tag;
	enum merger_order worker_order;
	struct part_files *parts; /* with --files; opened by the runner */
};

/* Tell whether --stats was given. */
bool pipeline_runner_has_stats(void);

/*
 * Tell whether --multilang was given: Storm runs the bolt.
 */
bool pipeline_runner_is_multilang(void);

/*
 * Run the bolt over the named files, stdin where there are none; or under
 * Storm, where side_by_side files are components and their streams.
 *
 * Errors: the exit status; what leaves no way on (a file that cannot be
 *         read, a full disk) ends the program with a message and status 2.
 */
int pipeline_runner_run(const struct pipeline_runner *runner,
    char *const *files, size_t nfiles);

#endif
