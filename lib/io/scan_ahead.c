/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "io/scan_ahead.h"

/* Twice what a line nested JSON_DEPTH deep takes; some C libraries give less. */
enum { STACK_BYTES = 1 << 20 };

static struct ahead_batch *
batch(struct scan_ahead *a, uint64_t i)
{
	return &a->batches[i % a->threads->nbatches];
}

/*
 * What is next to be done for an input: a batch that nobody uses is to be
 * filled, or one that has been read is to be scanned, the last one first.
 * There are always some more, if they can be had, for the caller not to wait.
 * NULL: nothing.
 */
static struct ahead_batch *
task_of(struct scan_ahead *a, bool *fill)
{
	struct ahead_batch *b = NULL;
	unsigned unscanned = 0;

	for (uint64_t i = a->emptied; i != a->filled; i++)
		if (batch(a, i)->state == AHEAD_READ) {
			b = batch(a, i);
			unscanned++;
		}
	*fill = !a->reading && !a->ended &&
	    a->filled - a->emptied < a->threads->nbatches &&
	    unscanned < SCAN_AHEAD_SPARE;
	return *fill ? batch(a, a->filled) : b;
}

/*
 * Wait for something to do, and do first what is for the input that has the
 * fewest batches ready.  NULL: it is time to stop.
 */
static struct ahead_batch *
next_task(struct scan_worker *w, struct scan_ahead **whose, bool *fill)
{
	struct scan_threads *t = w->all;
	int64_t ns = clock_thread_ns();
	struct ahead_batch *task = NULL, *b;
	bool is_fill;

	pthread_mutex_lock(&t->lock);
	t->ns += ns - w->ns;
	w->ns = ns;
	while (!t->stop && task == NULL) {
		for (struct scan_ahead *a = t->first; a != NULL; a = a->next)
			if ((b = task_of(a, &is_fill)) != NULL &&
			    (task == NULL ||
				a->filled - a->emptied <
				    (*whose)->filled - (*whose)->emptied)) {
				task = b;
				*whose = a;
				*fill = is_fill;
			}
		if (task == NULL)
			pthread_cond_wait(&t->freed, &t->lock);
	}
	if (t->stop)
		task = NULL;
	if (task != NULL && *fill)
		(*whose)->reading = true;
	else if (task != NULL)
		task->state = AHEAD_SCANNING;
	pthread_mutex_unlock(&t->lock);
	return task;
}

static void
deliver(struct scan_ahead *a, const struct ahead_batch *b)
{
	struct scan_threads *t = a->threads;

	pthread_mutex_lock(&t->lock);
	a->filled++;
	a->ended = b->batch.status != INPUT_LINE;
	a->reading = false;
	pthread_cond_signal(&t->freed);
	pthread_cond_signal(&t->scanned);
	pthread_mutex_unlock(&t->lock);
	descriptor_wake(a->ready_fds[1]);
}

/*
 * Wait until the input can be read: a FIFO that has had no writer yet would
 * else be taken to be at its end.  False: it is time to stop.
 */
static bool
wait_for_input(const struct scan_ahead *a)
{
	struct pollfd p[] = { { a->threads->stop_fds[0], POLLIN, 0 },
		{ a->loan.fd, POLLIN, 0 } };

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	return p[0].revents == 0;
}

/* Fill a batch with what can be read next; it ends where it is time to stop. */
static void
fill(struct scan_ahead *a, struct ahead_batch *b)
{
	for (;;) {
		line_batch_fill(&b->batch, &a->loan, SIZE_MAX);
		if (b->batch.status != INPUT_EMPTY)
			break;
		a->reads = a->loan.fd;
		if (!a->loan.regular && !wait_for_input(a)) {
			b->batch.status = INPUT_END;
			break;
		}
		input_fill(&a->loan);
	}
	b->state = AHEAD_SCANNED;
	if (b->batch.status == INPUT_LINE) {
		line_batch_keep(&b->batch, &a->loan);
		b->state = AHEAD_READ;
	}
}

static void
finish_scan(struct scan_threads *t, struct ahead_batch *b)
{
	pthread_mutex_lock(&t->lock);
	b->state = AHEAD_SCANNED;
	pthread_cond_signal(&t->scanned);
	pthread_mutex_unlock(&t->lock);
}

static void *
run(void *arg)
{
	struct scan_worker *w = arg;
	struct scan_ahead *a = NULL;
	struct ahead_batch *b;
	bool to_fill;

	while ((b = next_task(w, &a, &to_fill)) != NULL) {
		if (to_fill) {
			fill(a, b);
			deliver(a, b);
		} else {
			line_batch_scan(&b->batch, w->scanner, a->time);
			finish_scan(w->all, b);
		}
	}
	return NULL;
}

static void
close_pipe(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Free all, when no thread runs. */
static void
scan_threads_fini(struct scan_threads *t)
{
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->freed);
	pthread_cond_destroy(&t->scanned);
	close_pipe(t->stop_fds);
	free(t->workers);
	t->n = 0;
}

/* False: the system has no more threads. */
static bool
start_worker(struct scan_threads *t, const struct line_scanner *scanner)
{
	struct scan_worker *w = &t->workers[t->n];
	pthread_attr_t attributes;
	int error;

	*w = (struct scan_worker){ .all = t,
		.scanner = line_scanner_like(scanner) };
	if (pthread_attr_init(&attributes) != 0)
		memory_exhausted();
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(&w->thread, &attributes, run, w);
	pthread_attr_destroy(&attributes);
	if (error == 0) {
		t->n++;
		return true;
	}
	line_scanner_free(w->scanner);
	return false;
}

