/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/signals.h"
#include "io/workers.h"

enum {
	QUEUE = 256 * 1024,	 /* a longer one stops the input */
	READ_BLOCK = 128 * 1024, /* from a worker at a time */
	READS = 8,		 /* and so often before others' turn */
	PATIENCE_MS = 1000,	 /* until those that go on are told to end */
	SILENCE_MS = 5000, /* the same after a signal, if none says more */
};

void
workers_init(struct workers *w, size_t n, enum merger_order order,
    const char *tag, struct output *out)
{
	*w = (struct workers){ .n = n,
		.workers = memory_new(n, sizeof *w->workers) };
	merger_init(&w->merger, order, n, tag, out);
}

void
workers_fini(struct workers *w)
{
	for (size_t i = 0; i < w->n; i++)
		buffer_fini(&w->workers[i].queue);
	free(w->workers);
	merger_fini(&w->merger);
}

void
workers_start(struct workers *w, char *const argv[])
{
	w->command = argv[0];
	descriptor_raise_limit(2 * w->n);
	signals_catch_pipe();
	signals_watch_children();
	for (size_t i = 0; i < w->n; i++)
		worker_start(&w->workers[i], i, w->n, argv);
}

static void
send(struct workers *w, size_t task, struct span line)
{
	if (!w->ending && !w->failed)
		worker_put(&w->workers[task], line);
}

void
workers_send(struct workers *w, size_t task, struct span line)
{
	send(w, task, line);
	w->sent++;
}

void
workers_tick(struct workers *w, int64_t ms)
{
	struct buffer tick = { 0 };

	tuple_put_tick(&tick, ms);
	for (size_t i = 0; i < w->n; i++)
		send(w, i, (struct span){ tick.p, tick.n - 1 });
	buffer_fini(&tick);
}

bool
workers_is_full(const struct workers *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (worker_pending(&w->workers[i]) >= QUEUE)
			return true;
	return false;
}

/* From now on those that go on have so long until they are told to end. */
static void
be_patient(struct workers *w, int64_t now_ms)
{
	w->deadline_ms = now_ms + (w->failed ? PATIENCE_MS : SILENCE_MS);
}

/*
 * Nothing more is sent to any worker, but the end of a line that it has the
 * beginning of.
 */
static void
fail(struct workers *w, int64_t now_ms)
{
	if (w->failed)
		return;
	w->failed = true;
	be_patient(w, now_ms);
	w->killing = SIGTERM;
	for (size_t i = 0; i < w->n; i++)
		worker_drop_lines(&w->workers[i]);
}

/* The worker takes no more, though there is more, or will be. */
static void
stop(struct workers *w, struct worker *k, int64_t now_ms)
{
	k->stopped = true;
	worker_close(&k->in);
	k->queue.n = k->sent = 0;
	fail(w, now_ms);
}

static void
write_queue(struct workers *w, struct worker *k, int64_t now_ms)
{
	while (k->in >= 0 && k->writable && worker_pending(k) != 0) {
		ssize_t n =
		    write(k->in, k->queue.p + k->sent, worker_pending(k));

		if (n >= 0) {
			worker_note_sent(k, (size_t)n);
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			k->writable = false;
		} else if (errno == EPIPE) {
			stop(w, k, now_ms);
		} else if (errno != EINTR) {
			die_errno("%s", w->command);
		}
	}
	if ((w->ending || w->failed) && worker_pending(k) == 0)
		worker_close(&k->in);
}

/* Say which worker, and what of it. */
static void
name(const struct workers *w, const struct worker *k, const char *what,
    int number, const char *more)
{
	char text[16] = "";

	if (number >= 0)
		snprintf(text, sizeof text, " %d", number);
	warn_plain("task %td (%s): %s%s%s", k - w->workers, w->command, what,
	    text, more);
}

static void
read_output(struct workers *w, struct worker *k, int64_t now_ms)
{
	size_t task = (size_t)(k - w->workers);
	const char *wrong;

	for (int i = 0; i < READS && k->out >= 0; i++) {
		char *p = merger_room(&w->merger, task, READ_BLOCK);
		ssize_t n = read(k->out, p, READ_BLOCK);

		if (n > 0) {
			wrong = merger_take(&w->merger, task, (size_t)n);
			/* A short read has emptied the pipe. */
			if (wrong == NULL && n < READ_BLOCK / 2)
				return;
			if (wrong == NULL)
				continue;
			name(w, k, wrong, -1, "");
			if (w->status == 0)
				w->status = EXIT_TROUBLE;
			if (k->pid != 0)
				kill(k->pid, SIGTERM);
			k->told = true;
			worker_close(&k->out);
			fail(w, now_ms);
		} else if (n == 0) {
			worker_close(&k->out);
		} else if (errno != EINTR) {
			if (errno != EAGAIN && errno != EWOULDBLOCK)
				die_errno("%s", w->command);
			return;
		}
	}
}

