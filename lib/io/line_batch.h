/*
 * line_batch - consecutive lines of an input, read and scanned together.
 *
 * A batch is first filled with lines, then scanned, which another thread can
 * do.  A part of a line beyond the limit is a batch of its own, with one line.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_LINE_BATCH_H
#define IO_LINE_BATCH_H

#include "base/buffer.h"
#include "io/input.h"
#include "json/line_scanner.h"
#include "tuple/line_times.h"

struct line_batch {
	enum input_status status; /* not INPUT_LONG or _REST */
	struct span text;	  /* the lines with their newlines */
	struct span rest;	  /* more of them, not scanned yet */
	struct scanned_lines lines;
	struct line_times times; /* of the lines, if they are read */
	struct buffer memory;	 /* with the text, after line_batch_keep */
	const char *name;	 /* of the lines' file */
	size_t file;		 /* its index among the input's files */
	uint64_t line;		 /* how many lines of it come before */
	uint64_t bytes_read;	 /* of the input, up to the batch's end */
	int64_t size;		 /* of the whole input; -1: not known */
	bool taken;		 /* the input has the lines no longer */
};

void line_batch_fini(struct line_batch *b);

/*
 * Fill a batch with lines that the input has read: about n bytes, or a single
 * line, or a part of a long one.  status is INPUT_LINE if there are any; then
 * line_batch_scan is to be called.
 *
 * Owns:   text is valid until the input reads again, or is the batch's own
 *         after line_batch_keep.
 * Errors: none.
 */
void line_batch_fill(struct line_batch *b, struct input *in, size_t n);

/*
 * Make the lines the batch's own, right after line_batch_fill: batch and input
 * exchange their memory.
 */
void line_batch_keep(struct line_batch *b, struct input *in);

/*
 * Find the fields in the lines, and their times; needs nothing of the input.
 * If the lines have too many fields to scan all at once, text becomes the first
 * of them, and rest the others.  When text is used, _scan_rest scans the rest.
 */
void line_batch_scan(struct line_batch *b, struct line_scanner *scanner,
    const struct time_slot *time);
void line_batch_scan_rest(struct line_batch *b, struct line_scanner *scanner,
    const struct time_slot *time);

#endif
