/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "io/scan_ahead.h"

static struct ahead_batch *
batch(struct scan_ahead *a, unsigned i)
{
	return &a->batches[i % SCAN_AHEAD_BATCHES];
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

	for (unsigned i = a->emptied; i != a->filled; i++)
		if (batch(a, i)->state == AHEAD_READ) {
			b = batch(a, i);
			unscanned++;
		}
	*fill = !a->ended && a->filled - a->emptied < SCAN_AHEAD_BATCHES &&
	    unscanned < SCAN_AHEAD_SPARE;
	return *fill ? batch(a, a->filled) : b;
}

/*
 * Wait for something to do, and do first what is for the input that has the
 * fewest batches ready.  NULL: it is time to stop.
 */
static struct ahead_batch *
next_task(struct scan_thread *t, struct scan_ahead **whose, bool *fill)
{
	struct ahead_batch *task = NULL, *b;
	bool is_fill;

	pthread_mutex_lock(&t->lock);
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
	if (task != NULL)
		task->state = *fill ? AHEAD_SCANNED : AHEAD_SCANNING;
	pthread_mutex_unlock(&t->lock);
	return task;
}

static void
deliver(struct scan_ahead *a, const struct ahead_batch *b)
{
	pthread_mutex_lock(&a->thread->lock);
	a->filled++;
	a->ended = b->batch.status == INPUT_END;
	pthread_mutex_unlock(&a->thread->lock);
	descriptor_wake(a->ready_fds[1]);
}

/*
 * Wait until the input can be read: a FIFO that has had no writer yet would
 * else be taken to be at its end.  False: it is time to stop.
 */
static bool
wait_for_input(const struct scan_ahead *a)
{
	struct pollfd p[] = { { a->thread->stop_fds[0], POLLIN, 0 },
		{ a->in->fd, POLLIN, 0 } };

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	return p[0].revents == 0;
}

/* Fill a batch with what can be read next; it ends where it is time to stop. */
static void
fill(const struct scan_ahead *a, struct ahead_batch *b)
{
	for (;;) {
		line_batch_fill(&b->batch, a->in, SIZE_MAX);
		if (b->batch.status != INPUT_EMPTY)
			break;
		if (!a->in->regular && !wait_for_input(a)) {
			b->batch.status = INPUT_END;
			break;
		}
		input_fill(a->in);
	}
	if (b->batch.status == INPUT_LINE) {
		line_batch_keep(&b->batch, a->in);
		b->state = AHEAD_READ;
	}
}

static void
finish_scan(struct scan_thread *t, struct ahead_batch *b)
{
	pthread_mutex_lock(&t->lock);
	b->state = AHEAD_SCANNED;
	pthread_cond_signal(&t->scanned);
	pthread_mutex_unlock(&t->lock);
}

static void *
run(void *arg)
{
	struct scan_thread *t = arg;
	struct scan_ahead *a = NULL;
	struct ahead_batch *b;
	bool is_empty;

	while ((b = next_task(t, &a, &is_empty)) != NULL) {
		if (is_empty) {
			fill(a, b);
			deliver(a, b);
		} else {
			line_batch_scan(&b->batch, a->scanner);
			finish_scan(t, b);
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

bool
scan_thread_start(struct scan_thread *t)
{
	sigset_t all, old;
	int status;

	*t = (struct scan_thread){ 0 };
	if (descriptor_pipe(t->stop_fds) < 0)
		return false;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->freed, NULL);
	pthread_cond_init(&t->scanned, NULL);
	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	status = pthread_create(&t->thread, NULL, run, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (status != 0)
		close_pipe(t->stop_fds);
	return status == 0;
}

void
scan_thread_stop(struct scan_thread *t)
{
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->freed);
	pthread_mutex_unlock(&t->lock);
	/* It may be waiting for input that never comes. */
	descriptor_wake(t->stop_fds[1]);
	pthread_join(t->thread, NULL);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->freed);
	pthread_cond_destroy(&t->scanned);
	close_pipe(t->stop_fds);
}

bool
scan_ahead_start(struct scan_ahead *a, struct scan_thread *t, struct input *in,
    struct line_scanner *scanner, struct line_scanner *callers)
{
	*a = (struct scan_ahead){
		.thread = t, .in = in, .scanner = scanner, .callers = callers
	};
	if (descriptor_pipe(a->ready_fds) < 0)
		return false;
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
	for (size_t i = 0; i < SCAN_AHEAD_BATCHES; i++)
		line_batch_fini(&a->batches[i].batch);
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

	pthread_mutex_lock(&a->thread->lock);
	if (a->filled != a->emptied) {
		b = batch(a, a->emptied);
		mine = b->state == AHEAD_READ;
		if (mine)
			b->state = AHEAD_SCANNING;
		while (!mine && b->state != AHEAD_SCANNED)
			pthread_cond_wait(&a->thread->scanned,
			    &a->thread->lock);
	}
	pthread_mutex_unlock(&a->thread->lock);
	if (mine) {
		line_batch_scan(&b->batch, a->callers);
		finish_scan(a->thread, b);
	}
	return b == NULL ? NULL : &b->batch;
}

void
scan_ahead_done(struct scan_ahead *a)
{
	char byte;

	while (read(a->ready_fds[0], &byte, 1) < 0 && errno == EINTR)
		;
	pthread_mutex_lock(&a->thread->lock);
	a->emptied++;
	pthread_cond_signal(&a->thread->freed);
	pthread_mutex_unlock(&a->thread->lock);
}
