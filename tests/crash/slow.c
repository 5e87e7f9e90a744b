/* SPDX-License-Identifier: ISC */
/*
 * slow - for LD_PRELOAD: one in four calls that open or read a file first sleeps, for
 * up to SLOW_US microseconds, so that others have time to change it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void
dawdle(void)
{
	static unsigned seed;
	const char *most = getenv("SLOW_US");

	if (seed == 0)
		seed = (unsigned)getpid();
	if (most != NULL && atol(most) > 0 && rand_r(&seed) % 4 == 0)
		nanosleep(&(struct timespec){ .tv_nsec = rand_r(&seed) %
				  atol(most) * 1000 },
		    NULL);
}

static void *
real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

int
open64(const char *path, int flags, ...)
{
	static int (*open_)(const char *, int, ...);
	mode_t mode = 0;
	va_list ap;

	if (open_ == NULL)
		*(void **)&open_ = real("open64");
	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	dawdle();
	return open_(path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return open64(path, flags, mode);
}

ssize_t
read(int fd, void *p, size_t n)
{
	static ssize_t (*read_)(int, void *, size_t);

	if (read_ == NULL)
		*(void **)&read_ = real("read");
	dawdle();
	return read_(fd, p, n);
}

ssize_t
pread64(int fd, void *p, size_t n, off_t at)
{
	static ssize_t (*pread_)(int, void *, size_t, off_t);

	if (pread_ == NULL)
		*(void **)&pread_ = real("pread64");
	dawdle();
	return pread_(fd, p, n, at);
}

ssize_t
pread(int fd, void *p, size_t n, off_t at)
{
	return pread64(fd, p, n, at);
}
