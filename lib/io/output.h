/*
 * output - stdout and the files of options: rows collect in a buffer and are
 * written in whole lines, and every write and close is checked.
 *
 * A filter that ignored a full disk would lose data silently; here it ends the
 * program with status 2.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_OUTPUT_H
#define IO_OUTPUT_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/clock.h"

enum { OUTPUT_BLOCK = 64 * 1024, OUTPUT_LARGE_BLOCK = 512 * 1024 };

struct output {
	struct buffer rows;	/* whole lines, not yet written */
	const char *name;	/* for messages */
	int fd;			/* -1: there is no output */
	size_t block;		/* rows are written at this many bytes */
	uint64_t lines;		/* how many output_line was called for */
	struct stopwatch watch; /* of writing */
	bool on_terminal; /* diagnostics_show_line may have a line there */

	/* Called before rows are written, and may add to them; or NULL. */
	void (*writing)(void *arg);
	void *arg;
};

/*
 * Open a file for appending, and create it if need be.  A FIFO waits for its
 * reader, but signals to end do so meanwhile.
 *
 * Shape:  mode is O_WRONLY or O_RDWR.
 * Errors: -1 and errno, but never EINTR.
 */
int output_descriptor(const char *name, int mode);

/* Begin to write to a descriptor that is open. */
void output_init(struct output *o, int fd, const char *name);

/*
 * Create or empty a file and open it for appending; with a NULL name there is
 * no output.  Several processes can share a file, since each write is of whole
 * lines.  It is not emptied if another process has opened it through this
 * module, or if it is this process's stdout or stderr.
 *
 * Owns:   name is kept, not copied.
 * Errors: none; stops the program if the file cannot be opened.
 */
void output_open(struct output *o, const char *name);

/*
 * output_open, but keep what the file has.  _continue also ends a last line
 * that has no newline, which a killed process may have left.
 */
void output_append(struct output *o, const char *name);
void output_continue(struct output *o, const char *name);

/*
 * Collect more rows before they are written if the output is a regular file:
 * a filter that passes all of its input takes a quarter less time.  Not for a
 * pipe, whose reader would have to wait, nor for many files, to save memory.
 */
void output_enlarge_block(struct output *o);

/* Write the rows if they are a block. */
static inline void output_rows_added(struct output *o);

/*
 * Write all rows.
 *
 * Errors: none; stops the program if they cannot be written.
 */
void output_flush(struct output *o);

/*
 * End the program because the reader of a pipe is gone: by SIGPIPE, or by a
 * message if that is ignored.
 */
_Noreturn void output_broken(const struct output *o);

/*
 * Append a line, given without its newline.  It is written when the buffer is
 * full, or by output_flush.
 */
void output_line(struct output *o, struct span line);

/*
 * Write all rows and close the file.
 *
 * Errors: none; stops the program if the system reports an error.
 */
void output_close(struct output *o);

static inline void
output_rows_added(struct output *o)
{
	if (o->rows.n >= o->block)
		output_flush(o);
}

#endif
