/*
 * row - write the rows of a join: nested, with whole tuples under the names of
 * their streams, or flat, with a list of fields (sjoin -o).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_ROW_H
#define JOIN_ROW_H

#include "join/join.h"
#include "join/stream_names.h"

/* A member of a flat row. */
struct join_item {
	struct span lead; /* the bytes before its value: comma, name, colon */
	size_t field;	  /* of the projection */
	size_t stream;	  /* that it is taken from, or JOIN_ANY_STREAM */
	size_t key;	  /* which part of the key it is, or JOIN_NO_KEY */
};

#define JOIN_ANY_STREAM SIZE_MAX
#define JOIN_NO_KEY SIZE_MAX

struct join_row {
	const struct stream_names *names;
	const struct projection *projection;
	struct field_range key;	 /* of the first stream, for the names */
	struct join_item *items; /* nitems is 0 for nested rows */
	size_t nitems, leads;	 /* leads: the bytes of all leads */
	size_t nfields;		 /* of a part */
	/* Of each stream: the fields that rows need, and where they are. */
	size_t *wanted, *nwanted;
	struct join_field *fields;
	/* Of each item and stream: the index of the field plus 1, or 0. */
	uint32_t *places;
};

/*
 * Prepare rows.
 *
 * Shape:  list is that of -o; NULL for nested rows.
 * Owns:   names and projection are kept, not copied.
 * Errors: NULL on success, else what is wrong with list, for a message.
 */
const char *join_row_init(struct join_row *r, const struct stream_names *names,
    const struct stream_fields *key, struct projection *projection,
    const char *list);
void join_row_fini(struct join_row *r);

/*
 * Set part->fields to the fields of t that rows need, and, unless all, set
 * part->spare to the bytes that they do not need.
 *
 * Shape:  part->line is the whole line of t; part->stream is set.
 * Owns:   part->fields is valid until the next call for the stream.
 * Errors: none.
 */
void join_row_take(struct join_row *r, const struct tuple *t, bool all,
    struct join_part *part);

/*
 * The names, without quotes, of the members of a row; in nested rows without
 * those of the key.
 *
 * Owns:   the caller frees the result; the names themselves are the row's.
 * Errors: none.
 */
struct span *join_row_names(const struct join_row *r, size_t *n);

/* Append a row; parts has a tuple for each stream, or NULL. */
void join_row_put(const struct join_row *r, struct buffer *b, struct span key,
    const struct join_part *const *parts);

/* Append the line that --expired has for a part that failed. */
void join_row_put_failed(const struct join_row *r, struct buffer *b,
    const struct join_part *part, enum join_reason reason);

#endif
