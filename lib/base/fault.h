/*
 * fault - what is wrong with a line.
 *
 * Parsers never print; they fill a fault that their caller provides.  The
 * first fault is kept, since later ones may follow from it.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* Kinds of faults; messages are limited for each kind. */
enum fault_kind {
	FAULT_NONE,
	FAULT_SYNTAX,
	FAULT_UTF8,
	FAULT_LIMIT,
	FAULT_MISSING,
	FAULT_TYPE,
	FAULT_TIME,
	FAULT_AHEAD,
	FAULT_RANGE,
	FAULT_KEYS, /* too many keys; the line is good */
	FAULT_KINDS
};

/* Zero all of it before the first use; to use it again, set its kind alone. */
struct fault {
	enum fault_kind kind; /* FAULT_NONE: nothing is wrong */
	unsigned unsaid;      /* kinds that need no message: a bit for each */
	size_t column;	      /* bytes, from 1 */
	size_t field;	      /* of FAULT_MISSING: its number plus 1; else 0 */
	char message[256];    /* what was expected, and what was found */
};

/* Tell whether fault_set would write the message of a fault of a kind. */
static inline bool
fault_says(const struct fault *f, enum fault_kind kind)
{
	return f != NULL && f->kind == FAULT_NONE &&
	    (f->unsaid >> kind & 1) == 0;
}

/*
 * Set *f, unless it is set already.
 *
 * Shape:  f may be NULL, for a caller that needs no message.  Where the kind is
 *         unsaid, the message stays as it was.
 * Errors: none.  Always returns -1, for `return fault_set(...)`.
 */
int fault_set(struct fault *f, enum fault_kind kind, size_t column,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
