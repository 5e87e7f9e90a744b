/* SPDX-License-Identifier: ISC */
/*
 * faults - for LD_PRELOAD: counts the calls that a program and its libraries
 * make of the functions below, and lets one of them fail.
 *
 *	FAULT_COUNTS=FILE	a file of zeros, as long as `struct counts`,
 *				where the counts are kept; does nothing without
 *	FAULT=WHAT:N:HOW[+]	the Nth call, from 1, of WHAT (a function,
 *				`memory` or `disk`) fails with the error number
 *				HOW, or moves a single byte where that is 0;
 *				with + each call after it does so, too, and of
 *				a write that is the first to fail a half is
 *				written
 *	FAULT_CLOCK=MS		each look at the clock finds it so much later
 *
 * Programs that the program starts, and what is written to stderr, are left
 * alone.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
#define CALLS(X) \
	X(malloc) X(calloc) X(realloc) \
	X(write) X(pwrite) X(fsync) X(fdatasync) X(ftruncate) \
	X(access) X(close) X(dup) X(fchmod) X(fclose) X(fcntl) X(fflush) \
	X(fopen) X(fwrite) X(fstat) X(getcwd) X(getrandom) \
	X(link) X(lseek) X(lstat) X(mmap) X(open) X(pipe) X(poll) \
	X(posix_spawnp) X(pread) X(pthread_create) X(read) X(realpath) \
	X(rename) X(setenv) X(stat) X(unlink) X(waitpid)
#define CALL_NUMBER(name) CALL_##name,
#define CALL_NAME(name) #name,
/* clang-format on */

enum call { CALLS(CALL_NUMBER) NCALLS };

static const char *const names[] = { CALLS(CALL_NAME) };

struct counts {
	uint64_t failed;
	struct {
		char name[24];
		uint64_t n;
	} calls[NCALLS];
};

static struct counts *counts; /* NULL: not yet, or not wanted */
static struct {
	enum call first, last;
	uint64_t at;
	int number;
	char more; /* '+' */
} fault;
static int64_t clock_step_ms, clock_looks;

/* Which calls are meant by a name. */
static void
set_calls(const char *what)
{
	if (strcmp(what, "memory") == 0) {
		fault.first = CALL_malloc;
		fault.last = CALL_realloc;
	} else if (strcmp(what, "disk") == 0) {
		fault.first = CALL_write;
		fault.last = CALL_ftruncate;
	} else {
		while (strcmp(what, names[fault.first]) != 0)
			fault.first++;
		fault.last = fault.first;
	}
}

__attribute__((constructor)) static void
start(void)
{
	const char *file = getenv("FAULT_COUNTS"), *text = getenv("FAULT");
	const char *step = getenv("FAULT_CLOCK");
	struct counts *c;
	char what[24];
	int fd;

	unsetenv("LD_PRELOAD");
	if (file == NULL || (fd = open(file, O_RDWR | O_CLOEXEC)) < 0)
		return;
	c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	for (int i = 0; i < NCALLS; i++)
		strcpy(c->calls[i].name, names[i]);
	if (text != NULL &&
	    sscanf(text, "%23[^:]:%" SCNu64 ":%d%c", what, &fault.at,
		&fault.number, &fault.more) >= 3)
		set_calls(what);
	clock_step_ms = step == NULL ? 0 : atol(step);
	counts = c;
}

enum fate { WELL, SHORT, TORN, BADLY };

static enum fate
fate(enum call call)
{
	uint64_t n = 0;

	if (counts == NULL)
		return WELL;
	__atomic_add_fetch(&counts->calls[call].n, 1, __ATOMIC_RELAXED);
	if (fault.at == 0 || call < fault.first || call > fault.last)
		return WELL;
	for (enum call c = fault.first; c <= fault.last; c++)
		n += counts->calls[c].n;
	if (n < fault.at || (n > fault.at && fault.more != '+'))
		return WELL;
	errno = fault.number;
	if (fault.number == 0)
		return counts->failed++, SHORT;
	return counts->failed++ == 0 && fault.more == '+' ? TORN : BADLY;
}

/* How many of n bytes a call may move; -1: it fails. */
static ssize_t
share(enum call call, int fd, size_t n)
{
	enum fate f = fd == STDERR_FILENO ? WELL : fate(call);

	if (f == SHORT && n > 1)
		n = 1;
	if (f == TORN && n > 1 && (call == CALL_write || call == CALL_pwrite))
		n /= 2;
	else if (f == TORN)
		f = BADLY;
	return f == BADLY ? -1 : (ssize_t)n;
}

