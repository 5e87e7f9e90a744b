/*
 * command - any bytes as the lines of a whole command: the first one chooses
 * among its options, the second where the lines are cut into two files.  Each
 * row is valid JSON, and two files give what one gives; where options read them
 * side by side, the same two give the same again.
 *
 * A harness defines what to choose among, each with a blank between two
 * arguments,
 *
 *	static const char *const all_options[];
 *
 * then includes this, and then the command.  With STREAMS the two files are
 * those of the streams a and b.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef COMMAND_H
#define COMMAND_H

#define _GNU_SOURCE
#include <sys/mman.h>

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "../unit/padded.h"
#include "base/buffer.h"
#include "io/gzip_zstd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int command_main(int argc, char *argv[]);
#define main command_main

#ifdef STREAMS
static const char *const stream_names[] = { "a=", "b=" };
#else
static const char *const stream_names[] = { "", "" };
#endif

/* What a run has written, and how it has ended. */
struct outcome {
	struct buffer rows;
	int status;
};

/* A file in memory, and its name. */
struct memory_file {
	int fd;
	char name[32];
};

static void
write_file(struct memory_file *f, struct span text)
{
	if (f->fd == 0) {
		f->fd = memfd_create("lines", MFD_CLOEXEC);
		snprintf(f->name, sizeof f->name, "/proc/self/fd/%d", f->fd);
	}
	if (ftruncate(f->fd, 0) < 0 ||
	    pwrite(f->fd, text.p, text.n, 0) != (ssize_t)text.n)
		abort();
}

/* Let the command read these files; all it opens is closed after it. */
static void
run_command(const char *options, const struct memory_file *files, size_t n,
    struct outcome *o)
{
	static char name[] = "command";
	static struct memory_file rows;
	char *argv[40] = { name }, text[512], *at = text, operands[2][40];
	int argc = 1, free_fd;
	off_t size;

	snprintf(text, sizeof text, "%s", options);
	for (char *s; (s = strsep(&at, " ")) != NULL;)
		argv[argc++] = s;
	for (size_t i = 0; i < n; i++) {
		snprintf(operands[i], sizeof operands[i], "%s%s",
		    stream_names[i], files[i].name);
		argv[argc++] = operands[i];
	}
	write_file(&rows, SPAN(""));
	lseek(rows.fd, 0, SEEK_SET);
	if (dup2(rows.fd, STDOUT_FILENO) < 0)
		abort();
	optind = 0;
	free_fd = dup(STDOUT_FILENO);
	o->status = command_main(argc, argv);
	close_range((unsigned)free_fd, UINT_MAX, 0);
	size = lseek(rows.fd, 0, SEEK_END);
	o->rows.n = 0;
	if (pread(rows.fd, buffer_room(&o->rows, (size_t)size + 1),
		(size_t)size, 0) != size)
		abort();
	o->rows.n = (size_t)size;
}

static void
check_rows(struct span rows)
{
	while (rows.n != 0) {
		const char *end = memchr(rows.p, '\n', rows.n);
		struct span row = { rows.p, 0 };

		if (end == NULL)
			abort();
		row.n = (size_t)(end - rows.p);
		if (padded_validate(row, NULL) != 0)
			abort();
		rows.p += row.n + 1;
		rows.n -= row.n + 1;
	}
}

/* Tell whether a file begins with a mark, or as if it were compressed. */
static bool
begins_file(struct span s)
{
	return s.n != 0 &&
	    (*s.p == '\xef' || gzip_zstd_detect(s) != GZIP_ZSTD_PLAIN);
}

/* Where the first line ends that does so behind a share of the text. */
static size_t
cut_at(struct span text, uint8_t share)
{
	size_t from = text.n * share / 256;
	const char *newline = memchr(text.p + from, '\n', text.n - from);

	return newline == NULL ? text.n : (size_t)(newline + 1 - text.p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome first, second;
	static struct memory_file files[2], whole;
	const char *options;
	struct span text, rest;
	bool aside;

	if (size < 3 || *data >= sizeof all_options / sizeof *all_options)
		return 0;
	options = all_options[*data];
	aside =
	    strstr(options, "--interleave") != NULL || *stream_names[0] != '\0';
	text = (struct span){ (const char *)data + 2, size - 2 };
	write_file(&whole, text);
	rest = text;
	text.n = cut_at(text, data[1]);
	rest.p += text.n;
	rest.n -= text.n;
	if (!aside && (begins_file(text) || begins_file(rest)))
		return 0;
	write_file(&files[0], text);
	write_file(&files[1], rest);
	run_command(options, files, 2, &first);
	check_rows(buffer_span(&first.rows));
	if (aside)
		run_command(options, files, 2, &second);
	else
		run_command(options, &whole, 1, &second);
	if (first.status != second.status ||
	    !span_eq(buffer_span(&first.rows), buffer_span(&second.rows)))
		abort();
	return 0;
}

#endif
