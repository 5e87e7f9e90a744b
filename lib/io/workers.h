/*
 * workers - N copies of a command, each fed lines through a pipe, their
 * outputs merged.
 *
 * Nothing here waits but workers_start: whoever drives the workers polls
 * their descriptors beside his own and calls workers_turn.
 *
 *	send --> [ queue ] --pipe--> worker --pipe--> [ merger ] --> out
 *
 * A worker that ends before its input does, or by a signal, has failed, and
 * with it all: nothing more is sent to any, but for the rest of a line that
 * has begun.  Those that go on all the same are told to end a second later.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_WORKERS_H
#define IO_WORKERS_H

#include <sys/types.h>

#include <poll.h>

#include "io/merger.h"

struct worker {
	pid_t pid;	     /* 0 once it has been waited for */
	int in, out;	     /* our ends of its pipes; -1: closed */
	struct buffer queue; /* queue[sent..) is to be written */
	size_t sent;
	size_t in_at, out_at; /* where they are polled, this time */
	bool writable;	      /* its pipe may have room */
	bool stopped;	      /* it closed its end before its input's end */
	bool told;	      /* it was sent a signal to end */
};

struct workers {
	size_t n;
	struct worker *workers;
	struct merger merger;
	const char *command;
	uint64_t sent;	     /* lines, ticks apart */
	bool ending, failed; /* nothing more is taken */
	int64_t deadline_ms; /* for those still there; 0: none */
	int killing;	     /* the signal that is due then */
	int status;	     /* of all */
};

/*
 * Prepare for n workers whose outputs are merged into out.
 *
 * Shape:  tag: see merger_init.
 * Owns:   keeps out and tag.
 * Errors: none.
 */
void workers_init(struct workers *w, size_t n, enum merger_order order,
    const char *tag, struct output *out);
void workers_fini(struct workers *w);

/*
 * Start a copy of argv for each, which finds its number in PKGROUP_TASK and
 * how many there are in PKGROUP_TASKS.
 *
 * Owns:   keeps argv.
 * Errors: none; where the command cannot be run the program stops with
 *         status 127 (there is none) or 126, as env(1) does.
 */
void workers_start(struct workers *w, char *const argv[]);

/* Queue a line for one of them, or a tick for all. */
void workers_send(struct workers *w, size_t task, struct span line);
void workers_tick(struct workers *w, int64_t ms);

/* Tell whether a queue is so long that no more lines should be read. */
bool workers_is_full(const struct workers *w);

/*
 * Fill in what is to be polled.  Returns how many, at most 2 n.
 */
size_t workers_poll(struct workers *w, struct pollfd *fds);

/*
 * Do what can be done without waiting, after fds have been polled.
 */
void workers_turn(struct workers *w, const struct pollfd *fds, int64_t now_ms);

/* When workers_turn is due whatever happens; INT64_MAX: never. */
int64_t workers_due(const struct workers *w);

/*
 * The input has ended, by a signal if number is not 0: SIGTERM is passed on.
 */
void workers_end(struct workers *w, int number, int64_t now_ms);

/* Tell whether all have ended and all they wrote has been merged. */
bool workers_are_done(const struct workers *w);

#endif
