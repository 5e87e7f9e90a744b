/*
 * line_batch - some lines of an input, one after the other, and what is in
 * them: what goes from whoever reads and scans to whoever uses the tuples.
 *
 * A batch is filled with lines that have been read, then scanned, which
 * another thread can do; a piece of a line beyond the limit is a batch of
 * its own, with one line.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_LINE_BATCH_H
#define IO_LINE_BATCH_H

#include "base/buffer.h"
#include "io/input.h"
#include "json/line_scanner.h"

struct line_batch {
	enum input_status status; /* INPUT_LINE, INPUT_EMPTY or INPUT_END */
	struct span text;	  /* the lines with their newlines */
	struct scanned_lines lines;
	struct buffer memory; /* that text is in, if it is the batch's own */
	const char *name;     /* of the file that they are from, */
	size_t file;	      /* which is this one of the input's */
	uint64_t line;	      /* how many lines of it come before */
	uint64_t bytes_read;  /* of the input, so far */
	bool taken;	      /* the input takes its lines for used */
};

void line_batch_fini(struct line_batch *b);

/*
 * Fill a batch with lines that have been read, some n bytes or one, which are
 * then to be scanned; or with a piece of one.  status tells whether there
 * was any.
 *
 * Owns:   text is good until more is read, unless it is kept.
 */
void line_batch_fill(struct line_batch *b, struct input *in, size_t n);

/*
 * Let what it was just filled with be the batch's own; the input goes on in
 * the memory that the batch had before.
 */
void line_batch_keep(struct line_batch *b, struct input *in);

void line_batch_scan(struct line_batch *b, struct line_scanner *scanner);

#endif
