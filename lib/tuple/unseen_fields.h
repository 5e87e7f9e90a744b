/*
 * unseen_fields - find the fields of options that no tuple has, since their
 * names may be misspelled.
 *
 * As long as a field was not seen, the first tuples and some of the later ones
 * are searched for the names of their members, to suggest one.  Usually the
 * first tuple has all fields; later ones then cost nothing.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_UNSEEN_FIELDS_H
#define TUPLE_UNSEEN_FIELDS_H

#include "base/known_names.h"
#include "tuple/tuple.h"

struct unseen_fields {
	const struct projection *projection;
	size_t *fields; /* the n fields that were not seen yet */
	size_t n;
	uint64_t looks;
	bool advises; /* messages list names */
	struct known_names members;
	struct known_names of_streams;	/* a member, and a stream that has it */
	struct buffer name, path, both; /* scratch */
};

/*
 * Begin, with no field seen.
 *
 * Shape:  all fields have been added to p.  advises: also report only_if_like
 *         fields, even if they do not look like values, and list the known
 *         members if none is similar.
 * Owns:   p is kept, not copied.
 * Errors: none.
 */
void unseen_fields_init(struct unseen_fields *u, const struct projection *p,
    bool advises);
void unseen_fields_fini(struct unseen_fields *u);

/* Tell whether no tuple had the field of that number. */
bool unseen_fields_has(const struct unseen_fields *u, size_t field);

/* Note which fields and members a tuple has. */
static inline void unseen_fields_look(struct unseen_fields *u,
    const struct tuple *t);

/*
 * Append the i-th message: that no tuple has some field, and which member may
 * have been meant.  Some i have no text, and none has if there was no tuple.
 *
 * Errors: false if i is beyond the last message.
 */
bool unseen_fields_hint(const struct unseen_fields *u, size_t i,
    struct buffer *text);

/* unseen_fields_look while a field is missing. */
void unseen_fields_look_closely(struct unseen_fields *u, const struct tuple *t);

static inline void
unseen_fields_look(struct unseen_fields *u, const struct tuple *t)
{
	if (u->n != 0)
		unseen_fields_look_closely(u, t);
}

#endif
