/*
 * span - a range of bytes that somebody else owns.
 *
 * Data is a pointer and a length, never a C string: keys may hold NUL.
 * A span is good for as long as the bytes behind it; every function that
 * returns one says how long that is.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SPAN_H
#define SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

static inline bool
span_eq(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Compare as unsigned bytes, a prefix first. */
static inline int
span_cmp(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n == 0 ? 0 : memcmp(a.p, b.p, n);

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

#endif
