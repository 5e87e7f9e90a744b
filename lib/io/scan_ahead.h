/*
 * scan_ahead - read and scan inputs on another processor, some batches of
 * lines ahead of whoever uses them.
 *
 * What comes out is what input_line and json_scan would have given, in the
 * same order.  Some batches go round between the thread that fills them and
 * the caller that empties them; a batch has the very memory that was read
 * into, and the input goes on in that of an earlier one.
 *
 * Either of the two scans: the thread begins with the batch that is furthest
 * ahead, and a caller that comes to one which nobody has scanned does it
 * itself.  So both processors are busy, whatever the tuples cost.
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

/* So many are read but not scanned while there is room for more. */
enum { SCAN_AHEAD_SPARE = 2 };

enum ahead_state {
	AHEAD_READ,	/* to be scanned */
	AHEAD_SCANNING, /* somebody does */
	AHEAD_SCANNED,
};

struct ahead_batch {
	enum ahead_state state;
	struct line_batch batch;
};

struct scan_thread {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows and of all that it serves */
	pthread_cond_t freed, scanned;
	struct scan_ahead *first;
	int stop_fds[2]; /* a byte when it is time to stop */
	bool stop;
};

/* What a thread does for one input. */
struct scan_ahead {
	struct scan_thread *thread;
	struct scan_ahead *next;
	int ready_fds[2]; /* a byte for each batch that has been read */
	struct ahead_batch batches[SCAN_AHEAD_BATCHES];
	unsigned filled, emptied; /* batches, ever */
	struct input *in;
	struct line_scanner *scanner, *callers;
	bool ended; /* the last batch is filled */
};

/*
 * Start a thread, which has nothing to do yet; and end it, though it may be
 * waiting for input or for a free batch.
 *
 * Errors: false where none can be had.
 */
bool scan_thread_start(struct scan_thread *t);
void scan_thread_stop(struct scan_thread *t);

/*
 * Start reading ahead.
 *
 * Shape:  nothing of in is handed out that is still in use; scanner and
 *         callers are two of one kind.
 * Owns:   in and scanner are the thread's until it is stopped; callers is for
 *         what the caller scans.
 * Errors: false where there are no descriptors; in is then untouched.
 */
bool scan_ahead_start(struct scan_ahead *a, struct scan_thread *t,
    struct input *in, struct line_scanner *scanner,
    struct line_scanner *callers);

/* Shape:  the thread has been stopped. */
void scan_ahead_fini(struct scan_ahead *a);

/* A descriptor that can be read when a batch has been. */
int scan_ahead_fd(const struct scan_ahead *a);

/*
 * The batch whose turn it is, scanned, or NULL where it has not been read yet.
 * The last has status INPUT_END.
 *
 * Owns:   its lines are good until _done.
 */
struct line_batch *scan_ahead_batch(struct scan_ahead *a);

/* Give the batch back. */
void scan_ahead_done(struct scan_ahead *a);

#endif
