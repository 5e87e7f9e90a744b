/*
 * tuple_layout - convert between tuples as Storm has them, which are lists of
 * values in a declared order, and as bolts have them, which are objects.
 *
 *	fields word, count	["the",42]  <->  {"word":"the","count":42}
 *	field tuple		[{"a":1}]   <->  {"a":1}
 *	field lines		["{}\n"]    <->  lines, see line_block
 *	not declared		["the",42]  <->  {"0":"the","1":42}
 *
 * Values are copied byte for byte.  Members of an object that are not declared
 * are left out.  A declared field that it lacks is null; the field `tuple` is
 * the whole object instead.
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
	bool is_block; /* of lines */
	size_t n;
	struct span *names; /* each with its quotes and a colon after it */
	struct projection projection; /* of the declared fields */
	struct value *slots;
};

/*
 * Prepare for these declared fields.
 *
 * Shape:  fields is NULL if nothing is declared.
 * Owns:   copies the names.
 * Errors: none.
 */
void tuple_layout_init(struct tuple_layout *l, const struct span *fields,
    size_t n);
void tuple_layout_fini(struct tuple_layout *l);

/* Tell whether a field is declared. */
bool tuple_layout_has(const struct tuple_layout *l, struct span field);

/*
 * Append values, a JSON array, as an object.
 *
 * Shape:  first is empty, or a member, with no escape in its name, that is put
 *         first unless the field `tuple` has one of its name; this is no block.
 * Errors: -1 if there are more or fewer values than declared; f says so, and
 *         b already has the object.
 */
int tuple_layout_put_object(const struct tuple_layout *l, struct buffer *b,
    struct span values, struct span first, struct fault *f);

/*
 * Append an object, or lines, as a list of values, without brackets.  Returns
 * how many of the declared fields the object has.
 *
 * Shape:  an object is valid and followed by a newline and JSON_PAD bytes.
 * Errors: none.
 */
size_t tuple_layout_put_values(struct tuple_layout *l, struct buffer *b,
    struct span row);

/*
 * The first declared field, with its quotes, that the last object lacked.
 *
 * Shape:  it lacked one.
 * Owns:   valid until _fini.
 */
struct span tuple_layout_lacked(const struct tuple_layout *l);

#endif
