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

#include "base/buffer.h"
#include "io/input.h"
#include "json/line_scanner.h"

enum { SCAN_AHEAD_BATCHES = 6 };

/* So many are read but not scanned while there is room for more. */
enum { SCAN_AHEAD_SPARE = 2 };

enum batch_state {
	BATCH_READ,	/* to be scanned */
	BATCH_SCANNING, /* somebody does */
	BATCH_SCANNED,
};

/* Lines that have been scanned; or one, or a piece of one, that is too long. */
struct scanned_batch {
	enum batch_state state;
	struct buffer bytes;	    /* where the lines are; or the piece */
	struct span text;	    /* of the lines, if they are not scanned */
	struct scanned_lines lines; /* none where it is a piece */
	enum input_status status;   /* of the piece, or of all lines */
	const char *name;	    /* of the file that they are from, */
	size_t file;		    /* which is this one of the input's */
	uint64_t bytes_read;	    /* of the input, so far */
	bool last;		    /* the input has ended */
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
	struct scanned_batch batches[SCAN_AHEAD_BATCHES];
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
 *
 * Owns:   its lines are good until _done.
 */
struct scanned_batch *scan_ahead_batch(struct scan_ahead *a);

/* Give the batch back. */
void scan_ahead_done(struct scan_ahead *a);

#endif
