/*
 * shell_spout - run a spout in a Storm topology, as the program of a
 * ShellSpout.
 *
 * Every tuple is sent with its number as id and kept until Storm acks it; one
 * that fails is sent again a second later.  The tasks of one spout share its
 * tuples: task i of n sends those whose number modulo n is i.  If the topology
 * declares the one field `lines`, blocks of tuples take their place, with the
 * number of the first.
 *
 *	next	-> emit ... emit, sync		ack, fail, ...	-> sync
 *
 * Source: ShellSpout; for keeping tuples KafkaSpout.
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
	int64_t max_pending; /* 0: Storm's setting, or what is usual */
	int64_t retries;     /* how often to send again; -1: no limit */
	const char *state;   /* the file of --state, or NULL */
	const char *name;    /* the name of its part */
	const char *stats;   /* NULL: none; "": to stderr */
};

/* How many tuples, or blocks, are under way by default. */
enum { MULTILANG_PENDING = 1000, MULTILANG_PENDING_BLOCKS = 100 };

/*
 * Run the spout until Storm closes stdin.  Returns the exit status.
 *
 * Errors: none; a mistake from which it cannot go on stops the program with a
 *         message and status 2.
 */
int shell_spout_run(const struct shell_spout *given);

#endif
