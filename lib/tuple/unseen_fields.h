/*
 * unseen_fields - the fields of a projection that no tuple has had, to be
 * told of at the end: their names may be misspelled.
 *
 * Once every field has been seen, which mostly the first tuple has done, a
 * look costs nothing.  Until then some tuples, the first ones above all, tell
 * which members there are.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_UNSEEN_FIELDS_H
#define TUPLE_UNSEEN_FIELDS_H

#include "base/known_names.h"
#include "tuple/tuple.h"

struct unseen_fields {
	const struct projection *projection;
	size_t *fields; /* n of its */
	size_t n;
	uint64_t looks;
	struct known_names members;
	struct buffer path; /* scratch */
};

/*
 * Shape:  all fields have been added.
 * Owns:   projection is kept, not copied.
 */
void unseen_fields_init(struct unseen_fields *u, const struct projection *p);
void unseen_fields_fini(struct unseen_fields *u);

/* Note what a tuple has. */
static inline void unseen_fields_look(struct unseen_fields *u,
    const struct tuple *t);

/*
 * Append the i-th thing there is to say: that no tuple had a field, and which
 * member may be meant.
 *
 * Shape:  text may stay as it is.
 * Errors: false where there is no more; nothing is said where no tuple was.
 */
bool unseen_fields_hint(const struct unseen_fields *u, size_t i,
    struct buffer *text);

/* unseen_fields_look where not all have been seen. */
void unseen_fields_look_closely(struct unseen_fields *u, const struct tuple *t);

static inline void
unseen_fields_look(struct unseen_fields *u, const struct tuple *t)
{
	if (u->n != 0)
		unseen_fields_look_closely(u, t);
}

#endif
