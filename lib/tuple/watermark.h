/*
 * watermark - how far event time has come, over streams side by side.
 *
 * A stream is as far as the largest time seen in it, less the lateness; all
 * together are as far as the least of those that are neither at their end
 * nor idle.  The watermark never goes back.
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

struct watermark_stream {
	int64_t max; /* where seen */
	bool seen, left_out;
};

struct watermark {
	struct watermark_stream *streams;
	size_t n;
	int64_t lateness; /* INT64_MAX: it never moves */
	int64_t now;	  /* INT64_MIN until every stream has been seen */
};

/*
 * Units:  lateness and all times are the caller's, the same for all.
 */
void watermark_init(struct watermark *w, size_t nstreams, int64_t lateness);
void watermark_fini(struct watermark *w);

/*
 * Note a time in a stream, or that a stream is left out (idle, ended) or
 * back.
 *
 * Errors: none.  Returns whether the watermark has moved.
 */
static inline bool watermark_see(struct watermark *w, size_t stream,
    int64_t time);
bool watermark_leave_out(struct watermark *w, size_t stream, bool out);

/* watermark_see of what is the first or the largest time of its stream. */
bool watermark_advance(struct watermark *w, size_t stream, int64_t time);

static inline bool
watermark_see(struct watermark *w, size_t stream, int64_t time)
{
	const struct watermark_stream *s = &w->streams[stream];

	return (!s->seen || time > s->max) &&
	    watermark_advance(w, stream, time);
}

#endif
