/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/descriptor.h"
#include "io/decompressor.h"
#include "io/gzip_zstd.h"

enum {
	IN_BLOCK = 64 * 1024,
	OUT_BLOCK = 128 * 1024,
	PIPE_ROOM = 1024 * 1024,
};

struct decompressor {
	pthread_t thread;
	int from, fds[2];
	struct buffer in; /* what was read */
	struct span rest; /* of that, what is to be decompressed */
	struct gzip_zstd decoder;
	int error;
};

/* False: that cannot be done, mostly as nobody reads from the pipe any more. */
static bool
write_all(struct decompressor *d, const char *p, size_t n)
{
	while (n != 0) {
		ssize_t done = write(d->fds[1], p, n);

		if (done < 0 && errno != EINTR) {
			d->error = errno;
			return false;
		}
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return true;
}

/* Wait for input.  False: nobody reads from the pipe any more. */
static bool
wait_for_input(const struct decompressor *d)
{
	struct pollfd p[] = { { d->from, POLLIN, 0 }, { d->fds[1], 0, 0 } };

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	return p[1].revents == 0;
}

/* False: there is nothing more to be read, or not to any purpose. */
static bool
read_more(struct decompressor *d)
{
	ssize_t n;

	do {
		if (!wait_for_input(d))
			return false;
		n = read(d->from, d->in.p, IN_BLOCK);
	} while (n < 0 &&
	    (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
	if (n < 0)
		d->error = errno;
	else if (n == 0)
		gzip_zstd_end(&d->decoder);
	d->rest = (struct span){ d->in.p, n < 0 ? 0 : (size_t)n };
	return n > 0;
}

static void *
run(void *arg)
{
	struct decompressor *d = arg;
	char *out = memory_new(OUT_BLOCK, 1);
	size_t n;

	do {
		n = gzip_zstd_put(&d->decoder, &d->rest, out, OUT_BLOCK);
		if (!write_all(d, out, n))
			break;
	} while (d->decoder.damage == NULL && (n == OUT_BLOCK || read_more(d)));
	free(out);
	close(d->fds[1]);
	return NULL;
}

/* Signals, that of a pipe that nobody reads from too, are not for it. */
static int
start_thread(struct decompressor *d)
{
	sigset_t all, old;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	status = pthread_create(&d->thread, NULL, run, d);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return status;
}

static void
release(struct decompressor *d)
{
	buffer_fini(&d->in);
	gzip_zstd_fini(&d->decoder);
	free(d);
}

struct decompressor *
decompressor_start(int fd, struct span first)
{
	struct decompressor *d = memory_new(1, sizeof *d);
	int status;

	d->from = fd;
	buffer_room(&d->in, IN_BLOCK);
	buffer_put(&d->in, first);
	d->rest = buffer_span(&d->in);
	if (descriptor_pipe(d->fds) < 0) {
		release(d);
		return NULL;
	}
	/* As much as a pipe may have; with less, turns are more frequent. */
	descriptor_widen_pipe(d->fds[0], PIPE_ROOM);
	status = start_thread(d);
	if (status == 0)
		return d;
	close(d->fds[0]);
	close(d->fds[1]);
	release(d);
	errno = status;
	return NULL;
}

int
decompressor_fd(const struct decompressor *d)
{
	return d->fds[0];
}

void
decompressor_stop(struct decompressor *d, struct decompressed *how)
{
	close(d->fds[0]);
	pthread_join(d->thread, NULL);
	*how = (struct decompressed){ d->decoder.damage, d->error };
	release(d);
}
