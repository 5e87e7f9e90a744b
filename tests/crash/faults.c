/* SPDX-License-Identifier: ISC */
/*
 * faults - for LD_PRELOAD: after FAULT_AFTER calls that write to a file,
 * each further one fails with the error number FAULT_ERRNO; half of what
 * the first one is to write is written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int
fails(int fd)
{
	static long left = -1;
	static int number;

	if (left < 0) {
		const char *after = getenv("FAULT_AFTER");
		const char *text = getenv("FAULT_ERRNO");

		left = after == NULL ? 0x7fffffff : atol(after) + 1;
		number = text == NULL ? ENOSPC : atoi(text);
	}
	if (fd == STDERR_FILENO)
		return 0;
	if (left > 0 && --left > 0)
		return 0;
	errno = number;
	return 1;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);
	static int torn;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	if (!fails(fd))
		return real(fd, p, n);
	if (!torn && n > 1) {
		torn = 1;
		return real(fd, p, n / 2);
	}
	return -1;
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off_t);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
	return fails(fd) ? -1 : real(fd, p, n, at);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t at)
{
	return pwrite64(fd, p, n, at);
}

int
fdatasync(int fd)
{
	static int (*real)(int);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
	return fails(fd) ? -1 : real(fd);
}

int
fsync(int fd)
{
	static int (*real)(int);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fsync");
	return fails(fd) ? -1 : real(fd);
}
