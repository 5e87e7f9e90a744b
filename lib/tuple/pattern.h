/*
 * pattern - whether a regular expression is found in a text, in the C locale.
 *
 * regexec(3) retries at each position, so a failed search can be quadratic.  So
 * a pattern without alternatives, but in groups, is cut up in two ways.  So is
 * each alternative of one that has at most PATTERN_BRANCHES, if all have pieces:
 * those whose pieces a text lacks are not searched for.
 *
 * Its parts are what is around each `.*`.  They are searched for one behind the
 * other.  All but the last have a fixed length, so that the first place where
 * one is found is as good as any other.
 *
 *	Handler.*[45][0-9]	"Handler"  "[45][0-9]"
 *	a.*(b|c).*d		"a"  "(b|c).*d"
 *	[a-z]+.*[0-9]		one part
 *
 * Its pieces are strings that every match has, in this order.  A text that
 * lacks one is not searched.  Nor is one that has them all, if the pattern has
 * nothing but `.*` between them: that is a match.
 *
 *	error: .*timeout	""  "error: "  "timeout"  ""	and no more
 *	[a-z]+@[a-z]+\.org$	""  "@"  ".org"			among others
 *
 * The text begins with the first piece and ends with the last one, which are
 * empty if the pattern has no ^ and no $.  Where regexec is fast anyway, there
 * are no pieces.
 *
 * A long text is searched for X in the place of X+, if that is a single byte at
 * the very beginning: both are found, or neither, and only that matters.  Short
 * texts are not, as [0-9]+ goes past a number at once, and [0-9] at each digit.
 *
 *	[a-z]+[0-9]		[a-z][0-9]
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

enum { PATTERN_PARTS = 8, PATTERN_LONG = 512, PATTERN_BRANCHES = 8 };

struct pattern_part {
	regex_t regex;
	struct buffer literal; /* if it has nothing else; else empty */
};

struct pattern {
	regex_t regex;
	struct pattern_part parts[PATTERN_PARTS];
	size_t nparts;		  /* 0: the whole is searched for, if at all */
	struct buffer pieces;	  /* with a NUL behind each; empty: unknown */
	bool exact;		  /* nothing but `.*` is between them */
	struct pattern *once;	  /* for texts of PATTERN_LONG bytes, or NULL */
	struct pattern *branches; /* what is around each `|`; one is enough */
	size_t nbranches;	  /* 0: they are not cut up */
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
 * Shape:  room is scratch; text may already be in it.
 * Errors: none.
 */
bool pattern_found(const struct pattern *p, struct span text,
    struct buffer *room);

#endif
