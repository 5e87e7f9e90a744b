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
void source_init(struct source *s, uint32_t stream, char *const *names,
    size_t n, size_t max_line, const struct projection *projection);
void source_fini(struct source *s);

/*
 * Go to the next line, at s->place.  See input_line for what is returned.
 *
 * Owns:   the line, and the tuple made of it, are good until the next call.
 */
static inline enum input_status source_line(struct source *s);

/*
 * Make a tuple of the line.
 *
 * Errors: -1 where it is no object, f tells why; 0 where it is blank; else 1.
 */
static inline int source_scan(struct source *s, struct fault *f);

/* Tell whether it is time to look at some tuples, the line's and further. */
static inline bool
source_is_to_look_ahead(const struct source *s)
{
	return s->scanned != NULL && (s->at - 1) % TUPLE_AHEAD == 0;
}

/*
 * The tuples of the line and of those after it that have been scanned
 * already.
 *
 * Shape:  next has TUPLE_AHEAD; it is time, as told after source_line, and
 *         source_scan has not been called yet.
 * Owns:   what is put into a tuple is there again when source_scan comes to
 *         it.
 * Errors: 0 where there are none.
 */
size_t source_look_ahead(struct source *s, struct tuple **next);

/*
 * Let the n lines after this one be plain: their tuples, which have been looked
 * at, are good ones and need nothing more.
 *
 * Shape:  source_look_ahead has begun with this line, and given all of them.
 * Errors: none; where each line used is told to the input's hooks, none is
 *         plain.
 */
static inline void source_set_plain(struct source *s, size_t n);

/*
 * source_line and source_scan at once, where a plain line is next: 3 % off a
 * join, 1 % off counting.
 *
 * Errors: false where none is; the two will do for either.
 */
static inline bool source_next_plain(struct source *s);

/* The line as it was read. */
static inline struct span source_raw(const struct source *s);

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
 * Let a thread do the reading and scanning from here on.
 *
 * Owns:   it is to be stopped before _fini.
 * Errors: false where it cannot.
 */
bool source_read_ahead(struct source *s, struct scan_thread *thread);

/* A descriptor to wait for, unless reading never blocks. */
int source_fd(const struct source *s);
bool source_never_blocks(const struct source *s);

/* Tell whether it will not, to its end: it is one regular file. */
bool source_is_steady(const struct source *s);

/* How many bytes have been read, of what has been handed out or will be. */
uint64_t source_bytes(const struct source *s);

/* What the two do that are called for each line, where that is rare. */
enum input_status source_line_elsewhere(struct source *s);
int source_scan_singly(struct source *s, struct fault *f);

static inline enum input_status
source_line(struct source *s)
{
	const struct scanned_line *line;

	if (s->at == s->ready->n)
		return source_line_elsewhere(s);
	s->scanned = line = &s->ready->lines[s->at++];
	s->place.line++;
	if (s->in.hooks != NULL)
		input_take(&s->in, 1, line->n + 1);
	return INPUT_LINE;
}

static inline struct span
source_raw(const struct source *s)
{
	return s->scanned == NULL ?
	    s->raw :
	    (struct span){ s->base + s->scanned->at, s->scanned->n };
}

static inline void
source_set_plain(struct source *s, size_t n)
{
	s->plain = s->in.hooks == NULL ? s->at + n : 0;
}

static inline bool
source_next_plain(struct source *s)
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
source_set_tuple(const struct source *s, struct tuple *t,
    const struct scanned_line *line)
{
	size_t at = (size_t)(line - s->ready->lines);

	t->line = (struct span){ s->base + line->object_at, line->object_n };
	t->slots = s->ready->slots + at * (size_t)t->projection->root.end;
	t->key = NULL;
	t->timed = false;
}

static inline int
source_scan(struct source *s, struct fault *f)
{
	const struct scanned_line *line = s->scanned;

	if (line == NULL || line->object_n == 0)
		return source_scan_singly(s, f);
	if (s->seen) {
		s->tuple = &s->next[(s->at - 1) % TUPLE_AHEAD];
	} else {
		s->tuple = &s->one;
		source_set_tuple(s, s->tuple, line);
	}
	return 1;
}

#endif
