/*
 * row - rows of a join, made of the bytes of the tuples in it: whole
 * tuples under the names of their streams, or a flat list of fields.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_ROW_H
#define JOIN_ROW_H

#include "join/join.h"
#include "join/stream_names.h"

/* A member of a flat row. */
struct join_item {
	struct span lead; /* what stands before its value */
	size_t field;	  /* of the projection */
	size_t stream;	  /* whose it is; JOIN_ANY_STREAM */
	size_t key;	  /* which part of the key; JOIN_NO_KEY */
};

#define JOIN_ANY_STREAM SIZE_MAX
#define JOIN_NO_KEY SIZE_MAX

struct join_row {
	const struct stream_names *names;
	const struct projection *projection;
	struct field_range key;	 /* of the first stream, which names it */
	struct join_item *items; /* nitems is 0 for nested rows */
	size_t nitems, leads;	 /* leads: the bytes of all */
	size_t nfields;		 /* of a part */
	/* Of each stream: the fields to look for, and where they were found. */
	size_t *wanted, *nwanted;
	struct join_field *fields;
	/* Of each item, for each stream: the number of its field, or 0. */
	uint32_t *places;
};

/*
 * Set up rows; list is that of -o, NULL for nested ones.
 *
 * Owns:   names and projection are kept, not copied.
 * Errors: NULL on success, else what is wrong with list, for a message.
 */
const char *join_row_init(struct join_row *r, const struct stream_names *names,
    const struct stream_fields *key, struct projection *projection,
    const char *list);
void join_row_fini(struct join_row *r);

/*
 * Note in a part where in its line is what flat rows may need of it, and,
 * unless all of it is needed, that no more has to be kept.
 *
 * Shape:  part->line is all of t's, and part->stream is set.
 * Owns:   part->fields are good until the next call for the stream.
 */
void join_row_take(struct join_row *r, const struct tuple *t, bool all,
    struct join_part *part);

/*
 * The names, without quotes, of what a row has besides the key; a flat one has
 * that among them.
 *
 * Owns:   the result is the caller's to free; the names are the row's.
 */
struct span *join_row_names(const struct join_row *r, size_t *n);

/* Append a row; parts has a member for each stream, NULL where absent. */
void join_row_put(const struct join_row *r, struct buffer *b, struct span key,
    const struct join_part *const *parts);

/* Append what --expired says of a part that failed. */
void join_row_put_failed(const struct join_row *r, struct buffer *b,
    const struct join_part *part, enum join_reason reason);

#endif
