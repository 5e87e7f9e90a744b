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

/* Where a value may come from: a stream, and the index of the field there. */
struct join_source {
	uint32_t stream, field;
};

/* A member of a flat row. */
struct join_item {
	struct span lead; /* the bytes before its value: comma, name, colon */
	size_t field;	  /* of the projection */
	size_t stream;	  /* that it is taken from, or JOIN_ANY_STREAM */
	size_t key;	  /* which part of the key it is, or JOIN_NO_KEY */
	/* nsources of them; the first that has a value counts. */
	struct join_source *sources;
	size_t nsources;
};

/* A field that rows need of a stream. */
struct join_wanted_field {
	size_t field;
	int slot, other; /* of the field, see projection */
};

/* All n of a stream, and the tuple that was taken last. */
struct join_wanted {
	struct join_wanted_field *fields;
	struct join_part *part;
	size_t n;
};

#define JOIN_ANY_STREAM SIZE_MAX
#define JOIN_NO_KEY SIZE_MAX

struct join_row {
	const struct stream_names *names;
	const struct projection *projection;
	struct field_range key;	 /* of the first stream, for the names */
	struct join_item *items; /* nitems is 0 for nested rows */
	size_t nitems;
	size_t nfields;		    /* of a part */
	struct join_wanted *wanted; /* of each stream */
};

/*
 * Prepare rows.  Call _compiled when projection has been compiled, before the
 * first tuple.
 *
 * Shape:  list is that of -o; NULL for nested rows.
 * Owns:   names and projection are kept, not copied; names until _fini.
 * Errors: NULL on success, else what is wrong with list, for a message.
 */
const char *join_row_init(struct join_row *r, const struct stream_names *names,
    const struct stream_fields *key, struct projection *projection,
    const char *list);
void join_row_compiled(struct join_row *r);
void join_row_fini(struct join_row *r);

/*
 * A tuple of a stream as a part: its line and id, and those of its fields that
 * rows need.  What else a part has is zero.
 *
 * Owns:   the result is valid until the next call for the stream.
 * Errors: none.
 */
static inline struct join_part *join_row_take(const struct join_row *r,
    const struct tuple *t, size_t stream);

/* Tell whether rows are flat, and so need no more than these fields. */
static inline bool
join_row_is_flat(const struct join_row *r)
{
	return r->nitems != 0;
}

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

static inline struct join_part *
join_row_take(const struct join_row *r, const struct tuple *t, size_t stream)
{
	const struct join_wanted *w = &r->wanted[stream];
	const struct join_wanted_field *f = w->fields, *end = f + w->n;
	struct join_field *found;

	*w->part = (struct join_part){ .line = t->line.p,
		.n = (uint32_t)t->line.n,
		.id = t->id,
		.stream = (uint32_t)stream };
	for (found = join_part_fields(w->part); f < end; f++, found++) {
		const struct value *v = &t->slots[f->slot];

		if (v->p == NULL && f->other != SCAN_NO_SLOT)
			v = &t->slots[f->other];
		found->at = v->p != NULL ? (uint32_t)(v->p - t->line.p) : 0;
		found->n = v->p != NULL ? v->n : 0;
	}
	return w->part;
}

#endif
