/*
 * tuple_source - an input as tuples: its lines, scanned in batches, by this
 * thread or ahead of it by another one, and handed out in order.
 *
 *	for (;;) {
 *		status = tuple_source_take(s);
 *		if (status == INPUT_LINE)
 *			while (tuple_source_next(s))
 *				use s->line->kind and s->tuple;
 *		else if (status == INPUT_EMPTY)
 *			wait for tuple_source_fd(s); tuple_source_read(s);
 *		...
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_TUPLE_SOURCE_H
#define IO_TUPLE_SOURCE_H

#include "io/bad_lines.h"
#include "io/input.h"
#include "io/line_batch.h"
#include "io/scan_ahead.h"
#include "tuple/tuple.h"
#include "json/line_scanner.h"

struct tuple_source {
	struct input in;
	struct line_scanner *scanner, *ahead_scanner; /* of the thread */
	struct scan_ahead *ahead; /* who reads and scans, or NULL: we do */
	struct line_batch own;	  /* what we scan */
	struct line_batch *batch; /* in use: own, or one of ahead's */
	size_t at;	/* how many lines of the batch have been gone to, */
	size_t end;	/* and how many have been taken */
	size_t settled; /* how many the input knows to be used */
	const struct scanned_line *line;  /* the one gone to, */
	struct tuple *tuple;		  /* and what was made of it */
	struct tuple tuples[TUPLE_AHEAD]; /* of the lines taken last */
	struct buffer scratch;
	size_t file;	     /* the batch's, of the input's */
	uint64_t last_line;  /* of the batch: its number in that file */
	uint64_t bytes_read; /* up to the batch */
	bool steady;	     /* read ahead, and yet never blocks for long */
	uint32_t stream;
};

/*
 * Read the named files, see input_init; the tuples are of this stream.
 *
 * Owns:   names and projection are kept, not copied.
 * Errors: none; stops the program where TUPLETOOLS_INDEX, in the environment,
 *         names a version of the index that does not run here.
 */
void tuple_source_init(struct tuple_source *s, uint32_t stream,
    char *const *names, size_t n, size_t max_line,
    const struct projection *projection);
void tuple_source_fini(struct tuple_source *s);

/*
 * Take the next lines that have been read, TUPLE_AHEAD at most, and make
 * tuples of them.
 *
 * Shape:  all that were taken before have been gone to.
 * Owns:   what was taken before is gone.
 * Errors: INPUT_LINE: there are some; INPUT_EMPTY: none until
 *         tuple_source_read; INPUT_END: none any more, see input_failed.
 */
enum input_status tuple_source_take(struct tuple_source *s);

/*
 * The tuples of the lines taken that have any, in their order.
 *
 * Shape:  next has room for TUPLE_AHEAD; no line has been gone to yet.
 * Owns:   what is put into a tuple is there when its line is gone to.
 */
size_t tuple_source_look_ahead(struct tuple_source *s, struct tuple **next);

/*
 * Go to the next of the lines taken.  False: there is none.
 *
 * Owns:   s->line and s->tuple are good until the next call.  What is no
 *         object has a tuple with nothing but its text.
 */
static inline bool tuple_source_next(struct tuple_source *s);

/* Tell why the line, which is LINE_INVALID, is no object. */
void tuple_source_explain(struct tuple_source *s, struct fault *f);

/* Where the line is from, and its bytes as they were read. */
struct place tuple_source_place(const struct tuple_source *s);
struct span tuple_source_raw(const struct tuple_source *s);

/*
 * Let the input know which lines are used: all that have been gone to, the
 * last one excepted where it is held.
 */
void tuple_source_settle(struct tuple_source *s, bool held);

/* Read more, after INPUT_EMPTY.  This may block. */
void tuple_source_read(struct tuple_source *s);

/*
 * Let a thread do the reading and scanning from here on.
 *
 * Shape:  nothing is left of what was taken.
 * Owns:   it is to be stopped before _fini.
 * Errors: false where it cannot.
 */
bool tuple_source_read_ahead(struct tuple_source *s,
    struct scan_thread *thread);

/* A descriptor to wait for, unless reading never blocks. */
int tuple_source_fd(const struct tuple_source *s);
bool tuple_source_never_blocks(const struct tuple_source *s);

/* Tell whether it will not, to its end: it is one regular file. */
bool tuple_source_is_steady(const struct tuple_source *s);

static inline bool
tuple_source_next(struct tuple_source *s)
{
	if (s->at == s->end)
		return false;
	s->line = &s->batch->lines.lines[s->at];
	s->tuple = &s->tuples[s->at % TUPLE_AHEAD];
	s->at++;
	return true;
}

#endif
