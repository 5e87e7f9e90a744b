/*
 * column - pieces of JSON as values of database columns, and back.
 *
 * What a database can hold as itself and give back in the same spelling it
 * gets as itself: a string without escapes as text, 42 as an integer, 0.5 as
 * a real, null as NULL.  All else (true, 1.10, 1e400, a string with escapes,
 * an object) is the JSON text in a blob.  So nothing is lost, and nearly all
 * can be queried.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdint.h>

#include "buffer.h"
#include "span.h"

enum column_kind {
	COLUMN_NULL,
	COLUMN_INT,
	COLUMN_REAL,
	COLUMN_TEXT,
	COLUMN_BLOB,
};

struct column {
	enum column_kind kind;
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
struct column column_of_json(struct span json);
struct column column_of_key_part(struct span part);

static inline struct column
column_of_int(int64_t i)
{
	return (struct column){ .kind = COLUMN_INT, .i = i };
}

static inline struct column
column_of_blob(struct span bytes)
{
	return (struct column){ .kind = COLUMN_BLOB, .bytes = bytes };
}

static inline struct column
column_of_text(struct span bytes)
{
	return (struct column){ .kind = COLUMN_TEXT, .bytes = bytes };
}

/* Append what the column was made of. */
void column_put(struct buffer *b, const struct column *c);

#endif
