/*
 * multilang_runner - run a bolt in a Storm topology, as the program of a
 * ShellBolt.
 *
 * Tuples come in and rows go out with the fields that the topology declares.
 * Storm is told which tuples are acked and which have failed, and has the spout
 * send the latter again.  The bolt runs until its input ends.
 *
 * Source: ShellBolt, and the official adapters for other languages.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_MULTILANG_RUNNER_H
#define STORM_MULTILANG_RUNNER_H

#include "bolt/bolt.h"
#include "tuple/options.h"

struct multilang_runner {
	const char *command; /* its name */
	const struct projection *projection;
	const struct bolt *bolt;
	/*
	 * The bolt's streams, each COMPONENT or COMPONENT:STREAM; with none,
	 * all tuples are of one stream.
	 */
	char *const *streams;
	size_t nstreams;
	const char *stats;   /* NULL: none; "": to stderr */
	int64_t max_message; /* bytes */
};

/*
 * Run the bolt until Storm closes stdin.  Returns the exit status.
 *
 * Shape:  the projection is compiled.
 * Errors: none; a mistake from which it cannot go on stops the program with a
 *         message and status 2.
 */
int multilang_runner_run(const struct multilang_runner *runner);

#endif
