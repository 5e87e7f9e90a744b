/*
 * run - what the runners of bolts and spouts share: counters and --stats,
 * signals, and waiting for input.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_RUN_H
#define BOLT_RUN_H

#include <poll.h>

#include "base/counters.h"
#include "io/output.h"

/* How long input is still read after the first signal to end. */
enum { RUN_GRACE_MS = 1000 };

struct run {
	const char *command;
	struct output out;
	struct counters counters;
	int64_t start_ns, start_cpu_ns; /* the latter of this thread alone */
	int64_t ending_ms; /* when reading ends after a signal; 0: no signal */
	bool waits;	   /* a signal does not end it: read to the end */
	const char *stats_name;
	int stats; /* a descriptor; -1: not wanted */
	bool stdout_is_pipe;
	/* Bring counters up to date, append further members; or NULL. */
	void (*update)(struct run *r, struct buffer *members);
};

/* Begin: set signal handlers, prepare stdout. */
void run_start(struct run *r, const char *command);

/*
 * Open the file for --stats.
 *
 * Shape:  an empty name is stderr; with a NULL name there is no file.
 * Errors: none; stops the program if it cannot be opened.
 */
void run_open_stats(struct run *r, const char *name);

/*
 * Bring the counters up to date, and append further members for --stats to
 * members, unless it is NULL.
 */
void run_count(struct run *r, struct buffer *members);

/*
 * React to signals that have come: print the counters, begin to end.  Returns
 * false when reading must end now.
 */
bool run_heed_signals(struct run *r, int64_t now_ms);

/* After run_heed_signals has returned false: read for another second. */
void run_read_on(struct run *r, int64_t now_ms);

/*
 * Wait until one of n descriptors is ready, a signal comes, or the time is
 * until_ms; if that is not after now_ms, do not wait.  Returns how many of the
 * n are ready (see their revents).  Ends the program, by SIGPIPE, when the
 * reader of stdout has gone.
 *
 * Shape:  fds has room for n + RUN_EXTRA; a negative fd is skipped.
 * Errors: none.
 */
enum { RUN_EXTRA = 2 };
size_t run_wait(struct run *r, struct pollfd *fds, size_t n, int64_t now_ms,
    int64_t until_ms);

/* Close stdout, and write the counters for --stats. */
void run_finish(struct run *r);

/* Die by the signal that has come, if any; else return status. */
int run_status(int status);

#endif