/* What has become of a worker. */
static void
note_end(struct workers *w, struct worker *k, int status, int64_t now_ms)
{
	bool early = k->stopped || (k->in >= 0 && !w->failed);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	const char *more = early ? " before its input did" : "";

	k->pid = 0;
	if (w->status == 0 && (code != 0 || early || WIFSIGNALED(status)))
		w->status = code != 0 ? code : EXIT_TROUBLE;
	if (WIFSIGNALED(status) && WTERMSIG(status) == signals_ending()) {
		/* By the signal that we have, too: nothing to say. */
	} else if (code != 0)
		name(w, k, "ended with status", code, more);
	else if (WIFSIGNALED(status) && !k->told)
		name(w, k, "killed by signal", WTERMSIG(status), "");
	else if (early && !WIFSIGNALED(status))
		name(w, k, "ended before its input did", -1, "");
	else if (k->stopped)
		name(w, k, "stopped reading before its input ended", -1, "");
	if (early || WIFSIGNALED(status)) {
		worker_close(&k->in);
		k->queue.n = k->sent = 0;
		fail(w, now_ms);
		merger_fail(&w->merger, (size_t)(k - w->workers));
	}
}

static void
wait_for_ended(struct workers *w, int64_t now_ms)
{
	int status;
	pid_t ended;

	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];

		if (k->pid == 0)
			continue;
		do
			ended = waitpid(k->pid, &status, WNOHANG);
		while (ended < 0 && errno == EINTR);
		if (ended <= 0)
			continue;
		/* What it has written is still in the pipe. */
		note_end(w, k, status, now_ms);
	}
}

/* Tell those that are still there to end, first kindly. */
static void
end_patience(struct workers *w, int64_t now_ms)
{
	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];

		if (k->pid == 0) {
			/* Whoever has its pipe now is none of ours. */
			worker_close(&k->out);
			continue;
		}
		kill(k->pid, w->killing);
		k->told = true;
		if (w->killing == SIGKILL)
			worker_close(&k->in);
	}
	w->killing = SIGKILL;
	be_patient(w, now_ms);
}

size_t
workers_poll(struct workers *w, struct pollfd *fds)
{
	size_t n = 0;
	bool busy = false;

	for (size_t i = 0; i < w->n; i++)
		busy = busy ||
		    (worker_pending(&w->workers[i]) != 0 &&
			!merger_is_ahead(&w->merger, i));
	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];

		k->in_at = k->out_at = SIZE_MAX;
		if (k->in >= 0) {
			k->in_at = n;
			fds[n++] = (struct pollfd){ k->in,
				worker_pending(k) != 0 ? POLLOUT : 0, 0 };
		}
		/*
		 * One that is ahead can wait while others have work to do; what
		 * it has itself to do waits for it to be read.
		 */
		if (k->out >= 0 && !(busy && merger_is_ahead(&w->merger, i))) {
			k->out_at = n;
			fds[n++] = (struct pollfd){ k->out, POLLIN, 0 };
		}
	}
	return n;
}

void
workers_turn(struct workers *w, const struct pollfd *fds, int64_t now_ms)
{
	bool ended = signals_take_children(), busy = false;

	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];
		bool open = k->out >= 0;

		busy = busy ||
		    (k->in_at != SIZE_MAX && fds[k->in_at].revents != 0) ||
		    (k->out_at != SIZE_MAX && fds[k->out_at].revents != 0);
		if (k->in_at != SIZE_MAX && fds[k->in_at].revents != 0)
			k->writable = true;
		if (k->in_at != SIZE_MAX && k->in >= 0 &&
		    (fds[k->in_at].revents & POLLERR) != 0)
			stop(w, k, now_ms);
		if (k->out_at != SIZE_MAX && fds[k->out_at].revents != 0)
			read_output(w, k, now_ms);
		write_queue(w, k, now_ms);
		ended = ended || (open && k->out < 0);
	}
	if (ended)
		wait_for_ended(w, now_ms);
	if (busy && !w->failed && w->deadline_ms != 0)
		be_patient(w, now_ms);
	for (size_t i = 0; i < w->n; i++)
		if (w->workers[i].pid == 0 && w->workers[i].out < 0)
			merger_end(&w->merger, i);
	if (now_ms >= workers_due(w))
		end_patience(w, now_ms);
	if (workers_are_done(w))
		merger_finish(&w->merger);
}

int64_t
workers_due(const struct workers *w)
{
	return w->deadline_ms == 0 ? INT64_MAX : w->deadline_ms;
}

void
workers_announce_end(const struct workers *w)
{
	for (size_t i = 0; i < w->n; i++)
		descriptor_announce_end(w->workers[i].in);
}

void
workers_end(struct workers *w, int number, int64_t now_ms)
{
	if (number != 0 && w->deadline_ms == 0) {
		be_patient(w, now_ms);
		w->killing = SIGTERM;
	}
	w->ending = true;
	for (size_t i = 0; i < w->n; i++)
		write_queue(w, &w->workers[i], now_ms);
}

bool
workers_are_done(const struct workers *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->workers[i].pid != 0 || w->workers[i].out >= 0)
			return false;
	return true;
}
