/*
 * tuple_layout - tuples as Storm has them, values in a declared order, and
 * as bolts have them, objects with named members.
 *
 *	fields word, count	["the",42]  <->  {"word":"the","count":42}
 *	field tuple		[{"a":1}]   <->  {"a":1}
 *	not declared		["the",42]  <->  {"0":"the","1":42}
 *
 * Values are copied byte for byte.  Of an object, members that are not
 * declared are left out, and those that it lacks are null; but a declared
 * field `tuple` that it lacks is the whole object.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_TUPLE_LAYOUT_H
#define STORM_TUPLE_LAYOUT_H

#include "base/buffer.h"
#include "base/fault.h"
#include "base/span.h"
#include "tuple/projection.h"

struct tuple_layout {
	bool declared;
	size_t n;
	struct span *names; /* each with its quotes and a colon after it */
	struct projection projection; /* of the declared fields */
	struct value *slots;
};

/*
 * Shape:  fields is NULL where nothing is declared.
 * Owns:   copies the names.
 */
void tuple_layout_init(struct tuple_layout *l, const struct span *fields,
    size_t n);
void tuple_layout_fini(struct tuple_layout *l);

/* Tell whether a field is declared. */
bool tuple_layout_has(const struct tuple_layout *l, struct span field);

/*
 * Append values, a JSON array, as an object.
 *
 * Shape:  first is empty, or a member to begin with.
 * Errors: -1 where there are more or less than declared; f tells.
 */
int tuple_layout_put_object(const struct tuple_layout *l, struct buffer *b,
    struct span values, struct span first, struct fault *f);

/*
 * Append an object as values, without brackets.
 *
 * Shape:  object is valid and followed by a newline and JSON_PAD bytes.
 * Errors: none.  Returns how many of the declared fields it has.
 */
size_t tuple_layout_put_values(struct tuple_layout *l, struct buffer *b,
    struct span object);

/*
 * The first declared field that the last object lacked.
 *
 * Shape:  it did lack one.
 * Owns:   the result is quoted, and good until _fini.
 */
struct span tuple_layout_lacked(const struct tuple_layout *l);

#endif
