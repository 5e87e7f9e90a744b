/*
 * buffer - bytes that grow: rows under construction, lines that are kept.
 *
 * p[0..n) are the contents.  Nothing shrinks but by the owner's setting n.
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

/* Make room for add more bytes and return where they go. */
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
	if (s.n == 0) /* nothing may be nowhere, and be put nowhere */
		return;
	memcpy(buffer_room(b, s.n), s.p, s.n);
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
 * Take the contents out of a buffer, which is empty then.
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

/* Append v in decimal. */
void buffer_int(struct buffer *b, int64_t v);

/*
 * Append v as a JSON number: the shortest of at most 17 digits that reads
 * back as v.  What JSON cannot say is written as the largest double.
 */
void buffer_double(struct buffer *b, double v);

/*
 * Append a length of time in seconds, exactly, without needless zeros:
 * 9000 is `9`, 4217 is `4.217`.
 *
 * Shape:  ms >= 0.
 */
void buffer_seconds(struct buffer *b, int64_t ms);

#endif
