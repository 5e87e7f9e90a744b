/*
 * tuple_source - an input line by line, each scanned into a tuple; on a thread of
 * its own, some lines ahead, where that was asked for.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_TUPLE_SOURCE_H
#define IO_TUPLE_SOURCE_H

#include "io/bad_lines.h"
#include "io/input.h"
#include "io/scan_ahead.h"
#include "tuple/tuple.h"
#include "json/line_scanner.h"

struct tuple_source {
	struct input in;
	struct line_scanner *scanner, *ahead_scanner; /* of the thread */
	struct scanned_lines lines; /* of the input's buffer */
	const char *base;
	struct scan_ahead *ahead;	    /* who has taken in over, or NULL */
	struct scanned_batch *batch;	    /* of its, being emptied, or NULL */
	size_t file;			    /* of the input's, it is of that */
	const struct scanned_lines *ready;  /* what lines come from, in base */
	size_t at;			    /* the line of it that is next */
	const struct scanned_line *scanned; /* the last one; NULL: it is not */
	struct value *slots;
	struct buffer scratch;
	struct span raw; /* the last line, where it is not scanned */
	struct place place;
	struct tuple *tuple; /* what was made of it: one or one of next */
	struct tuple one, next[TUPLE_AHEAD];
	bool seen;    /* what is in next has been looked at */
	size_t plain; /* ready lines before this one are plain */
	bool steady;  /* read ahead, and yet never blocks for long */
	uint32_t stream;
	uint64_t bytes; /* read, up to the batch */
};

/*
 * Read the named files, see input_init; the tuples are of this stream.
 *
 * Owns:   names and projection are kept, not copied.
 */
void tuple_source_init(struct tuple_source *s, uint32_t stream,
    char *const *names, size_t n, size_t max_line,
    const struct projection *projection);
void tuple_source_fini(struct tuple_source *s);

/*
 * Go to the next line, at s->place.  See input_line for what is returned.
 *
 * Owns:   the line, and the tuple made of it, are good until the next call.
 */
static inline enum input_status tuple_source_line(struct tuple_source *s);

/*
 * Make a tuple of the line.
 *
 * Errors: -1 where it is no object, f tells why; 0 where it is blank; else 1.
 */
static inline int tuple_source_scan(struct tuple_source *s, struct fault *f);

/* Tell whether it is time to look at some tuples, the line's and further. */
static inline bool
tuple_source_is_to_look_ahead(const struct tuple_source *s)
{
	return s->scanned != NULL && (s->at - 1) % TUPLE_AHEAD == 0;
}

/*
 * The tuples of the line and of those after it that have been scanned
 * already.
 *
 * Shape:  next has TUPLE_AHEAD; it is time, as told after tuple_source_line, and
 *         tuple_source_scan has not been called yet.
 * Owns:   what is put into a tuple is there again when tuple_source_scan comes to
 *         it.
 * Errors: 0 where there are none.
 */
size_t tuple_source_look_ahead(struct tuple_source *s, struct tuple **next);

/*
 * Let the n lines after this one be plain: their tuples, which have been looked
 * at, are good ones and need nothing more.
 *
 * Shape:  tuple_source_look_ahead has begun with this line, and given all of them.
 * Errors: none; where each line used is told to the input's hooks, none is
 *         plain.
 */
static inline void tuple_source_set_plain(struct tuple_source *s, size_t n);

/*
 * tuple_source_line and tuple_source_scan at once, where a plain line is next: 3 % off a
 * join, 1 % off counting.
 *
 * Errors: false where none is; the two will do for either.
 */
static inline bool tuple_source_next_plain(struct tuple_source *s);

/* The line as it was read. */
static inline struct span tuple_source_raw(const struct tuple_source *s);

/*
 * Let the line not count as used, see input_hold; and count again.
 *
 * Shape:  no other thread reads.
 */
void tuple_source_hold(struct tuple_source *s);
void tuple_source_release(struct tuple_source *s);

/* Read more, after INPUT_EMPTY.  This may block. */
void tuple_source_read(struct tuple_source *s);

/*
 * Let a thread do the reading and scanning from here on.
 *
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

/* How many bytes have been read, of what has been handed out or will be. */
uint64_t tuple_source_bytes(const struct tuple_source *s);

/* What the two do that are called for each line, where that is rare. */
enum input_status tuple_source_line_elsewhere(struct tuple_source *s);
int tuple_source_scan_singly(struct tuple_source *s, struct fault *f);

static inline enum input_status
tuple_source_line(struct tuple_source *s)
{
	const struct scanned_line *line;

	if (s->at == s->ready->n)
		return tuple_source_line_elsewhere(s);
	s->scanned = line = &s->ready->lines[s->at++];
	s->place.line++;
	if (s->in.hooks != NULL)
		input_take(&s->in, 1, line->n + 1);
	return INPUT_LINE;
}

static inline struct span
tuple_source_raw(const struct tuple_source *s)
{
	return s->scanned == NULL ?
	    s->raw :
	    (struct span){ s->base + s->scanned->at, s->scanned->n };
}

static inline void
tuple_source_set_plain(struct tuple_source *s, size_t n)
{
	s->plain = s->in.hooks == NULL ? s->at + n : 0;
}

static inline bool
tuple_source_next_plain(struct tuple_source *s)
{
	if (s->at >= s->plain)
		return false;
	s->at++;
	s->scanned++;
	s->place.line++;
	s->tuple++;
	return true;
}

/* Make a tuple of a line that has been scanned and has an object. */
static inline void
tuple_source_set_tuple(const struct tuple_source *s, struct tuple *t,
    const struct scanned_line *line)
{
	size_t at = (size_t)(line - s->ready->lines);

	t->line = (struct span){ s->base + line->object_at, line->object_n };
	t->slots = s->ready->slots + at * (size_t)t->projection->root.end;
	t->key = NULL;
	t->timed = false;
}

static inline int
tuple_source_scan(struct tuple_source *s, struct fault *f)
{
	const struct scanned_line *line = s->scanned;

	if (line == NULL || line->object_n == 0)
		return tuple_source_scan_singly(s, f);
	if (s->seen) {
		s->tuple = &s->next[(s->at - 1) % TUPLE_AHEAD];
	} else {
		s->tuple = &s->one;
		tuple_source_set_tuple(s, s->tuple, line);
	}
	return 1;
}

#endif
