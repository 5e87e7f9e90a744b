/*
 * scan_ahead - read and scan an input on a second processor, some batches of
 * lines ahead of whoever uses them.
 *
 * What comes out is what input_line and json_scan would have given, in the
 * same order.  A batch is a copy of its lines; a few go round between the
 * thread that fills them and the caller that empties them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SCAN_AHEAD_H
#define SCAN_AHEAD_H

#include <pthread.h>

#include "buffer.h"
#include "input.h"
#include "json_scanner.h"

enum { SCAN_AHEAD_BATCHES = 4 };

/* A line as input_line hands it out, and what the scanner says of it. */
struct scanned_line {
	struct span raw;
	const struct value *slots; /* where it is an object */
	enum input_status status;
	bool good; /* an object, without white space around */
};

struct scanned_batch {
	struct buffer bytes;
	struct scanned_line *lines;
	struct value *slots;
	size_t n, at;	     /* lines in it, lines taken out */
	const char *name;    /* of the file that they are all from */
	uint64_t first_line; /* the number of the first one */
	uint64_t bytes_read; /* of the input, so far */
	bool last;	     /* the input has ended */
};

struct scan_ahead {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t freed;
	int ready_fds[2]; /* a byte for each batch that is ready */
	struct scanned_batch batches[SCAN_AHEAD_BATCHES];
	unsigned filled, emptied; /* batches, ever */
	struct input *in;
	const struct scan_node *root;
	struct span held; /* a line that did not fit its batch */
	enum input_status held_status;
	bool stop;
};

/*
 * Start reading ahead.
 *
 * Shape:  nothing of in is handed out that is still in use.
 * Owns:   in is the thread's until _stop.
 * Errors: false where no thread can be had; in is then untouched.
 */
bool scan_ahead_start(struct scan_ahead *a, struct input *in,
    const struct scan_node *root);

/* A descriptor that can be read when a batch is ready. */
int scan_ahead_fd(const struct scan_ahead *a);

/*
 * The batch whose turn it is, or NULL where it is not ready yet.
 *
 * Owns:   its lines are good until _done.
 */
struct scanned_batch *scan_ahead_batch(struct scan_ahead *a);

/* Give the batch back. */
void scan_ahead_done(struct scan_ahead *a);

/* End the thread, wherever it is. */
void scan_ahead_stop(struct scan_ahead *a);

#endif
