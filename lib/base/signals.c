/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/signals.h"

/* timeout(1) sends its signal to the command, and again to its whole group. */
enum { SAME_NS = 20000000 };

static volatile sig_atomic_t ending, report, children, let_die;
static int64_t ending_ns; /* when that came; used by the handler alone */
static bool sigpipe_caught;
static int wake_fds[2] = { -1, -1 };

static void
handle(int number)
{
	int saved = errno;
	ssize_t ignored;

	if (number == SIGUSR1) {
		report = 1;
	} else if (number == SIGCHLD) {
		children = 1;
	} else if (ending == 0 && let_die == 0) {
		ending_ns = clock_now_ns();
		ending = number;
	} else if (let_die != 0 || number != ending ||
	    clock_now_ns() - ending_ns > SAME_NS) {
		signal(number, SIG_DFL);
		raise(number);
		/* No default action ends the first process of a container. */
		if (getpid() == 1)
			_exit(128 + number);
	}
	/* A full pipe is readable, which is all that counts. */
	ignored = write(wake_fds[1], "", 1);
	(void)ignored;
	errno = saved;
}

void
signals_init(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction action = { .sa_handler = handle }, old;

	if (descriptor_pipe(wake_fds) < 0 ||
	    descriptor_never_block(wake_fds[0]) < 0 ||
	    descriptor_never_block(wake_fds[1]) < 0)
		die_errno("pipe");
	/* Without SA_RESTART: a read that waits is to come back. */
	sigemptyset(&action.sa_mask);
	/* One at a time: of two that come at once one is the second. */
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		sigaddset(&action.sa_mask, numbers[i]);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if (sigaction(numbers[i], NULL, &old) < 0 ||
		    old.sa_handler == SIG_IGN)
			continue;
		if (sigaction(numbers[i], &action, NULL) < 0)
			die_errno("sigaction");
	}
}

int
signals_fd(void)
{
	return wake_fds[0];
}

void
signals_drain(void)
{
	char bytes[64];

	while (read(wake_fds[0], bytes, sizeof bytes) > 0)
		;
}

int
signals_ending(void)
{
	return ending;
}

bool
signals_take_report(void)
{
	bool was = report != 0;

	report = 0;
	return was;
}

void
signals_catch_pipe(void)
{
	sigpipe_caught = signal(SIGPIPE, SIG_IGN) == SIG_DFL;
}

bool
signals_pipe_caught(void)
{
	return sigpipe_caught;
}

void
signals_watch_children(void)
{
	struct sigaction action = { .sa_handler = handle,
		.sa_flags = SA_NOCLDSTOP };
	sigset_t children_alone;

	sigemptyset(&action.sa_mask);
	sigemptyset(&children_alone);
	sigaddset(&children_alone, SIGCHLD);
	/* Whoever started this may have blocked it. */
	if (sigaction(SIGCHLD, &action, NULL) < 0 ||
	    sigprocmask(SIG_UNBLOCK, &children_alone, NULL) < 0)
		die_errno("sigaction");
}

bool
signals_take_children(void)
{
	bool was = children != 0;

	children = 0;
	return was;
}

void
signals_let_die(void)
{
	let_die = 1;
	if (ending != 0)
		signals_die(ending);
}

void
signals_die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
	exit(128 + number);
}
