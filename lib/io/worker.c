/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/signals.h"
#include "io/worker.h"

enum { STATUS_NO_COMMAND = 127, STATUS_CANNOT_RUN = 126 };

extern char **environ;

static void
set_number(const char *name, size_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%zu", number);
	if (setenv(name, text, 1) < 0)
		memory_exhausted();
}

void
worker_start(struct worker *k, size_t task, size_t ntasks, char *const argv[])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int in[2], out[2], wrong;

	if (descriptor_pipe(in) < 0 || descriptor_pipe(out) < 0 ||
	    descriptor_never_block(in[1]) < 0 ||
	    descriptor_never_block(out[0]) < 0)
		die_errno("pipe");
	set_number("PKGROUP_TASK", task);
	set_number("PKGROUP_TASKS", ntasks);
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
worker_put(struct worker *k, struct span line)
{
	buffer_put(&k->queue, line);
	buffer_byte(&k->queue, '\n');
}

void
worker_note_sent(struct worker *k, size_t n)
{
	/* What is sent is dropped when it is half of all. */
	k->sent += n;
	k->in_line = k->queue.p[k->sent - 1] != '\n';
	if (k->sent < worker_pending(k))
		return;
	memmove(k->queue.p, k->queue.p + k->sent, worker_pending(k));
	k->queue.n -= k->sent;
	k->sent = 0;
}

void
worker_drop_lines(struct worker *k)
{
	const char *left, *end;

	if (worker_pending(k) == 0)
		return;
	left = end = k->queue.p + k->sent;
	if (k->in_line)
		end = (char *)memchr(left, '\n', worker_pending(k)) + 1;
	k->queue.n = (size_t)(end - k->queue.p);
}

void
worker_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