#define NEXT(type, symbol, params) \
	static type(*next) params; \
	if (next == NULL)          \
	*(void **)&next = dlsym(RTLD_NEXT, #symbol)

/* A function that returns `failed` where it fails. */
#define CALL(type, symbol, name, failed, params, args)                 \
	type symbol params                                             \
	{                                                              \
		NEXT(type, symbol, params);                            \
		return fate(CALL_##name) >= TORN ? failed : next args; \
	}

#define INT_CALL(symbol, name, params, args) \
	CALL(int, symbol, name, -1, params, args)

/* One that moves n bytes from or to fd. */
#define TRANSFER(symbol, name, params, args)              \
	ssize_t symbol params                             \
	{                                                 \
		NEXT(ssize_t, symbol, params);            \
		ssize_t some = share(CALL_##name, fd, n); \
		if (some < 0)                             \
			return -1;                        \
		n = (size_t)some;                         \
		return next args;                         \
	}

/* dlsym may need these. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void *
malloc(size_t n)
{
	return fate(CALL_malloc) >= TORN ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fate(CALL_calloc) >= TORN ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fate(CALL_realloc) >= TORN ? NULL : __libc_realloc(p, n);
}

TRANSFER(read, read, (int fd, void *p, size_t n), (fd, p, n))
TRANSFER(write, write, (int fd, const void *p, size_t n), (fd, p, n))
TRANSFER(pread, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
TRANSFER(pread64, pread, (int fd, void *p, size_t n, off64_t at),
    (fd, p, n, at))
TRANSFER(pwrite64, pwrite, (int fd, const void *p, size_t n, off64_t at),
    (fd, p, n, at))

INT_CALL(access, access, (const char *path, int mode), (path, mode))
INT_CALL(dup, dup, (int fd), (fd))
INT_CALL(fchmod, fchmod, (int fd, mode_t mode), (fd, mode))
INT_CALL(fdatasync, fdatasync, (int fd), (fd))
INT_CALL(fsync, fsync, (int fd), (fd))
INT_CALL(fstat, fstat, (int fd, struct stat *st), (fd, st))
INT_CALL(fstat64, fstat, (int fd, struct stat64 *st), (fd, st))
INT_CALL(stat, stat, (const char *path, struct stat *st), (path, st))
INT_CALL(stat64, stat, (const char *path, struct stat64 *st), (path, st))
INT_CALL(lstat, lstat, (const char *path, struct stat *st), (path, st))
INT_CALL(lstat64, lstat, (const char *path, struct stat64 *st), (path, st))
INT_CALL(ftruncate, ftruncate, (int fd, off_t n), (fd, n))
INT_CALL(ftruncate64, ftruncate, (int fd, off64_t n), (fd, n))
INT_CALL(link, link, (const char *from, const char *to), (from, to))
INT_CALL(rename, rename, (const char *from, const char *to), (from, to))
INT_CALL(unlink, unlink, (const char *path), (path))
INT_CALL(pipe, pipe, (int fds[2]), (fds))
INT_CALL(poll, poll, (struct pollfd * p, nfds_t n, int ms), (p, n, ms))
INT_CALL(setenv, setenv, (const char *name, const char *value, int over),
    (name, value, over))
CALL(pid_t, waitpid, waitpid, -1, (pid_t pid, int *status, int options),
    (pid, status, options))
CALL(off_t, lseek, lseek, -1, (int fd, off_t at, int from), (fd, at, from))
CALL(ssize_t, getrandom, getrandom, -1, (void *p, size_t n, unsigned flags),
    (p, n, flags))
CALL(char *, getcwd, getcwd, NULL, (char *p, size_t n), (p, n))
CALL(char *, realpath, realpath, NULL, (const char *path, char *p), (path, p))
CALL(void *, mmap, mmap, MAP_FAILED,
    (void *at, size_t n, int prot, int flags, int fd, off_t from),
    (at, n, prot, flags, fd, from))
CALL(void *, mmap64, mmap, MAP_FAILED,
    (void *at, size_t n, int prot, int flags, int fd, off64_t from),
    (at, n, prot, flags, fd, from))
CALL(int, pthread_create, pthread_create, errno,
    (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *),
	void *arg),
    (thread, attributes, run, arg))
CALL(int, posix_spawnp, posix_spawnp, errno,
    (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const *argv,
	char *const *environment),
    (pid, file, actions, attributes, argv, environment))
CALL(FILE *, fopen, fopen, NULL, (const char *path, const char *mode),
    (path, mode))
CALL(int, fclose, fclose, EOF, (FILE * fp), (fp))

/* The descriptor is gone, whatever the system says. */
int
close(int fd)
{
	NEXT(int, close, (int));
	int status = next(fd);

	return fate(CALL_close) >= TORN ? -1 : status;
}

int
fflush(FILE *fp)
{
	NEXT(int, fflush, (FILE *));

	if (fp == NULL || fp == stderr)
		return next(fp);
	return fate(CALL_fflush) >= TORN ? EOF : next(fp);
}

size_t
fwrite(const void *p, size_t size, size_t n, FILE *fp)
{
	NEXT(size_t, fwrite, (const void *, size_t, size_t, FILE *));

	if (fp != stderr && fate(CALL_fwrite) >= TORN)
		return 0;
	return next(p, size, n, fp);
}

/* These two have one further argument, or none. */
#define OPEN(symbol)                                                           \
	int symbol(const char *path, int flags, ...)                           \
	{                                                                      \
		NEXT(int, symbol, (const char *, int, ...));                   \
		va_list ap;                                                    \
		va_start(ap, flags);                                           \
		mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;        \
		va_end(ap);                                                    \
		return fate(CALL_open) >= TORN ? -1 : next(path, flags, mode); \
	}
#define FCNTL(symbol)                                                       \
	int symbol(int fd, int what, ...)                                   \
	{                                                                   \
		NEXT(int, symbol, (int, int, ...));                         \
		va_list ap;                                                 \
		va_start(ap, what);                                         \
		void *arg = va_arg(ap, void *);                             \
		va_end(ap);                                                 \
		return fate(CALL_fcntl) >= TORN ? -1 : next(fd, what, arg); \
	}

OPEN(open)
OPEN(open64)
FCNTL(fcntl)
FCNTL(fcntl64)

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	NEXT(int, clock_gettime, (clockid_t, struct timespec *));
	int64_t ms;

	if (clock_step_ms == 0)
		return next(clock, now);
	ms = clock_step_ms *
	    __atomic_add_fetch(&clock_looks, 1, __ATOMIC_RELAXED);
	*now = (struct timespec){ 1700000000 + ms / 1000, ms % 1000 * 1000000 };
	return 0;
}
