/*
 * run - what runners of commands in a pipe have in common: the counters and
 * where they go, signals, and waiting.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_RUN_H
#define BOLT_RUN_H

#include <poll.h>
#include <stdio.h>

#include "base/counters.h"
#include "io/output.h"

/* From the first SIGINT or SIGTERM to the end of the input. */
enum { RUN_GRACE_MS = 1000 };

struct run {
	const char *command;
	struct output out;
	struct counters counters;
	int64_t start_ns;
	int64_t ending_ms; /* when the grace is over; 0: no signal has come */
	bool waits;	   /* it never is: the input ends by itself */
	const char *stats_name;
	FILE *stats; /* NULL: not wanted */
	bool stdout_is_pipe;
	/* Bring counters up to date, append further members; or NULL. */
	void (*update)(struct run *r, struct buffer *members);
};

/* Start: hash secret, signals, stdout. */
void run_start(struct run *r, const char *command);

/*
 * Open the file for --stats: stderr where its name is empty, none where it is
 * NULL.
 *
 * Errors: none; stops the program where it cannot be opened.
 */
void run_open_stats(struct run *r, const char *name);

/*
 * Bring the counters up to date.
 *
 * Owns:   members gets what else there is for --stats, and may be NULL.
 */
void run_count(struct run *r, struct buffer *members);

/*
 * Do what signals ask for: print the counters, note that the end is asked
 * for.  Returns false when the input is to end now.
 */
bool run_heed_signals(struct run *r, int64_t now_ms);

/*
 * Sleep until one of the descriptors is ready, a signal has come, or it is
 * `until`; where that is not after now, only look.  A reader of stdout that
 * has gone ends the program, as the next write would.
 *
 * Shape:  fds has room for RUN_EXTRA more than n; those with a negative fd
 *         are passed over.
 * Errors: none.  Returns how many of the n are ready, see their revents.
 */
enum { RUN_EXTRA = 2 };
size_t run_wait(struct run *r, struct pollfd *fds, size_t n, int64_t now_ms,
    int64_t until_ms);

/* Close stdout, write the counters where --stats says. */
void run_finish(struct run *r);

/* Die by the signal that came, if any; else give the status back. */
int run_status(int status);

#endif
