/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "io/decompressor.h"
#include "io/gzip_zstd.h"
#include "io/input_internal.h"
#include "json/scanner.h"
#include "tuple/options.h"

enum {
	READ_BLOCK = 256 * 1024,
	/* After so many bytes a pipe is given as much room. */
	LONG_PIPE = 1 << 20,
};

static char *const just_stdin[] = { (char *)(uintptr_t) "-" };

const char *
input_name(const struct input *in)
{
	size_t at = in->at < in->nnames ? in->at : in->nnames - 1;

	return operand_name(in->names[at]);
}

/* Complain early about what cannot be read, and add up the sizes. */
static void
check_files(struct input *in)
{
	in->files = true;
	for (size_t i = 0; i < in->nnames; i++) {
		const char *name = in->names[i];
		struct stat st;

		if (operand_is_stdin(name) ?
			fstat(STDIN_FILENO, &st) < 0 :
			stat(name, &st) < 0 || access(name, R_OK) < 0)
			die_errno("%s", operand_name(name));
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			die_errno("%s", operand_name(name));
		}
		in->files &= S_ISREG(st.st_mode);
		if (!S_ISREG(st.st_mode))
			in->size = -1;
		else if (in->size >= 0)
			in->size += st.st_size;
	}
}

/* Ask where to begin, and go there. */
static void
begin_file(struct input *in)
{
	off_t at;

	in->offset = in->regular ? lseek(in->fd, 0, SEEK_CUR) : 0;
	in->line = 0;
	if (in->hooks == NULL)
		return;
	at = in->hooks->opened(in->hooks->arg, in->at, in->fd, &in->line);
	in->first = at == 0;
	if (at == INPUT_USED_UP) {
		in->ended = true;
		return;
	}
	if (!in->regular)
		in->skip = at;
	else if (at != in->offset &&
	    (in->offset = lseek(in->fd, at, SEEK_SET)) < 0)
		die_errno("%s", input_name(in));
}

/* Where in the buffer what is used ends. */
static size_t
used_end(const struct input *in)
{
	/* The newline that was put after the last line is not in the file. */
	return in->start - (in->padded && in->start == in->end);
}

off_t
input_offset(const struct input *in)
{
	if (in->in_long)
		return in->long_at;
	return in->offset - (off_t)(in->end - in->padded - used_end(in));
}

uint64_t
input_line_number(const struct input *in)
{
	return in->line - in->in_long;
}

void
input_tell(struct input *in)
{
	size_t end = used_end(in);

	if (in->hooks != NULL && in->hooks->used != NULL && in->told < end)
		in->hooks->used(in->hooks->arg,
		    (struct span){ in->p + in->told, end - in->told });
	in->told = end;
}

/*
 * See what kind of file is open: whether its content is compressed shows now,
 * if it has one, or when something comes.
 */
static int
look_at_file(struct input *in)
{
	char first[GZIP_ZSTD_MAGIC];
	struct stat st;
	ssize_t n;

	if (fstat(in->fd, &st) < 0)
		return -1;
	in->regular = S_ISREG(st.st_mode);
	in->compressed = false;
	in->unknown = !in->regular;
	if (!in->regular)
		return 0;
	n = descriptor_read_at(in->fd, first, sizeof first,
	    lseek(in->fd, 0, SEEK_CUR));
	if (n < 0)
		return -1;
	in->compressed = gzip_zstd_detect((struct span){ first, (size_t)n }) ==
	    GZIP_ZSTD_COMPRESSED;
	in->regular = !in->compressed;
	return 0;
}

/* False, and errno: it is not there to be opened. */
static bool
open_file(struct input *in)
{
	const char *name = in->names[in->at];

	/* A FIFO that nobody writes to yet is waited for like other input. */
	in->fd = operand_is_stdin(name) ?
	    STDIN_FILENO :
	    descriptor_open(name, O_RDONLY | O_NONBLOCK);
	if (in->fd < 0)
		return false;
	if (look_at_file(in) < 0 ||
	    (!operand_is_stdin(name) && fcntl(in->fd, F_SETFL, 0) < 0)) {
		input_fail(in);
		return true;
	}
	in->wide = false;
	in->first = true;
	begin_file(in);
	return true;
}

/*
 * A file is opened anew, as the hooks see what its name is now: that may be
 * another file.
 */
void
input_resume(struct input *in, const struct input_hooks *hooks)
{
	in->hooks = hooks;
	if ((in->regular || in->compressed) && in->fd != STDIN_FILENO) {
		close(in->fd);
		if (!open_file(in))
			input_fail(in);
	} else {
		begin_file(in);
	}
}

void
input_init(struct input *in, char *const *names, size_t n, size_t max_line)
{
	*in = (struct input){ .names = n == 0 ? just_stdin : names,
		.nnames = n == 0 ? 1 : n,
		.max_line = max_line,
		.fd = -1 };
	check_files(in);
	if (!open_file(in))
		input_fail(in);
	if (input_report_failure(in))
		exit(EXIT_TROUBLE);
	in->p = memory_grow(NULL, &in->cap, READ_BLOCK + JSON_PAD, 1);
}

