/*
 * pattern_syntax - where things end in an extended regular expression that
 * regcomp(3) accepts.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PATTERN_SYNTAX_H
#define TUPLE_PATTERN_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The bytes of what s begins with: a character, a sign, an escape, a bracket
 * expression, {N}, or `.*`.
 *
 * Errors: 0 where that is not clear.
 */
size_t pattern_token_length(const char *s);

/*
 * Tell whether a token stands for one byte, whichever.
 *
 * Shape:  s is where a token begins.
 * Errors: false where it is not known, as for \b and \x.
 */
bool pattern_is_one_byte(const char *s);

/* Tell whether what is before s is not repeated. */
bool pattern_is_once(const char *s);

/*
 * The bytes before the first `|` that is in no group, or all.
 *
 * Errors: 0 if they are none, have a back-reference or a `)` that closes no
 *         group, or are not clear.
 */
size_t pattern_branch_length(const char *s);

#endif
