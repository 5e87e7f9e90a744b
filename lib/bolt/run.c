/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/signals.h"
#include "bolt/run.h"

/* What is longer is for ever. */
enum { LONG_WAIT_MS = 86400000 };

void
run_start(struct run *r, const char *command)
{
	struct stat st;

	signals_init();
	r->command = command;
	r->start_ns = clock_now_ns();
	r->start_cpu_ns = clock_thread_ns();
	output_init(&r->out, STDOUT_FILENO, "stdout");
	output_enlarge_block(&r->out);
	r->stdout_is_pipe = fstat(STDOUT_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

void
run_open_stats(struct run *r, const char *name)
{
	r->stats = -1;
	if (name == NULL)
		return;
	r->stats_name = *name == '\0' ? "stderr" : name;
	r->stats =
	    *name == '\0' ? STDERR_FILENO : output_descriptor(name, O_WRONLY);
	if (r->stats < 0)
		die_errno("%s", name);
}

void
run_count(struct run *r, struct buffer *members)
{
	if (r->update != NULL)
		r->update(r, members);
	r->counters.ns = clock_now_ns() - r->start_ns;
}

/* Write the counters.  -1, and errno, where fd does not take them. */
static int
print_stats(struct run *r, int fd)
{
	struct buffer members = { 0 };
	int status;

	run_count(r, &members);
	diagnostics_erase_line();
	status =
	    counters_print(&r->counters, r->command, buffer_span(&members), fd);
	buffer_fini(&members);
	return status;
}

bool
run_heed_signals(struct run *r, int64_t now_ms)
{
	/* Before looking: a signal that comes later ends the next wait. */
	signals_drain();
	if (signals_take_report())
		print_stats(r, STDERR_FILENO);
	if (signals_ending() == 0)
		return true;
	if (r->ending_ms == 0) {
		descriptor_announce_end(STDOUT_FILENO);
		r->ending_ms = r->waits ? INT64_MAX : now_ms + RUN_GRACE_MS;
	}
	return now_ms < r->ending_ms;
}

void
run_read_on(struct run *r, int64_t now_ms)
{
	r->ending_ms = now_ms + RUN_GRACE_MS;
}

size_t
run_wait(struct run *r, struct pollfd *fds, size_t n, int64_t now_ms,
    int64_t until_ms)
{
	int64_t left;
	size_t ready = 0;

	if (r->ending_ms > now_ms && r->ending_ms < until_ms)
		until_ms = r->ending_ms;
	left = until_ms > now_ms ? until_ms - now_ms : 0;
	fds[n] = (struct pollfd){ signals_fd(), POLLIN, 0 };
	fds[n + 1] =
	    (struct pollfd){ r->stdout_is_pipe ? STDOUT_FILENO : -1, 0, 0 };
	for (size_t i = 0; i < n; i++)
		fds[i].revents = 0;
	if (poll(fds, (nfds_t)(n + RUN_EXTRA),
		left > LONG_WAIT_MS ? -1 : (int)left) <= 0)
		return 0;
	/* A pipe without reader has POLLERR, a socket POLLHUP. */
	if ((fds[n + 1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
		output_broken(&r->out);
	for (size_t i = 0; i < n; i++)
		ready += fds[i].revents != 0;
	return ready;
}

static void
write_stats(struct run *r)
{
	if (r->stats < 0)
		return;
	/*
	 * Not when it was opened: a command that is refused leaves those of
	 * the run before.  What is no regular file has no length.
	 */
	if (!descriptor_is_standard(r->stats) && ftruncate(r->stats, 0) < 0 &&
	    errno != EINVAL)
		die_errno("%s", r->stats_name);
	if (print_stats(r, r->stats) < 0 ||
	    (r->stats != STDERR_FILENO && close(r->stats) < 0 &&
		errno != EINTR))
		die_errno("%s", r->stats_name);
	r->stats = -1;
}

void
run_finish(struct run *r)
{
	output_close(&r->out);
	write_stats(r);
}

int
run_status(int status)
{
	if (signals_ending() != 0)
		signals_die(signals_ending());
	return status;
}
