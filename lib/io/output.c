/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/signals.h"
#include "io/output.h"

/* Wait so long for a lock. */
enum { LOCKED_MS = 1000, LOCKED_POLL_MS = 5 };

void
output_init(struct output *o, int fd, const char *name)
{
	*o = (struct output){ .fd = fd,
		.block = OUTPUT_BLOCK,
		.name = name,
		.on_terminal = fd >= 0 && isatty(fd) };
}

void
output_enlarge_block(struct output *o)
{
	struct stat st;

	if (fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode))
		o->block = OUTPUT_LARGE_BLOCK;
}

/* Try to lock a file.  False: another process has a lock on it. */
static bool
lock_file(int fd, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };

	return fcntl(fd, F_SETLK, &lock) == 0 ||
	    (errno != EAGAIN && errno != EACCES);
}

/*
 * Lock a regular file, so that other processes do not empty it.  With `empties`,
 * empty it first, unless another process has such a lock.
 */
static void
share(const struct output *o, bool empties)
{
	struct stat st;

	if (fstat(o->fd, &st) < 0)
		die_errno("%s", o->name);
	if (!S_ISREG(st.st_mode))
		return;
	if (empties && !descriptor_is_standard(o->fd) &&
	    lock_file(o->fd, F_WRLCK) && ftruncate(o->fd, 0) < 0)
		die_errno("%s", o->name);
	/* One that is open for writing alone allows no other. */
	lock_file(o->fd, F_UNLCK);
	/* Others have it for no longer than to empty the file. */
	for (int ms = 0; ms < LOCKED_MS && !lock_file(o->fd, F_RDLCK);
	     ms += LOCKED_POLL_MS)
		poll(NULL, 0, LOCKED_POLL_MS);
}

int
output_descriptor(const char *name, int mode)
{
	int fd;

	do {
		if (signals_ending() != 0)
			signals_die(signals_ending());
		fd = open(name, mode | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

static void
open_with(struct output *o, const char *name, bool empties)
{
	struct stat st;

	output_init(o, -1, name);
	if (name == NULL)
		return;
	/* A lock needs one that can be read, but a FIFO is not opened so. */
	if (stat(name, &st) < 0 || S_ISREG(st.st_mode))
		o->fd = output_descriptor(name, O_RDWR);
	if (o->fd < 0)
		o->fd = output_descriptor(name, O_WRONLY);
	if (o->fd < 0)
		die_errno("%s", name);
	descriptor_append_with(o->fd);
	share(o, empties);
}

void
output_open(struct output *o, const char *name)
{
	open_with(o, name, true);
}

void
output_append(struct output *o, const char *name)
{
	open_with(o, name, false);
}

void
output_continue(struct output *o, const char *name)
{
	struct stat st;
	char last;

	output_append(o, name);
	if (name != NULL && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size != 0 &&
	    descriptor_read_at(o->fd, &last, 1, st.st_size - 1) == 1 &&
	    last != '\n')
		buffer_byte(&o->rows, '\n');
}

_Noreturn void
output_broken(const struct output *o)
{
	struct sigaction action;

	diagnostics_erase_line();
	if (signals_pipe_caught() ||
	    (sigaction(SIGPIPE, NULL, &action) == 0 &&
		action.sa_handler != SIG_IGN))
		signals_die(SIGPIPE);
	errno = EPIPE;
	die_errno("%s", o->name);
}

void
output_flush(struct output *o)
{
	if (o->on_terminal && o->rows.n != 0)
		diagnostics_erase_line();
	if (o->writing != NULL && o->rows.n != 0)
		o->writing(o->arg);
	if (o->rows.n == 0)
		return;
	stopwatch_start(&o->watch);
	if (descriptor_write(o->fd, o->rows.p, o->rows.n, true) < 0) {
		if (errno == EPIPE)
			output_broken(o);
		die_errno("%s", o->name);
	}
	stopwatch_stop(&o->watch);
	o->rows.n = 0;
}

void
output_line(struct output *o, struct span line)
{
	buffer_put(&o->rows, line);
	buffer_byte(&o->rows, '\n');
	o->lines++;
	output_rows_added(o);
}

void
output_close(struct output *o)
{
	if (o->fd >= 0) {
		output_flush(o);
		if (close(o->fd) < 0 && errno != EINTR)
			die_errno("%s", o->name);
	}
	buffer_fini(&o->rows);
	o->fd = -1;
}
