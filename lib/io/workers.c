/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <spawn.h>
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
	STATUS_NO_COMMAND = 127,
	STATUS_CANNOT_RUN = 126,
};

extern char **environ;

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

static void
set_number(const char *name, size_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%zu", number);
	if (setenv(name, text, 1) < 0)
		memory_exhausted();
}

static void
start(struct workers *w, size_t task, char *const argv[])
{
	struct worker *k = &w->workers[task];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int in[2], out[2], wrong;

	if (descriptor_pipe(in) < 0 || descriptor_pipe(out) < 0 ||
	    descriptor_never_block(in[1]) < 0 ||
	    descriptor_never_block(out[0]) < 0)
		die_errno("pipe");
	set_number("PKGROUP_TASK", task);
	sigemptyset(&defaults);
	if (signals_pipe_caught())
		sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	wrong = posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	if (wrong == 0)
		wrong = posix_spawn_file_actions_adddup2(&actions, out[1],
		    STDOUT_FILENO);
	if (wrong == 0)
		wrong = posix_spawnp(&k->pid, argv[0], &actions, &attributes,
		    argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (wrong != 0) {
		errno = wrong;
		warn_errno("%s", argv[0]);
		exit(wrong == ENOENT ? STATUS_NO_COMMAND : STATUS_CANNOT_RUN);
	}
	close(in[0]);
	close(out[1]);
	k->in = in[1];
	k->out = out[0];
	k->writable = true;
}

void
workers_start(struct workers *w, char *const argv[])
{
	w->command = argv[0];
	output_allow(2 * w->n);
	signals_catch_pipe();
	signals_watch_children();
	set_number("PKGROUP_TASKS", w->n);
	for (size_t i = 0; i < w->n; i++)
		start(w, i, argv);
}

static void
send(struct workers *w, size_t task, struct span line)
{
	struct worker *k = &w->workers[task];

	if (w->ending || w->failed)
		return;
	buffer_put(&k->queue, line);
	buffer_byte(&k->queue, '\n');
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

static size_t
pending(const struct worker *k)
{
	return k->queue.n - k->sent;
}

bool
workers_is_full(const struct workers *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (pending(&w->workers[i]) >= QUEUE)
			return true;
	return false;
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
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
	w->deadline_ms = now_ms + PATIENCE_MS;
	w->killing = SIGTERM;
	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];
		const char *left, *end;

		if (pending(k) == 0)
			continue;
		left = end = k->queue.p + k->sent;
		if (k->in_line)
			end = (char *)memchr(left, '\n', pending(k)) + 1;
		k->queue.n = (size_t)(end - k->queue.p);
	}
}

/* The worker takes no more, though there is more, or will be. */
static void
stop(struct workers *w, struct worker *k, int64_t now_ms)
{
	k->stopped = true;
	close_end(&k->in);
	k->queue.n = k->sent = 0;
	fail(w, now_ms);
}

/* Note that n more bytes are sent, and drop what is, when it is half of all. */
static void
note_sent(struct worker *k, size_t n)
{
	k->sent += n;
	k->in_line = k->queue.p[k->sent - 1] != '\n';
	if (k->sent < pending(k))
		return;
	memmove(k->queue.p, k->queue.p + k->sent, pending(k));
	k->queue.n -= k->sent;
	k->sent = 0;
}

static void
write_queue(struct workers *w, struct worker *k, int64_t now_ms)
{
	while (k->in >= 0 && k->writable && pending(k) != 0) {
		ssize_t n = write(k->in, k->queue.p + k->sent, pending(k));

		if (n >= 0) {
			note_sent(k, (size_t)n);
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			k->writable = false;
		} else if (errno == EPIPE) {
			stop(w, k, now_ms);
		} else if (errno != EINTR) {
			die_errno("%s", w->command);
		}
	}
	if ((w->ending || w->failed) && pending(k) == 0)
		close_end(&k->in);
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
				w->status = EXIT_USAGE;
			if (k->pid != 0)
				kill(k->pid, SIGTERM);
			k->told = true;
			close_end(&k->out);
			fail(w, now_ms);
		} else if (n == 0) {
			close_end(&k->out);
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
		w->status = code != 0 ? code : EXIT_USAGE;
	if (code != 0)
		name(w, k, "ended with status", code, more);
	else if (WIFSIGNALED(status) && !k->told)
		name(w, k, "killed by signal", WTERMSIG(status), "");
	else if (early && !WIFSIGNALED(status))
		name(w, k, "ended before its input did", -1, "");
	else if (k->stopped)
		name(w, k, "stopped reading before its input ended", -1, "");
	if (early || WIFSIGNALED(status)) {
		close_end(&k->in);
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
			close_end(&k->out);
			continue;
		}
		kill(k->pid, w->killing);
		k->told = true;
		if (w->killing == SIGKILL)
			close_end(&k->in);
	}
	w->killing = SIGKILL;
	w->deadline_ms = now_ms + PATIENCE_MS;
}

size_t
workers_poll(struct workers *w, struct pollfd *fds)
{
	size_t n = 0;
	bool busy = false;

	for (size_t i = 0; i < w->n; i++)
		busy = busy || pending(&w->workers[i]) != 0;
	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];

		k->in_at = k->out_at = SIZE_MAX;
		if (k->in >= 0) {
			k->in_at = n;
			fds[n++] = (struct pollfd){ k->in,
				pending(k) != 0 ? POLLOUT : 0, 0 };
		}
		/* One that is ahead can wait while others have work to do. */
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
	bool ended = signals_take_children();

	for (size_t i = 0; i < w->n; i++) {
		struct worker *k = &w->workers[i];
		bool open = k->out >= 0;

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
workers_end(struct workers *w, int number, int64_t now_ms)
{
	if (number != 0 && w->deadline_ms == 0) {
		w->deadline_ms = now_ms + PATIENCE_MS;
		w->killing = SIGTERM;
	}
	if (number == SIGTERM)
		for (size_t i = 0; i < w->n; i++) {
			struct worker *k = &w->workers[i];

			write_queue(w, k, now_ms);
			if (k->pid != 0 && !k->told)
				kill(k->pid, SIGTERM);
			k->told = true;
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
