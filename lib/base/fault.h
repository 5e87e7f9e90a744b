/*
 * fault - what is wrong with one line, said by whoever found it.
 *
 * Parsers fill a fault of their caller's and never print.  The first fault
 * wins: what comes after it may be its consequence.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stddef.h>

/* Of each kind only the first few are shown. */
enum fault_kind {
	FAULT_NONE,
	FAULT_SYNTAX,
	FAULT_UTF8,
	FAULT_LIMIT,
	FAULT_MISSING,
	FAULT_TYPE,
	FAULT_TIME,
	FAULT_RANGE,
	FAULT_KINDS
};

struct fault {
	enum fault_kind kind; /* FAULT_NONE: nothing is wrong */
	size_t column;	      /* bytes, from 1 */
	char message[256];    /* what was expected, and what was found */
};

/*
 * Note what is wrong, unless something is noted already.
 *
 * Shape:  f may be NULL: the caller only wants to know whether.
 * Errors: none.  Always returns -1, for `return fault_set(...)`.
 */
int fault_set(struct fault *f, enum fault_kind kind, size_t column,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
