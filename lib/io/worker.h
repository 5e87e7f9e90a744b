/*
 * worker - one of the workers: a process, our ends of its pipes, and the lines
 * that it is still to get.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_WORKER_H
#define IO_WORKER_H

#include <sys/types.h>

#include "base/buffer.h"
#include "base/span.h"

struct worker {
	pid_t pid;	     /* 0 once it has been waited for */
	int in, out;	     /* our ends of its pipes; -1: closed */
	struct buffer queue; /* queue[sent..) is not written yet */
	size_t sent;
	bool in_line;	      /* the last byte written was no newline */
	size_t in_at, out_at; /* their indexes in the array for poll(2) */
	bool writable;	      /* its pipe may have room */
	bool stopped;	      /* it closed its input before the end */
	bool told;	      /* it was sent a signal to end */
};

/* Start the worker of a task, see workers_start. */
void worker_start(struct worker *k, size_t task, size_t ntasks,
    char *const argv[]);

/* How many bytes are still to be written to it. */
static inline size_t
worker_pending(const struct worker *k)
{
	return k->queue.n - k->sent;
}

/* Queue a line, which is given without its newline. */
void worker_put(struct worker *k, struct span line);

/* Note that n bytes of the queue were written. */
void worker_note_sent(struct worker *k, size_t n);

/* Drop the queued lines, except the rest of a partly sent one. */
void worker_drop_lines(struct worker *k);

/* Close one of the pipes, unless it is closed. */
void worker_close(int *fd);

#endif
