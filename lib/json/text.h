/*
 * text - decode and write strings, and walk over the members of an object, in
 * JSON that is known to be valid.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include "base/buffer.h"
#include "base/span.h"

/*
 * Append a string without its escapes, as generalised UTF-8: a pair of
 * surrogate escapes is one character, and a lone one becomes the three bytes
 * that UTF-8 would have for its number.
 *
 * Shape:  text is what stands between the quotes.
 * Errors: none.
 */
void json_decode(struct buffer *b, struct span text);

/* json_decode to text.n + JSON_DECODE_PAD bytes at `to`; returns the end. */
enum { JSON_DECODE_PAD = 8 };
char *json_decode_to(char *to, struct span text);

/* Tell whether text, the inside of a string, decodes to name. */
bool json_decodes_to(struct span text, struct span name);

/* json_text of a string with escapes, by what stands between its quotes. */
struct span json_decoded(struct span text, struct buffer *room);

/*
 * The text of a value: of a string, what is between its quotes, decoded into
 * room if it is escaped; all else is its own text.
 *
 * Owns:   good as long as value, or until room is changed; the byte behind it
 *         can be read, and is none of a number (see number_is).
 */
static inline struct span
json_text(struct span value, bool escaped, struct buffer *room)
{
	if (*value.p != '"')
		return value;
	value = (struct span){ value.p + 1, value.n - 2 };
	return escaped ? json_decoded(value, room) : value;
}

/* Append a value: a string decoded, all else as it is. */
void json_put_decoded(struct buffer *b, struct span value);

/*
 * Append text as a JSON string with its quotes.  What must be escaped is
 * escaped; what json_decode makes of a lone surrogate becomes its escape again,
 * and other bytes that are not UTF-8 become \u00XX.
 *
 * Errors: none.
 */
void json_put_string(struct buffer *b, struct span text);

/* json_put_string and a colon: what is before the value of a member. */
void json_put_name(struct buffer *b, struct span text);

/* The place that a walk over an object or an array has reached. */
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
 * Owns:   the members point into object.
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
