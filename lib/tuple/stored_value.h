/*
 * stored_value - convert JSON values to values of database columns, and back
 * without loss.
 *
 * A value is stored as SQL's own type if the database gives it back in the same
 * spelling: a string without escapes as text, 42 as an integer, 0.5 as a real,
 * null as NULL.  Every other value (true, 1.10, 1e400, a string with escapes,
 * an object) is stored as its JSON text, in a blob.  So nearly all can be
 * queried.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_STORED_VALUE_H
#define TUPLE_STORED_VALUE_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"

enum stored_value_kind {
	STORED_NULL,
	STORED_INT,
	STORED_REAL,
	STORED_TEXT,
	STORED_BLOB,
};

struct stored_value {
	enum stored_value_kind kind;
	int64_t i;
	double d;
	struct span bytes; /* text or blob */
};

/*
 * Convert a JSON value as it stands in a line; or a part of a key's canonical
 * bytes (see key.h), whose strings are decoded.  Of a key, null is stored as a
 * blob, not as NULL, since it is a key like others.
 *
 * Owns:   bytes points into the argument.
 * Errors: none.
 */
struct stored_value stored_value_of_json(struct span json);
struct stored_value stored_value_of_key_part(struct span part);

static inline struct stored_value
stored_value_of_int(int64_t i)
{
	return (struct stored_value){ .kind = STORED_INT, .i = i };
}

static inline struct stored_value
stored_value_of_blob(struct span bytes)
{
	return (struct stored_value){ .kind = STORED_BLOB, .bytes = bytes };
}

static inline struct stored_value
stored_value_of_text(struct span bytes)
{
	return (struct stored_value){ .kind = STORED_TEXT, .bytes = bytes };
}

/* Append the JSON text that a value was made of. */
void stored_value_put(struct buffer *b, const struct stored_value *c);

/*
 * Let b be the JSON text of a value that was read from a database, and check it.
 * JSON_PAD bytes after it, in the buffer's memory, are as the scanner needs
 * them.
 *
 * Errors: false if it is not one JSON value on one line.
 */
bool stored_value_read(struct buffer *b, const struct stored_value *c);

/* Tell whether two values are the same and of the same kind. */
bool stored_value_same(const struct stored_value *a,
    const struct stored_value *b);

#endif
