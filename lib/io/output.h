/*
 * output - stdout and side files: assembled in a buffer, written in whole
 * lines, and every write and close checked.
 *
 * A filter that ignores a full disk destroys data silently; here it is the
 * end of the program, with status 2.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_OUTPUT_H
#define IO_OUTPUT_H

#include <stdint.h>

#include "base/buffer.h"

enum { OUTPUT_BLOCK = 64 * 1024 };

struct output {
	struct buffer rows; /* whole lines, not yet written */
	const char *name;   /* for messages */
	int fd;		    /* -1: nothing is wanted here */
	uint64_t lines;	    /* that output_line has taken */
	bool on_terminal;   /* where diagnostics_show_line may have a line */

	/* Called before rows are written, and may put more into them; or NULL. */
	void (*writing)(void *arg);
	void *arg;
};

/*
 * Let there be n descriptors beside the usual ones, if that can be had.
 */
void output_allow(size_t n);

/* Write to a descriptor that is open. */
void output_init(struct output *o, int fd, const char *name);

/*
 * Open a file for appending, empty at first; no output where name is NULL.
 * Several processes may share one, since each write is of whole lines.
 *
 * Errors: none; stops the program where the file cannot be opened.
 */
void output_open(struct output *o, const char *name);

/*
 * The same, but go on at the end of what the file has; _continue begins a new
 * line there, should a writer before have been stopped within one.
 */
void output_append(struct output *o, const char *name);
void output_continue(struct output *o, const char *name);

/*
 * Write what has been assembled.
 *
 * Errors: none; stops the program where it cannot be written.
 */
void output_flush(struct output *o);

/*
 * Nobody reads it any more: end as its SIGPIPE would have, or by a message
 * where that is ignored.
 */
_Noreturn void output_broken(const struct output *o);

/* Append a line, with its newline; it is written some time. */
void output_line(struct output *o, struct span line);

/* Flush, close and check that the system took it all. */
void output_close(struct output *o);

#endif
