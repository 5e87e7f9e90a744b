/* SPDX-License-Identifier: ISC */
/*
 * faults - for LD_PRELOAD: after FAULT_AFTER calls that write to a file,
 * FAULT_TIMES further ones (all) fail with the error number FAULT_ERRNO; half
 * of what the first one is to write is written.  With FAULT_CALL it is the
 * calls of that name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long
number_of(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text == NULL ? otherwise : atol(text);
}

static int
fails(const char *call, int writes, int fd)
{
	static long left = -1, times;
	const char *only = getenv("FAULT_CALL");

	if (left < 0) {
		left = number_of("FAULT_AFTER", 0x7fffffff) + 1;
		times = number_of("FAULT_TIMES", 0x7fffffff);
	}
	if (fd == STDERR_FILENO ||
	    (only == NULL ? !writes : strcmp(only, call) != 0))
		return 0;
	if ((left > 0 && --left > 0) || times-- <= 0)
		return 0;
	errno = (int)number_of("FAULT_ERRNO", ENOSPC);
	return 1;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);
	static int torn;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	if (!fails("write", 1, fd))
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
	return fails("pwrite64", 1, fd) ? -1 : real(fd, p, n, at);
}

ssize_t
pread64(int fd, void *p, size_t n, off_t at)
{
	static ssize_t (*real)(int, void *, size_t, off_t);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "pread64");
	return fails("pread", 0, fd) ? -1 : real(fd, p, n, at);
}

ssize_t
pread(int fd, void *p, size_t n, off_t at)
{
	return pread64(fd, p, n, at);
}

int
fstat(int fd, struct stat *st)
{
	static int (*real)(int, struct stat *);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fstat");
	return fails("fstat", 0, fd) ? -1 : real(fd, st);
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
	return fails("fdatasync", 1, fd) ? -1 : real(fd);
}

int
fsync(int fd)
{
	static int (*real)(int);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fsync");
	return fails("fsync", 1, fd) ? -1 : real(fd);
}