void
input_fini(struct input *in)
{
	struct decompressed how;

	if (in->decompressor != NULL)
		decompressor_stop(in->decompressor, &how);
	free(in->damages);
	free(in->p);
	in->p = NULL;
}

/*
 * Tell whether what is left of the file is to wait for its rest.  A compressed
 * file has all its lines.
 */
static bool
waits(const struct input *in)
{
	return in->hooks != NULL && !in->compressed &&
	    (in->regular ? in->hooks->keep_last :
			   in->hooks->keep_last_of_pipes);
}

/* Skip what an earlier run has used of what was just read, and tell hooks. */
static void
pass_over(struct input *in)
{
	off_t n = (off_t)(in->end - in->start);
	off_t skip = in->skip < n ? in->skip : n;

	in->start += (size_t)skip;
	in->skip -= skip;
	input_tell(in);
}

/*
 * Let the writer of a pipe get further ahead: 64 KiB, as they begin, cost two
 * processes on two processors 15 % more time.
 */
static void
widen(struct input *in)
{
	in->wide = true;
	descriptor_widen_pipe(in->fd, READ_BLOCK);
}

/* Count n bytes that were read, of which some may have been used before. */
static void
count_in(struct input *in, size_t n)
{
	in->bytes += n;
	in->offset += (off_t)n;
	if (!in->regular && !in->wide && in->bytes >= LONG_PIPE)
		widen(in);
	if (in->skip != 0)
		pass_over(in);
}

/* Go on to the next file; what is left of this one is its last line. */
static void
end_file(struct input *in)
{
	if (in->unknown) { /* it is too short to be compressed, so it is text */
		in->unknown = false;
		count_in(in, in->end - in->start);
	}
	if (in->first)
		input_skip_bom(in);
	if (!in->ended && (in->start < in->end || in->in_long) && !waits(in) &&
	    !in->is_damaged) {
		in->padded = in->start == in->end || in->p[in->end - 1] != '\n';
		if (in->padded)
			in->p[in->end++] = '\n';
		in->ended = true;
		return;
	}
	input_tell(in);
	if (in->hooks != NULL && in->hooks->left != NULL)
		in->hooks->left(in->hooks->arg);
	in->ended = in->padded = in->is_damaged = false;
	in->in_long = false;
	in->start = in->end = in->searched = in->told = 0;
	in->skip = 0;
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	/* All could be opened once; one that is gone is no reason to stop. */
	while (++in->at < in->nnames && !open_file(in))
		input_note_damage(in, NULL, errno);
}

/* Make room for a read behind what is there. */
static void
make_room(struct input *in)
{
	size_t n = in->end - in->start;

	input_tell(in);
	if (in->start != 0) {
		memmove(in->p, in->p + in->start, n);
		in->start = in->told = 0;
		in->end = n;
	}
	if (in->cap - JSON_PAD - n < READ_BLOCK / 2)
		in->p =
		    memory_grow(in->p, &in->cap, n + READ_BLOCK + JSON_PAD, 1);
}

bool
input_stands(const struct input *in, struct span rest)
{
	return in->hooks == NULL || in->hooks->stands == NULL || !in->regular ||
	    in->hooks->stands(in->hooks->arg, rest);
}

void
input_start_over(struct input *in)
{
	in->start = in->end = in->searched = in->told = 0;
	in->in_long = false;
	in->first = true;
	if (lseek(in->fd, 0, SEEK_SET) < 0)
		input_fail(in);
	else
		begin_file(in);
}

/* Take in n bytes that were read. */
static void
take_in(struct input *in, size_t n)
{
	in->end += n;
	memset(in->p + in->end, '\n', JSON_PAD);
	if (in->unknown) {
		if (input_try_decompress(in))
			return;
		n = in->end - in->start;
	}
	count_in(in, n);
}

/* The file at hand has no more bytes. */
static void
take_end(struct input *in)
{
	if (in->on_loan) {
		in->loan_over = true;
		return;
	}
	if (in->decompressor != NULL)
		input_end_decompression(in);
	if (in->at < in->nnames)
		end_file(in);
}

void
input_fill(struct input *in)
{
	ssize_t n;

	if (in->ended) {
		end_file(in);
		return;
	}
	if (in->compressed && in->decompressor == NULL) {
		input_decompress(in, SPAN(""));
		return;
	}
	make_room(in);
	n = read(in->fd, in->p + in->end, in->cap - JSON_PAD - in->end);
	if (n >= 0 &&
	    !input_stands(in,
		(struct span){ in->p + in->start, in->end - in->start })) {
		input_start_over(in);
	} else if (n > 0) {
		take_in(in, (size_t)n);
	} else if (n == 0) {
		take_end(in);
	} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
		/* Somebody made our end of the pipe non-blocking. */
		poll(&(struct pollfd){ in->fd, POLLIN, 0 }, 1, -1);
	} else if (errno != EINTR) {
		input_fail(in);
	}
}