bool
scan_threads_start(struct scan_threads *t, size_t n, size_t ninputs,
    const struct line_scanner *scanner)
{
	size_t each = SCAN_AHEAD_BATCHES / ninputs;
	sigset_t all, old;

	if (ninputs == 1)
		each = SCAN_AHEAD_ALONE;
	else if (each < SCAN_AHEAD_LEAST)
		each = SCAN_AHEAD_LEAST;
	*t = (struct scan_threads){ .nbatches = each + 2 * (n - 1) / ninputs };
	if (descriptor_pipe(t->stop_fds) < 0)
		return false;
	t->workers = memory_new(n, sizeof *t->workers);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->freed, NULL);
	pthread_cond_init(&t->scanned, NULL);
	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (t->n < n && start_worker(t, scanner))
		;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (t->n == 0)
		scan_threads_fini(t);
	return t->n != 0;
}

void
scan_threads_stop(struct scan_threads *t)
{
	if (t->n == 0)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->freed);
	pthread_mutex_unlock(&t->lock);
	/* They may be waiting for input that never comes. */
	descriptor_wake(t->stop_fds[1]);
	for (size_t i = 0; i < t->n; i++) {
		pthread_join(t->workers[i].thread, NULL);
		line_scanner_free(t->workers[i].scanner);
	}
	scan_threads_fini(t);
}

int64_t
scan_threads_ns(struct scan_threads *t)
{
	int64_t ns;

	if (t->n == 0)
		return 0;
	pthread_mutex_lock(&t->lock);
	ns = t->ns;
	pthread_mutex_unlock(&t->lock);
	return ns;
}

/* Tell whether another input can be read by the threads there are. */
static bool
has_thread_for(const struct scan_threads *t, bool blocks)
{
	size_t needed = blocks;
	bool shared = !blocks;

	for (const struct scan_ahead *a = t->first; a != NULL; a = a->next) {
		needed += a->blocks;
		shared = shared || !a->blocks;
	}
	return needed + shared <= t->n;
}

bool
scan_ahead_start(struct scan_ahead *a, struct scan_threads *t, struct input *in,
    struct line_scanner *scanner, const struct time_slot *time, bool blocks)
{
	*a = (struct scan_ahead){ .threads = t,
		.blocks = blocks,
		.owner = in,
		.scanner = scanner,
		.time = time };
	if (!has_thread_for(t, blocks) || descriptor_pipe(a->ready_fds) < 0)
		return false;
	if (!input_lend(in, &a->loan)) {
		close_pipe(a->ready_fds);
		return false;
	}
	a->batches = memory_new(t->nbatches, sizeof *a->batches);
	a->reads = a->loan.fd;
	pthread_mutex_lock(&t->lock);
	a->next = t->first;
	t->first = a;
	pthread_cond_signal(&t->freed);
	pthread_mutex_unlock(&t->lock);
	return true;
}

void
scan_ahead_fini(struct scan_ahead *a)
{
	for (size_t i = 0; i < a->threads->nbatches; i++)
		line_batch_fini(&a->batches[i].batch);
	free(a->batches);
	input_take_back(a->owner, &a->loan);
	close_pipe(a->ready_fds);
}

int
scan_ahead_fd(const struct scan_ahead *a)
{
	return a->ready_fds[0];
}

struct line_batch *
scan_ahead_batch(struct scan_ahead *a)
{
	struct ahead_batch *b = NULL;
	bool mine = false;

	pthread_mutex_lock(&a->threads->lock);
	if (a->filled != a->emptied) {
		b = batch(a, a->emptied);
		mine = b->state == AHEAD_READ;
		if (mine)
			b->state = AHEAD_SCANNING;
		while (!mine && b->state != AHEAD_SCANNED)
			pthread_cond_wait(&a->threads->scanned,
			    &a->threads->lock);
	}
	pthread_mutex_unlock(&a->threads->lock);
	if (mine) {
		line_batch_scan(&b->batch, a->scanner, a->time);
		finish_scan(a->threads, b);
	}
	return b == NULL ? NULL : &b->batch;
}

void
scan_ahead_done(struct scan_ahead *a)
{
	char byte;

	while (read(a->ready_fds[0], &byte, 1) < 0 && errno == EINTR)
		;
	pthread_mutex_lock(&a->threads->lock);
	a->emptied++;
	pthread_cond_signal(&a->threads->freed);
	pthread_mutex_unlock(&a->threads->lock);
}

/* Tell whether a thread has to do with the input. */
static bool
is_busy(struct scan_ahead *a)
{
	bool busy = a->reading;

	for (uint64_t i = a->emptied; i != a->filled; i++)
		busy = busy || batch(a, i)->state == AHEAD_SCANNING;
	return busy;
}

void
scan_ahead_stop(struct scan_ahead *a)
{
	struct scan_threads *t = a->threads;
	struct scan_ahead **at = &t->first;

	pthread_mutex_lock(&t->lock);
	while (*at != a)
		at = &(*at)->next;
	*at = a->next;
	while (is_busy(a))
		pthread_cond_wait(&t->scanned, &t->lock);
	pthread_mutex_unlock(&t->lock);
	/* The byte for the last batch may be still to come. */
	while (a->emptied != a->filled)
		scan_ahead_done(a);
}
