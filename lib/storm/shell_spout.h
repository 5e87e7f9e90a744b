/*
 * shell_spout - drive a spout as one of a Storm topology, a ShellSpout.
 *
 * Every tuple is sent with its number as id and kept until Storm has acked
 * it; what failed is sent again, a second later.  The tasks of one spout
 * share its tuples: task i of n sends those whose number modulo n is i.
 *
 *	next	-> emit ... emit, sync		ack, fail, ...	-> sync
 *
 * Source: ShellSpout; for what is kept KafkaSpout.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SHELL_SPOUT_H
#define STORM_SHELL_SPOUT_H

#include "bolt/spout.h"
#include "tuple/options.h"

struct shell_spout {
	const struct options *options; /* those of the command */
	const struct spout *spout;
	const char *what;    /* the operands, for the state */
	int64_t max_pending; /* 0: what Storm says, or MULTILANG_PENDING */
	int64_t retries;     /* -1: without end */
	const char *state;   /* a file that remembers what was acked; or NULL */
	const char *name;    /* of the part in it */
	const char *stats;
};

enum { MULTILANG_PENDING = 1000 };

/*
 * Run the spout until Storm closes stdin.
 *
 * Errors: the exit status; what leaves no way on ends the program with a
 *         message and status 2.
 */
int shell_spout_run(const struct shell_spout *given);

#endif
