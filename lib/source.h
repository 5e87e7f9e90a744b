/*
 * source - an input line by line, each scanned into a tuple; on a thread of
 * its own, some lines ahead, where that was asked for.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "bad_lines.h"
#include "input.h"
#include "line_scanner.h"
#include "scan_ahead.h"
#include "tuple.h"

struct source {
	struct input in;
	struct line_scanner *scanner;
	struct scanned_lines lines; /* of the input's buffer, from base on */
	const char *base;
	struct scan_ahead *ahead;	    /* who has taken in over, or NULL */
	struct scanned_batch *batch;	    /* of its, being emptied, or NULL */
	const struct scanned_lines *ready;  /* what lines come from */
	size_t next;			    /* the line of it that is next */
	const struct scanned_line *scanned; /* the last one; NULL: it is not */
	struct value *slots;
	struct buffer scratch;
	struct span raw; /* the last line as it was read */
	struct place place;
	struct tuple tuple; /* what was made of it */
	uint64_t bytes;	    /* read, up to the batch */
};

/*
 * Read the named files, see input_init.
 *
 * Owns:   names and projection are kept, not copied.
 */
void source_init(struct source *s, char *const *names, size_t n,
    size_t max_line, const struct projection *projection);
void source_fini(struct source *s);

/*
 * Go to the next line, which then is s->raw, at s->place.  See input_line
 * for what is returned.
 *
 * Owns:   the line, and the tuple made of it, are good until the next call.
 */
enum input_status source_line(struct source *s);

/*
 * Make a tuple of the line.
 *
 * Errors: -1 where it is no object, f tells why; 0 where it is blank; else 1.
 */
int source_scan(struct source *s, struct fault *f);

/*
 * Let the line not count as used, see input_hold; and count again.
 *
 * Shape:  no other thread reads.
 */
void source_hold(struct source *s);
void source_release(struct source *s);

/* Read more, after INPUT_EMPTY.  This may block. */
void source_read(struct source *s);

/*
 * Let another thread do the reading and scanning from here on.
 *
 * Errors: false where none can be had.
 */
bool source_start_thread(struct source *s);

/* A descriptor to wait for, unless reading never blocks. */
int source_fd(const struct source *s);
bool source_never_blocks(const struct source *s);

/* How many bytes have been read, of what has been handed out or will be. */
uint64_t source_bytes(const struct source *s);

#endif
