/*
 * text - pieces of JSON text that is known to be valid: decoding and
 * writing strings, walking the members of an object.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include "base/buffer.h"
#include "base/span.h"

/*
 * Append what a string stands for, as generalised UTF-8: a pair of surrogate
 * escapes is one character, a lone one is encoded like its neighbours.
 *
 * Shape:  text is what stands between the quotes.
 * Errors: none.
 */
void json_decode(struct buffer *b, struct span text);

/* Tell whether text, likewise, stands for name. */
bool json_decodes_to(struct span text, struct span name);

/*
 * Append text as a JSON string with its quotes, escaping what must be, and
 * what is no UTF-8 as \u00XX.
 */
void json_put_string(struct buffer *b, struct span text);

/* Where a walk over the members of an object, or an array, is. */
struct json_members {
	const char *p, *end;
};

struct json_member {
	struct span name;  /* between the quotes, not decoded */
	struct span value; /* its bytes, without white space around */
};

/*
 * Walk over the members of object, a valid one with its braces.
 *
 * Owns:   what is returned points into object.
 * Errors: none; _next returns false after the last.
 */
struct json_members json_members(struct span object);
bool json_members_next(struct json_members *it, struct json_member *m);

/*
 * Walk over the elements of array, a valid one with its brackets, in the
 * same way.
 */
struct json_members json_elements(struct span array);
bool json_elements_next(struct json_members *it, struct span *value);

/* s without white space at its ends (RFC 8259 section 2). */
struct span json_trim(struct span s);

#endif
