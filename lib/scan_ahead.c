/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "diagnostics.h"
#include "json_text.h"
#include "scan_ahead.h"

enum { BATCH_BYTES = 256 * 1024, BATCH_LINES = 4096 };

/* Wait for a batch that nobody uses.  NULL: it is time to stop. */
static struct scanned_batch *
free_batch(struct scan_ahead *a)
{
	struct scanned_batch *b;

	pthread_mutex_lock(&a->lock);
	while (a->filled - a->emptied == SCAN_AHEAD_BATCHES && !a->stop)
		pthread_cond_wait(&a->freed, &a->lock);
	b = a->stop ? NULL : &a->batches[a->filled % SCAN_AHEAD_BATCHES];
	pthread_mutex_unlock(&a->lock);
	if (b != NULL) {
		b->n = b->at = b->bytes.n = 0;
		b->last = false;
	}
	return b;
}

static void
deliver(struct scan_ahead *a, struct scanned_batch *b)
{
	b->bytes_read = a->in->bytes;
	pthread_mutex_lock(&a->lock);
	a->filled++;
	pthread_mutex_unlock(&a->lock);
	while (write(a->ready_fds[1], "", 1) < 0 && errno == EINTR)
		;
}

/* Add the line that is held to a batch.  False: it does not fit. */
static bool
add_held(struct scan_ahead *a, struct scanned_batch *b)
{
	size_t need = a->held.n + JSON_PAD;
	size_t nslots = (size_t)a->root->end;
	struct scanned_line *l = &b->lines[b->n];
	struct value *slots = b->slots + b->n * nslots;
	struct span line;

	if (b->n != 0 &&
	    (b->n == BATCH_LINES || b->name != input_name(a->in) ||
		b->bytes.cap - b->bytes.n < need))
		return false;
	if (b->n == 0) {
		b->name = input_name(a->in);
		b->first_line = a->in->line;
	}
	l->raw.p = buffer_room(&b->bytes, need);
	l->raw.n = a->held.n;
	memcpy(b->bytes.p + b->bytes.n, a->held.p, a->held.n);
	memset(b->bytes.p + b->bytes.n + a->held.n, '\n', JSON_PAD);
	b->bytes.n += need;
	l->status = a->held_status;
	l->slots = slots;
	l->good = false;
	if (l->status == INPUT_LINE) {
		line = json_trim(l->raw);
		l->good =
		    line.n != 0 && json_scan(a->root, line, slots, NULL) == 0;
	}
	b->n++;
	a->held.p = NULL;
	return true;
}

/*
 * Wait until fd can be read: a FIFO that has had no writer yet would else
 * be taken to be at its end.
 */
static void
wait_for(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
}

/* Fill a batch as far as reading does not wait.  False: there is no more. */
static bool
fill(struct scan_ahead *a, struct scanned_batch *b)
{
	for (;;) {
		if (a->held.p != NULL && !add_held(a, b))
			return true;
		a->held_status = input_line(a->in, &a->held);
		switch (a->held_status) {
		case INPUT_EMPTY:
			a->held.p = NULL;
			if (b->n != 0 && !a->in->regular)
				return true;
			if (!a->in->regular)
				wait_for(a->in->fd);
			input_fill(a->in);
			break;
		case INPUT_END:
			return false;
		default:
			break;
		}
	}
}

static void *
run(void *arg)
{
	struct scan_ahead *a = arg;
	struct scanned_batch *b;

	while ((b = free_batch(a)) != NULL) {
		b->last = !fill(a, b);
		deliver(a, b);
		if (b->last)
			break;
	}
	return NULL;
}

static void
fini(struct scan_ahead *a)
{
	for (size_t i = 0; i < SCAN_AHEAD_BATCHES; i++) {
		buffer_fini(&a->batches[i].bytes);
		free(a->batches[i].lines);
		free(a->batches[i].slots);
	}
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->freed);
	close(a->ready_fds[0]);
	close(a->ready_fds[1]);
}

bool
scan_ahead_start(struct scan_ahead *a, struct input *in,
    const struct scan_node *root)
{
	sigset_t all, old;
	int status;

	*a = (struct scan_ahead){ .in = in, .root = root };
	if (pipe(a->ready_fds) < 0)
		return false;
	for (int i = 0; i < 2; i++)
		fcntl(a->ready_fds[i], F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < SCAN_AHEAD_BATCHES; i++) {
		struct scanned_batch *b = &a->batches[i];

		buffer_room(&b->bytes, BATCH_BYTES);
		b->lines = memory_new(BATCH_LINES, sizeof *b->lines);
		b->slots = memory_new(BATCH_LINES * (size_t)root->end,
		    sizeof *b->slots);
	}
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->freed, NULL);
	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	status = pthread_create(&a->thread, NULL, run, a);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (status != 0)
		fini(a);
	return status == 0;
}

int
scan_ahead_fd(const struct scan_ahead *a)
{
	return a->ready_fds[0];
}

struct scanned_batch *
scan_ahead_batch(struct scan_ahead *a)
{
	bool ready;

	pthread_mutex_lock(&a->lock);
	ready = a->filled != a->emptied;
	pthread_mutex_unlock(&a->lock);
	return ready ? &a->batches[a->emptied % SCAN_AHEAD_BATCHES] : NULL;
}

void
scan_ahead_done(struct scan_ahead *a)
{
	char byte;

	while (read(a->ready_fds[0], &byte, 1) < 0 && errno == EINTR)
		;
	pthread_mutex_lock(&a->lock);
	a->emptied++;
	pthread_cond_signal(&a->freed);
	pthread_mutex_unlock(&a->lock);
}

void
scan_ahead_stop(struct scan_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->freed);
	pthread_mutex_unlock(&a->lock);
	/* It may be waiting for input that never comes. */
	pthread_cancel(a->thread);
	pthread_join(a->thread, NULL);
	fini(a);
}
