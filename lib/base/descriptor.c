/*
 * SPDX-License-Identifier: ISC
 */
#include "base/linux.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/hash.h"

int
descriptor_pipe(int fds[2])
{
	int reason;

	if (pipe(fds) < 0)
		return -1;
	if (fcntl(fds[0], F_SETFD, FD_CLOEXEC) == 0 &&
	    fcntl(fds[1], F_SETFD, FD_CLOEXEC) == 0)
		return 0;
	reason = errno;
	close(fds[0]);
	close(fds[1]);
	errno = reason;
	return -1;
}

int
descriptor_open(const char *name, int flags)
{
	int fd;

	do
		fd = open(name, flags | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int
descriptor_create_beside(const char *path, char *name, size_t size)
{
	uint64_t chance = hash_bytes(span_of(path));

	if ((size_t)snprintf(name, size, "%s.new-%016" PRIx64, path, chance) >=
	    size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
}

int
descriptor_never_block(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK);
}

void
descriptor_widen_pipe(int fd, size_t n)
{
#ifdef HAS_LINUX
	if (fcntl(fd, F_GETPIPE_SZ) < (int)n)
		fcntl(fd, F_SETPIPE_SZ, (int)n);
#else
	(void)fd;
	(void)n;
#endif
}

void
descriptor_wake(int fd)
{
	while (write(fd, "", 1) < 0)
		if (errno != EINTR)
			die_errno("pipe");
}

static bool
is_pipe(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

void
descriptor_announce_end(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (is_pipe(fd))
		fcntl(fd, F_SETLK, &lock);
}

bool
descriptor_will_end(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	struct pollfd ready = { fd, 0, 0 };

	if (!is_pipe(fd))
		return false;
	/* In this order: one that has ended meanwhile has no lock any more. */
	return (fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) ||
	    (poll(&ready, 1, 0) > 0 && (ready.revents & POLLHUP) != 0);
}

ssize_t
descriptor_read_at(int fd, void *p, size_t n, off_t offset)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got =
		    pread(fd, (char *)p + done, n - done, offset + (off_t)done);

		if (got > 0)
			done += (size_t)got;
		else if (got == 0)
			break;
		else if (errno != EINTR)
			return -1;
	}
	return (ssize_t)done;
}

int
descriptor_write(int fd, const char *p, size_t n, bool waits)
{
	size_t done = 0;

	while (done < n) {
		ssize_t put = write(fd, p + done, n - done);

		if (put >= 0)
			done += (size_t)put;
		else if (waits && (errno == EAGAIN || errno == EWOULDBLOCK))
			poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		else if (errno != EINTR)
			return -1;
	}
	return 0;
}

/* Tell whether a descriptor, if it is open, is a file or may be it. */
static bool
is_file(int fd, const struct stat *st)
{
	struct stat own;

	return fstat(fd, &own) < 0 ?
	    errno != EBADF :
	    own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

bool
descriptor_is_standard(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 || is_file(STDOUT_FILENO, &st) ||
	    is_file(STDERR_FILENO, &st);
}

void
descriptor_append_with(int fd)
{
	struct stat st;
	int flags;

	if (fstat(fd, &st) < 0)
		return;
	for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
		if (is_file(i, &st) && (flags = fcntl(i, F_GETFL)) >= 0)
			fcntl(i, F_SETFL, flags | O_APPEND);
}

void
descriptor_raise_limit(size_t n)
{
	struct rlimit limit;
	rlim_t need = (rlim_t)n + 32;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
