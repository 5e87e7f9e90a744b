/*
 * condition - a test that a tuple passes or not:
 *
 *	status >= 500 && (path =~ "^/api/" || !.user.id)
 *
 *	condition   = and { "||" and }
 *	and         = not { "&&" not }
 *	not         = { "!" } ( "(" condition ")" | comparison )
 *	comparison  = FIELD [ operator ( value | "." PATH ) ]
 *	operator    = "==" "!=" "<" "<=" ">" ">=" "=~" "!~"
 *	value       = a JSON scalar, or a string in single quotes
 *
 * Where one side is a number, a string that holds one is that number.  Else
 * two values are equal as keys are.  Numbers are ordered by value, strings by
 * their decoded bytes.  A regular expression is searched in strings, and in
 * numbers as they are spelled.  Whatever else is compared is false, a missing
 * field too; != and !~ are true where == and =~ are false.  A field alone is
 * true where it is there and neither null nor false.
 *
 * Source: Filter.isKeep of Storm's Trident; regular expressions are POSIX
 *         extended ones, of regcomp(3), by bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_CONDITION_H
#define TUPLE_CONDITION_H

#include "base/fault.h"
#include "tuple/projection.h"
#include "tuple/tuple.h"

struct condition;

/*
 * Compile a condition.  Its fields are added to p.
 *
 * Shape:  p is not compiled yet.
 * Owns:   copies text; the caller frees with condition_free.
 * Errors: NULL where it is no condition; f has the column in text, from 1,
 *         and what was expected there.
 */
struct condition *condition_new(struct span text, struct projection *p,
    struct fault *f);
void condition_free(struct condition *c);

/*
 * Tell whether the tuple passes.
 *
 * Shape:  t was scanned with the projection that c was compiled for.
 * Errors: none: what cannot be compared is false.
 */
bool condition_holds(struct condition *c, const struct tuple *t);

#endif
