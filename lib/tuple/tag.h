/*
 * tag - put a member first in tuples, in place of one that has its name: such
 * as the task that each went to.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_TAG_H
#define TUPLE_TAG_H

#include "tuple/options.h"
#include "tuple/tuple.h"

struct tag {
	struct span name;
	size_t field; /* that a tuple has under this name */
	struct buffer member;
};

/* Check the name that an option gives for a tag. */
void tag_check(const struct command *command, const char *option,
    const char *name);

/*
 * Prepare a tag of this name, before the projection of the tuples is compiled.
 *
 * Owns:   name is kept, not copied.
 * Errors: none.
 */
void tag_init(struct tag *g, const char *name, struct projection *p);
void tag_fini(struct tag *g);

/*
 * Begin another member; the caller appends its value.
 *
 * Owns:   the result is the tag's.
 * Errors: none.
 */
struct buffer *tag_begin(struct tag *g);

/* Append a tuple with that member. */
void tag_put(const struct tag *g, struct buffer *b, const struct tuple *t);

#endif
