/*
 * watermark - how far event time has come, in one stream or several that are
 * read side by side.
 *
 * The watermark of a stream is the largest time seen in it, less the lateness.
 * The watermark of all is the least of these, without streams that are idle or
 * have ended.  It never goes back.
 *
 * Source: Flink's watermarks with bounded out-of-orderness and withIdleness.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_WATERMARK_H
#define TUPLE_WATERMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/least.h"

struct watermark_stream {
	int64_t max; /* the largest time; INT64_MIN unless seen */
	bool seen, idle;
};

struct watermark {
	struct watermark_stream *streams;
	size_t n;
	size_t nactive;	    /* streams that take part */
	struct least least; /* their max */
	int64_t lateness;   /* INT64_MAX: the watermark never moves */
	int64_t now;	    /* INT64_MIN until every stream has a time */
	/*
	 * How much older a time was than one before it in its stream, at most;
	 * INT64_MAX, too, if that is more.
	 */
	int64_t disorder;
};

/*
 * Tuples that came behind the watermark, and after something had ended that they
 * may belong to.
 */
struct behind {
	uint64_t n;
	int64_t most; /* how far behind the watermark the worst was */
};

/* Count one. */
static inline void
behind_note(struct behind *b, int64_t now, int64_t time)
{
	int64_t by;

	if (__builtin_sub_overflow(now, time, &by))
		by = INT64_MAX;
	if (by > b->most)
		b->most = by;
	b->n++;
}

/*
 * Begin, with no times seen.
 *
 * Units:  lateness and all times are in any one unit.
 * Errors: none.
 */
void watermark_init(struct watermark *w, size_t nstreams, int64_t lateness);
void watermark_fini(struct watermark *w);

/*
 * Note a time in a stream; note that a stream is idle, or has ended, or takes
 * part again.  Returns whether the watermark has moved.
 *
 * Errors: none.
 */
static inline bool watermark_see(struct watermark *w, size_t stream,
    int64_t time);
bool watermark_set_idle(struct watermark *w, size_t stream, bool idle);

/*
 * All streams have ended.  Move to the largest time of any stream, less the
 * lateness.  Returns whether the watermark has moved.
 */
bool watermark_end(struct watermark *w);

/*
 * Move it on by `by`, unless no time was seen yet.  Streams move it again only
 * when they pass it.
 *
 * Errors: none.
 */
void watermark_advance_by(struct watermark *w, int64_t by);

/*
 * Put a stream back to a time that it had; the watermark stays where it is.
 * _update: move to where the streams let it be; returns whether it has moved.
 */
void watermark_put_back(struct watermark *w, size_t stream, int64_t time);
bool watermark_update(struct watermark *w);

/*
 * Which stream holds the watermark back, and by how much: so much further on it
 * would be if this stream had come as far as the one that is ahead of all.
 *
 * Errors: 0 if none does; INT64_MAX if a stream has had no time yet.
 */
int64_t watermark_held_by(const struct watermark *w, size_t *stream);

/* watermark_see for the first or the largest time of a stream. */
bool watermark_advance(struct watermark *w, size_t stream, int64_t time);

static inline bool
watermark_see(struct watermark *w, size_t stream, int64_t time)
{
	const struct watermark_stream *s = &w->streams[stream];
	int64_t by;

	if (!s->seen || time > s->max)
		return watermark_advance(w, stream, time);
	if (__builtin_sub_overflow(s->max, time, &by))
		by = INT64_MAX;
	if (by > w->disorder)
		w->disorder = by;
	return false;
}

#endif
