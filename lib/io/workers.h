/*
 * workers - run N copies of a command, feed each of them lines through a pipe,
 * and merge their outputs.
 *
 * Only workers_start waits for workers, until they run.  The caller polls their
 * descriptors together with its own, and then calls workers_turn, which waits
 * only to write to out.
 *
 *	send --> [ queue ] --pipe--> worker --pipe--> [ merger ] --> out
 *
 * A worker has failed if it ends before its input has ended, or is killed by a
 * signal.  Then nothing more is sent to any worker, except the rest of a line
 * that has begun.  Workers that still run a second later get a signal to end.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_WORKERS_H
#define IO_WORKERS_H

#include <poll.h>

#include "io/merger.h"
#include "io/worker.h"

struct workers {
	size_t n;
	struct worker *workers;
	struct merger merger;
	const char *command;
	uint64_t sent;	     /* lines given to _send, dropped ones too */
	bool ending, failed; /* no more lines are sent */
	int64_t deadline_ms; /* for workers that still run; 0: none */
	int killing;	     /* the signal that they get then */
	int status;	     /* the exit status of them all */
};

/*
 * Prepare n workers, whose outputs are merged into out (see merger_init).
 *
 * Owns:   out and tag are kept, not copied.
 * Errors: none.
 */
void workers_init(struct workers *w, size_t n, enum merger_order order,
    const char *tag, struct output *out);
void workers_fini(struct workers *w);

/*
 * Start the workers.  Each finds its number in the environment as
 * PKGROUP_TASK, and the number of all as PKGROUP_TASKS.  Also ignores SIGPIPE
 * (signals_catch_pipe), watches for SIGCHLD and raises the limit of open files.
 *
 * Owns:   argv is kept, not copied.
 * Errors: none; if the command cannot be run, the program stops with status
 *         127 (it does not exist) or 126, as env(1) does.
 */
void workers_start(struct workers *w, char *const argv[]);

/* Queue a line for one worker; a tick for all. */
void workers_send(struct workers *w, size_t task, struct span line);
void workers_tick(struct workers *w, int64_t ms);

/* Tell whether a queue is so long that the caller should not send now. */
bool workers_is_full(const struct workers *w);

/*
 * Fill in the descriptors to poll, at most 2 n.  Returns how many there are.
 */
size_t workers_poll(struct workers *w, struct pollfd *fds);

/*
 * Read from workers and write to them as far as is possible without waiting,
 * after fds were polled; pass their output on to out.
 *
 * Errors: none; a failure of a worker is reported and noted in w.
 */
void workers_turn(struct workers *w, const struct pollfd *fds, int64_t now_ms);

/* When workers_turn must be called at the latest; INT64_MAX: never. */
int64_t workers_due(const struct workers *w);

/*
 * A signal is to end the input: tell the workers that their last lines are
 * coming, so that those that know this (descriptor_will_end) read on to the end.
 */
void workers_announce_end(const struct workers *w);

/*
 * Tell the workers that their input has ended.  number is the signal that
 * ended it, or 0.  After a signal, workers from which nothing has come for five
 * seconds get SIGTERM: not at once, as they may have had the same signal, and
 * a second one would end them before they have written what they have.
 */
void workers_end(struct workers *w, int number, int64_t now_ms);

/* Tell whether all workers have ended and all their output was merged. */
bool workers_are_done(const struct workers *w);

#endif
