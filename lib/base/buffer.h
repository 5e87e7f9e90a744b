/*
 * buffer - bytes that grow: rows under construction, lines that are kept.
 *
 * p[0..n) are the contents.  To shorten them, set n.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/span.h"

struct buffer {
	char *p;
	size_t n, cap;
};

static inline struct span
buffer_span(const struct buffer *b)
{
	return (struct span){ b->p, b->n };
}

/*
 * Make room for `add` more bytes.  Returns where they go.
 *
 * Owns:   valid until the buffer changes.
 * Errors: none, here and below; stops the program when memory runs out.
 */
static inline char *
buffer_room(struct buffer *b, size_t add)
{
	if (b->cap - b->n < add)
		b->p = memory_grow(b->p, &b->cap, b->n + add, 1);
	return b->p + b->n;
}

static inline void
buffer_put(struct buffer *b, struct span s)
{
	if (s.n == 0) /* memcpy does not take NULL, which both may be */
		return;
	memcpy(buffer_room(b, s.n), s.p, s.n);
	b->n += s.n;
}

/* A faster buffer_put, for a short span with SPAN_PAD readable bytes behind. */
static inline void
buffer_put_padded(struct buffer *b, struct span s)
{
	span_copy_padded(buffer_room(b, s.n + SPAN_PAD), s);
	b->n += s.n;
}

static inline void
buffer_byte(struct buffer *b, char c)
{
	*buffer_room(b, 1) = c;
	b->n++;
}

static inline void
buffer_fini(struct buffer *b)
{
	free(b->p);
	*b = (struct buffer){ 0 };
}

/*
 * Take the contents out of a buffer, which becomes empty.
 *
 * Owns:   the caller frees the result with span_free.
 */
static inline struct span
buffer_take(struct buffer *b)
{
	struct span s = buffer_span(b);

	*b = (struct buffer){ 0 };
	return s;
}

/* buffer_take with SPAN_PAD readable bytes after the result. */
static inline struct span
buffer_take_padded(struct buffer *b)
{
	memset(buffer_room(b, SPAN_PAD), 0, SPAN_PAD);
	return buffer_take(b);
}

/*
 * Append v in decimal.  _after first appends lead, a short span with SPAN_PAD
 * readable bytes after it; this is faster than two calls.
 */
void buffer_int(struct buffer *b, int64_t v);
void buffer_int_after(struct buffer *b, struct span lead, int64_t v);

/*
 * Append v as a JSON number: the one with the fewest digits that reads back as
 * v.  Infinity is written as the largest double, NaN as 0: JSON has neither.
 */
void buffer_double(struct buffer *b, double v);

/*
 * Append milliseconds as seconds, exactly and without needless zeros: 9000 as
 * `9`, 4217 as `4.217`.
 *
 * Shape:  ms >= 0.
 */
void buffer_seconds(struct buffer *b, int64_t ms);

#endif
