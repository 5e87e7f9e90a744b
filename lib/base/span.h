/*
 * span - a range of bytes that somebody else owns.
 *
 * Data is passed as a pointer and a length, not as a C string, since keys can
 * have NUL bytes.  A span is valid as long as its bytes are; every function
 * that returns one says how long.  span_dup makes a copy to keep.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct span {
	const char *p;
	size_t n;
};

/* The bytes of a string literal, without its NUL. */
#define SPAN(literal) ((struct span){ (literal), sizeof(literal) - 1 })

static inline struct span
span_of(const char *s)
{
	return (struct span){ s, strlen(s) };
}

/*
 * Return from the function around it, with whether n bytes at a and b are the
 * same, by two loads of a type that is n / 2 to n bytes long.
 */
#define SPAN_SAME(type, a, b, n)                                     \
	do {                                                         \
		type x[2], y[2];                                     \
                                                                     \
		memcpy(&x[0], a, sizeof x[0]);                       \
		memcpy(&y[0], b, sizeof y[0]);                       \
		memcpy(&x[1], (a) + (n) - sizeof x[0], sizeof x[0]); \
		memcpy(&y[1], (b) + (n) - sizeof y[0], sizeof y[0]); \
		return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;         \
	} while (0)

/*
 * Tell whether two spans have the same bytes.  Names and keys are short, and
 * calling memcmp for them would take 10 % of counting by key.
 */
static inline bool
span_eq(struct span a, struct span b)
{
	if (a.n != b.n)
		return false;
	if (a.n > 16)
		return memcmp(a.p, b.p, a.n) == 0;
	if (a.n >= 8)
		SPAN_SAME(uint64_t, a.p, b.p, a.n);
	if (a.n >= 4)
		SPAN_SAME(uint32_t, a.p, b.p, a.n);
	if (a.n >= 2)
		SPAN_SAME(uint16_t, a.p, b.p, a.n);
	return a.n == 0 || *a.p == *b.p;
}

/*
 * Copy a span that is mostly short.  Returns the end of the copy.
 *
 * Shape:  SPAN_PAD bytes can be read from s.p on, and written from `to` on,
 *         even if s is shorter.
 */
enum { SPAN_PAD = 16 };

static inline char *
span_copy_padded(char *to, struct span s)
{
	memcpy(to, s.p, SPAN_PAD);
	if (s.n > SPAN_PAD)
		memcpy(to + SPAN_PAD, s.p + SPAN_PAD, s.n - SPAN_PAD);
	return to + s.n;
}

/* span_copy_padded, reading and writing no more than s.n bytes. */
static inline char *
span_copy(char *to, struct span s)
{
	if (s.n > 2 * sizeof(uint64_t)) {
		memcpy(to, s.p, s.n);
	} else if (s.n >= 8) {
		memcpy(to, s.p, 8);
		memcpy(to + s.n - 8, s.p + s.n - 8, 8);
	} else if (s.n >= 4) {
		memcpy(to, s.p, 4);
		memcpy(to + s.n - 4, s.p + s.n - 4, 4);
	} else if (s.n != 0) {
		to[0] = s.p[0];
		to[s.n / 2] = s.p[s.n / 2];
		to[s.n - 1] = s.p[s.n - 1];
	}
	return to + s.n;
}

/*
 * Copy s, with a NUL after it, so that the result can be used as a C string.
 * Its p is never NULL.
 *
 * Owns:   the caller frees the result with span_free, which also frees the
 *         result of buffer_take, and ignores a span whose p is NULL.
 * Errors: none; stops the program when memory runs out.
 */
static inline struct span
span_dup(struct span s)
{
	char *p = memory_new(s.n + 1, 1);

	if (s.n != 0)
		memcpy(p, s.p, s.n);
	return (struct span){ p, s.n };
}

static inline void
span_free(struct span s)
{
	free((void *)(uintptr_t)s.p);
}

/* Compare by unsigned bytes; a prefix sorts first. */
static inline int
span_cmp(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n == 0 ? 0 : memcmp(a.p, b.p, n);

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

/* How many bytes are the same in both from the beginning, up to most. */
static inline size_t
span_same(struct span a, struct span b, size_t most)
{
	size_t i = 0;

	most = most < a.n ? most : a.n;
	most = most < b.n ? most : b.n;
	while (i < most && a.p[i] == b.p[i])
		i++;
	return i;
}

#endif
