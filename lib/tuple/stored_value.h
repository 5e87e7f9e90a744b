/*
 * stored_value - pieces of JSON as values of database columns, and back.
 *
 * What a database can hold as itself and give back in the same spelling it
 * gets as itself: a string without escapes as text, 42 as an integer, 0.5 as
 * a real, null as NULL.  All else (true, 1.10, 1e400, a string with escapes,
 * an object) is the JSON text in a blob.  So nothing is lost, and nearly all
 * can be queried.
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
 * Make the column of a JSON value as it stands in a line.  _of_key_part does
 * so for a part of a key's canonical bytes (see key.h), whose strings are
 * decoded; it is never NULL, since null is a key like others.
 *
 * Owns:   bytes points into json.
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

/* Append what the column was made of. */
void stored_value_put(struct buffer *b, const struct stored_value *c);

/*
 * Append the JSON text that a column was made of, with JSON_PAD bytes behind
 * it as the scanner needs them.
 *
 * Owns:   the text is what b has more than before.
 * Errors: false where that is not one JSON value on one line.
 */
bool stored_value_read(struct buffer *b, const struct stored_value *c);

/* Tell whether two columns are the same, in kind too. */
bool stored_value_same(const struct stored_value *a,
    const struct stored_value *b);

#endif
