/*
 * multilang_runner - drive a bolt as one of a Storm topology, a ShellBolt.
 *
 * What the pipe runner is in a shell pipeline this is under Storm: tuples
 * come in and rows go out by the fields that the topology declares; what
 * failed is told to Storm, which has the spout send it again; the bolt lives
 * until its input ends.
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
	 * The bolt's streams, each COMPONENT or COMPONENT:STREAM; 0 of them
	 * where all that comes is one.
	 */
	char *const *streams;
	size_t nstreams;
	const char *stats;   /* NULL: none; "": to stderr */
	int64_t max_message; /* bytes */
};

/*
 * Run the bolt until Storm closes stdin.
 *
 * Shape:  the projection is compiled.
 * Errors: the exit status; what leaves no way on ends the program with a
 *         message and status 2.
 */
int multilang_runner_run(const struct multilang_runner *runner);

#endif
