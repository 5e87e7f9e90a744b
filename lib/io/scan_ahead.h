/*
 * scan_ahead - read and scan inputs in a second thread, some batches of lines
 * before the caller uses them.
 *
 * The results and their order are the same as without it.  A ring of batches
 * goes round between the thread, which fills them, and the caller, which uses
 * them.  Nothing is copied: a batch takes over the memory that its lines were
 * read into, and the input goes on with the memory of a used batch.
 *
 * Both threads scan.  The second one begins with the newest batch; when the
 * caller comes to a batch that is not scanned yet, it scans it itself.  So
 * both processors are busy, however long the caller takes for a tuple.
 *
 * A thread can serve several inputs, if reading them never blocks.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_SCAN_AHEAD_H
#define IO_SCAN_AHEAD_H

#include <pthread.h>

#include "io/line_batch.h"

enum { SCAN_AHEAD_BATCHES = 6 };

/* The thread reads this many batches before it begins to scan. */
enum { SCAN_AHEAD_SPARE = 2 };

enum ahead_state {
	AHEAD_READ,	/* not scanned yet */
	AHEAD_SCANNING, /* by one of the two */
	AHEAD_SCANNED,
};

struct ahead_batch {
	enum ahead_state state;
	struct line_batch batch;
};

struct scan_thread {
	pthread_t thread;
	pthread_mutex_t lock; /* guards the rest, and all scan_ahead of it */
	pthread_cond_t freed, scanned;
	struct scan_ahead *first;
	int stop_fds[2]; /* a pipe; a byte in it tells the thread to stop */
	bool stop;
};

/* What a thread does for one input. */
struct scan_ahead {
	struct scan_thread *thread;
	struct scan_ahead *next;
	int ready_fds[2]; /* a pipe; it has a byte for each batch to use */
	struct ahead_batch batches[SCAN_AHEAD_BATCHES];
	unsigned filled, emptied; /* how many batches, since the start */
	struct input *in;
	struct line_scanner *scanner, *callers;
	bool ended; /* the last batch is filled */
};

/*
 * Start a thread, which serves no input yet; and stop it, whatever it waits
 * for.
 *
 * Errors: false if the system has no thread or descriptors for it.
 */
bool scan_thread_start(struct scan_thread *t);
void scan_thread_stop(struct scan_thread *t);

/*
 * Begin to read an input ahead.
 *
 * Shape:  no line of in is still in use.  scanner and callers look for the
 *         same fields.
 * Owns:   in and scanner belong to the thread until it is stopped; callers is
 *         for batches that the caller scans.
 * Errors: false if there are no descriptors; in is unchanged then.
 */
bool scan_ahead_start(struct scan_ahead *a, struct scan_thread *t,
    struct input *in, struct line_scanner *scanner,
    struct line_scanner *callers);

/* Free it, after the thread was stopped. */
void scan_ahead_fini(struct scan_ahead *a);

/* A descriptor to poll: it is readable when there is a batch. */
int scan_ahead_fd(const struct scan_ahead *a);

/*
 * Get the next batch, scanned.  The last one has status INPUT_END.
 *
 * Owns:   its lines are valid until scan_ahead_done.
 * Errors: NULL if it has not been read yet.
 */
struct line_batch *scan_ahead_batch(struct scan_ahead *a);

/* Give that batch back. */
void scan_ahead_done(struct scan_ahead *a);

#endif
