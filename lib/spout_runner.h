/*
 * spout_runner - drive a spout in a shell pipeline: its tuples to stdout, at
 * its pace.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SPOUT_RUNNER_H
#define SPOUT_RUNNER_H

#include "buffer.h"
#include "options.h"

/*
 * A source of tuples.
 *
 * Source: Storm's ISpout.
 */
struct spout {
	void *self;
	/* Append the next tuple as a line without newline; false at the end. */
	bool (*next)(void *self, struct buffer *line);
	double rate; /* tuples a second; 0: as fast as they are taken */
};

/* The options of every spout. */
extern const struct option_spec spout_runner_options[];

/*
 * Write what the spout gives to stdout.
 *
 * Errors: the exit status; what cannot be written ends the program with a
 *         message and status 2.
 */
int spout_runner_run(const struct command *command, const struct spout *spout);

#endif
