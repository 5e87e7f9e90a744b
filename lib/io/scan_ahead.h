/*
 * scan_ahead - read and scan inputs in other threads, some batches of lines
 * before the caller uses them.
 *
 * The results and their order are the same as without them.  Each input has a
 * ring of batches, which goes round between the threads, which fill them, and
 * the caller, which uses them.  Nothing is copied: a batch takes over the
 * memory that its lines were read into, and the input goes on with the memory
 * of a used batch.
 *
 * One thread at a time reads an input; any of them scans what was read.  They
 * begin with the newest batch; when the caller comes to a batch that is not
 * scanned yet, it scans it itself.  So all processors are busy, however long
 * the caller takes for a tuple.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_SCAN_AHEAD_H
#define IO_SCAN_AHEAD_H

#include <pthread.h>

#include "io/line_batch.h"

enum {
	/*
	 * ALONE: batches of a single input, enough for threads to go on while
	 * the caller writes the rows of a window.  BATCHES: of several inputs
	 * together, but at least LEAST of each.  Every thread but the first
	 * adds two.  More would leave the cache that two processors share: with
	 * six for each of two inputs a join took 6 % longer.
	 */
	SCAN_AHEAD_ALONE = 8,
	SCAN_AHEAD_BATCHES = 6,
	SCAN_AHEAD_LEAST = 3,
	/* While so many batches are not being scanned yet, no more are read. */
	SCAN_AHEAD_SPARE = 2,
};

enum ahead_state {
	AHEAD_READ,	/* not scanned yet */
	AHEAD_SCANNING, /* by somebody */
	AHEAD_SCANNED,
};

struct ahead_batch {
	enum ahead_state state;
	struct line_batch batch;
};

struct scan_worker {
	pthread_t thread;
	struct scan_threads *all;
	struct line_scanner *scanner;
	int64_t ns; /* processor time that is added up already */
};

struct scan_threads {
	struct scan_worker *workers;
	size_t n;
	size_t nbatches;      /* of each input */
	int stop_fds[2];      /* a pipe; a byte in it tells them to stop */
	pthread_mutex_t lock; /* guards the rest, and all scan_ahead */
	pthread_cond_t freed; /* there is something to do */
	pthread_cond_t scanned;
	struct scan_ahead *first;
	int64_t ns; /* processor time of all */
	bool stop;
};

/* What is done for one input. */
struct scan_ahead {
	struct scan_threads *threads;
	struct scan_ahead *next;
	bool blocks;	  /* a read can wait for ever */
	int ready_fds[2]; /* a pipe; it has a byte for each batch to use */
	struct ahead_batch *batches;
	uint64_t filled, emptied;     /* how many batches, since the start */
	struct input *owner, loan;    /* see input_lend */
	struct line_scanner *scanner; /* the caller's */
	const struct time_slot *time; /* see line_batch_scan */
	bool reading;		      /* one of the threads reads */
	bool ended;		      /* the last batch is filled */
	_Atomic int reads; /* the descriptor of the file that is read */
};

/*
 * Start threads, which serve no input yet; and stop them, whatever they wait
 * for.
 *
 * Shape:  n >= 1; there will be up to ninputs inputs, which are all scanned as
 *         scanner does it.
 * Errors: there are fewer threads if the system has no more; false if it has
 *         none, or no descriptors.
 */
bool scan_threads_start(struct scan_threads *t, size_t n, size_t ninputs,
    const struct line_scanner *scanner);
void scan_threads_stop(struct scan_threads *t);

/* The processor time of all of them, in nanoseconds, up to their last batch. */
int64_t scan_threads_ns(struct scan_threads *t);

/*
 * Begin to read an input ahead.  If blocks, a read can wait for ever: it takes
 * a thread of its own, while other inputs can share one.
 *
 * Shape:  no line of in is still in use.
 * Owns:   in is lent (see input_lend) until scan_ahead_fini; scanner is for
 *         batches that the caller scans.  time is kept, not copied.
 * Errors: false if there is no thread or no descriptor for it, or it cannot be
 *         lent now; nothing changes then.
 */
bool scan_ahead_start(struct scan_ahead *a, struct scan_threads *t,
    struct input *in, struct line_scanner *scanner,
    const struct time_slot *time, bool blocks);

/*
 * Have the threads leave the input alone.
 *
 * Shape:  a read does not block, or the last batch has come.
 */
void scan_ahead_stop(struct scan_ahead *a);

/*
 * Give the input back and free the rest.  Call _stop or scan_threads_stop
 * first.
 */
void scan_ahead_fini(struct scan_ahead *a);

/* A descriptor to poll: it is readable when there is a batch. */
int scan_ahead_fd(const struct scan_ahead *a);

/*
 * Get the next batch, scanned.  The last one has no lines, and status INPUT_END
 * or INPUT_BACK.
 *
 * Owns:   its lines are valid until scan_ahead_done.
 * Errors: NULL if it has not been read yet.
 */
struct line_batch *scan_ahead_batch(struct scan_ahead *a);

/* Give that batch back. */
void scan_ahead_done(struct scan_ahead *a);

#endif
