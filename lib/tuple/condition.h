/*
 * condition - the language of keep(1): a test that a tuple passes or not.
 *
 *	status >= 500 && (path =~ "^/api/" || !.user.id)
 *
 *	condition   = and { "||" and }
 *	and         = not { "&&" not }
 *	not         = { "!" } ( "(" condition ")" | comparison )
 *	comparison  = FIELD [ operator ( value | "." PATH ) ]
 *	operator    = "==" "!=" "<" "<=" ">" ">=" "=~" "!~"
 *	value       = a JSON scalar, a string in single quotes, "@" TIME, or
 *	              "@-" DURATION, so long before the tuple was read
 *
 * If one side is a number, a string on the other side that holds a number is
 * taken for that number.  A field is compared with a time as the time that it
 * holds, if it holds one.  Otherwise two values are equal if they are equal as
 * keys.  Numbers are ordered by value, strings by their decoded bytes.  Regular
 * expressions are searched for in strings, and in the text of numbers.  Every
 * other comparison is false, also with a missing field; != and !~ are the
 * opposites of == and =~.  A field alone is true if it is there and neither
 * null nor false.
 *
 * Source: Filter.isKeep of Storm's Trident; regular expressions are POSIX
 *         extended ones, of regcomp(3), by bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_CONDITION_H
#define TUPLE_CONDITION_H

#include "base/fault.h"
#include "base/timestamp.h"
#include "tuple/projection.h"
#include "tuple/tuple.h"

struct condition;

/*
 * Compile a condition, and add its fields to p.  Those that are compared with
 * times are read by `times`.
 *
 * Shape:  p is not compiled yet.
 * Owns:   copies text, borrows times; the caller frees with condition_free.
 * Errors: NULL if text is not a condition; f says at which column, from 1, and
 *         what was expected there.
 */
struct condition *condition_new(struct span text, struct projection *p,
    const struct time_form *times, struct fault *f);
void condition_free(struct condition *c);

/* Tell whether a field is compared with a time. */
bool condition_has_times(const struct condition *c);

/*
 * Append an option's field in the syntax of conditions: as it is, or with its
 * names in `["NAME"]` if a condition would take only a part of it.
 */
void condition_put_field(struct buffer *b, struct span text);

/*
 * Tell whether a tuple passes.
 *
 * Shape:  t was scanned with the projection that c was compiled with.
 * Errors: none; a comparison that is not possible is false.
 */
bool condition_holds(struct condition *c, const struct tuple *t);

/*
 * Append to text what should be said of the i-th part of a condition when all
 * tuples have been seen, or nothing: that its field was there, but never of a
 * kind that can be compared with its value, or that its value is a time in
 * quotes.  False: there is no such part.
 *
 * Shape:  p is the projection that c was compiled with.
 */
bool condition_hint(const struct condition *c, size_t i,
    const struct projection *p, struct buffer *text);

#endif
