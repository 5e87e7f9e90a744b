/*
 * faulty - the seam between the library and the system in a unit program: what
 * the library asks of read(2), write(2), close(2) and poll(2) goes through the
 * functions here, which note each call, and do to it what the test has planned.
 *
 *	FAULTY(write, -EINTR, 3, 0, -ENOSPC);
 *
 * lets the next write fail with EINTR, the one after that take three bytes, one
 * do as it likes, and one fail for want of room; what comes then goes well.  The
 * calls that were noted before are forgotten.
 *
 * The linker puts them there: the Makefile has --wrap=read and the like for
 * each unit program that includes this.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef FAULTY_H
#define FAULTY_H

#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/signals.h"
#include "check.h"

enum { FAULTY_MOST = 16 };

/* What is planned for the next calls of a function. */
struct faulty {
	int how[FAULTY_MOST];
	size_t n, at;
};

static struct faulty faulty_read, faulty_write, faulty_close, faulty_poll;

/*
 * The calls so far: r, w, c, p; but those for stderr, and for the pipe by which
 * signals come, which are let be.
 */
static char faulty_calls[64];

#define FAULTY(call, ...)                                         \
	faulty_plan(&faulty_##call, (const int[]){ __VA_ARGS__ }, \
	    sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static inline void
faulty_plan(struct faulty *f, const int *how, size_t n)
{
	if (!CHECK(n <= FAULTY_MOST))
		exit(1);
	memcpy(f->how, how, n * sizeof *how);
	f->n = n;
	f->at = 0;
	faulty_calls[0] = '\0';
}

/* What is planned for a call: how many bytes at the most, or -1 and errno. */
static inline ssize_t
faulty_next(struct faulty *f, char call, size_t n)
{
	size_t at = strlen(faulty_calls);
	int how = f->at < f->n ? f->how[f->at++] : 0;

	if (at + 1 < sizeof faulty_calls) {
		faulty_calls[at] = call;
		faulty_calls[at + 1] = '\0';
	}
	if (how < 0) {
		errno = -how;
		return -1;
	}
	return how == 0 || n < (size_t)how ? (ssize_t)n : how;
}

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __real_write(int fd, const void *from, size_t n);
int __real_close(int fd);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);

ssize_t
__wrap_read(int fd, void *to, size_t n)
{
	ssize_t most =
	    fd == signals_fd() ? (ssize_t)n : faulty_next(&faulty_read, 'r', n);

	return most < 0 ? -1 : __real_read(fd, to, (size_t)most);
}

ssize_t
__wrap_write(int fd, const void *from, size_t n)
{
	ssize_t most = fd == STDERR_FILENO ? (ssize_t)n :
					     faulty_next(&faulty_write, 'w', n);

	return most < 0 ? -1 : __real_write(fd, from, (size_t)most);
}

int
__wrap_close(int fd)
{
	return faulty_next(&faulty_close, 'c', 1) < 0 ? -1 : __real_close(fd);
}

int
__wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	return faulty_next(&faulty_poll, 'p', 1) < 0 ?
	    -1 :
	    __real_poll(fds, n, timeout);
}

/*
 * Run fn in a process of its own, in which what it does may end the program.
 * Returns the exit status; *said becomes what it wrote to stderr.
 */
static inline int
faulty_run(void (*fn)(void), struct buffer *said)
{
	int ends[2], status = 0;
	ssize_t n;
	pid_t pid;

	fflush(NULL);
	if (!CHECK(pipe(ends) == 0) || !CHECK((pid = fork()) >= 0))
		exit(1);
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		fn();
		exit(0);
	}
	__real_close(ends[1]);
	said->n = 0;
	while ((n = __real_read(ends[0], buffer_room(said, 256), 256)) > 0)
		said->n += (size_t)n;
	__real_close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	buffer_byte(said, '\0');
	return WEXITSTATUS(status);
}

#endif
