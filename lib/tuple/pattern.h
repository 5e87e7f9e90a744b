/*
 * pattern - whether a regular expression is found in a text.
 *
 * A pattern is cut up into the pieces that every match has as they are, one
 * after the other.  A text without them has no match, which regexec(3), which
 * begins anew at each place, can take the square of its length to tell.  Where
 * nothing but `.*` is between them, a text with them has one.
 *
 *	error: .*timeout	""  "error: "  "timeout"  ""
 *	^/api/[a-z]+\.js$	"/api/"  ".js"
 *
 * The first piece is at the beginning of the text, the last one at its end.
 *
 * Source: the "must" of GNU grep's dfa.c, which is one piece.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PATTERN_H
#define TUPLE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "base/buffer.h"

struct pattern {
	regex_t regex;
	struct buffer pieces; /* with a NUL behind each; empty: unknown */
	bool exact;	      /* nothing but `.*` is between them */
};

/*
 * Compile an extended regular expression, which is searched for by bytes.
 *
 * Shape:  p is zeroed.
 * Owns:   the caller frees with pattern_fini, unless there was an error.
 * Errors: as regcomp(3), for regerror(3).
 */
int pattern_compile(struct pattern *p, const char *text);
void pattern_fini(struct pattern *p);

/*
 * Tell whether the pattern is found in a text.
 *
 * Shape:  room is for a copy, and may hold the text itself.
 * Errors: none.
 */
bool pattern_found(const struct pattern *p, struct span text,
    struct buffer *room);

#endif
