/*
 * pipe_runner - drive a bolt, or a spout, in a shell pipeline: NDJSON from
 * files or stdin, rows to stdout.
 *
 * What every command has in common lies here: bad lines are reported and
 * skipped, output is flushed before the runner waits and after each tick,
 * signals end the input, and the counters, side files and exit status are
 * kept.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef PIPE_RUNNER_H
#define PIPE_RUNNER_H

#include "bolt.h"
#include "options.h"
#include "workers.h"

/* The options of every command that reads. */
extern const struct option_spec pipe_runner_options[];
extern const size_t pipe_runner_noptions;

/* What is special to one command. */
struct pipe_runner {
	const struct command *command;
	const struct bolt *bolt;
	const char *late; /* where late tuples are kept; NULL: nowhere */
	/* Append further members for --stats, each after a comma; or NULL. */
	void (*report)(const void *self, struct buffer *members);

	/* Where the bolt sends tuples besides stdout; NULL, or 0 of them. */
	struct workers *workers; /* nworkers of worker_argv are started */
	char *const *worker_argv;
	size_t nworkers;
	const char *worker_tag;
	enum merger_order worker_order;
	struct output *parts;
	size_t nparts;
};

/* Tell whether --stats was given. */
bool pipe_runner_has_stats(void);

/*
 * Run the bolt over the named files, stdin where there are none.
 *
 * Errors: the exit status that the command returns from main; what leaves
 *         no way on (a file that cannot be read, a full disk) ends the
 *         program with a message and status 2.
 */
int pipe_runner_run(const struct pipe_runner *runner, char *const *files,
    size_t nfiles);

/* A source of tuples. */
struct spout {
	void *self;
	/* Append the next tuple as a line without newline; false at the end. */
	bool (*next)(void *self, struct buffer *line);
	double rate; /* tuples a second; 0: as fast as they are taken */
};

/* The options of every spout: --stats. */
extern const struct option_spec pipe_spout_options[];
extern const size_t pipe_spout_noptions;

/*
 * Write what the spout gives to stdout, at its rate.
 *
 * Errors: as pipe_runner_run.
 */
int pipe_runner_spout(const struct command *command, const struct spout *spout);

#endif
