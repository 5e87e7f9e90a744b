/*
 * tuple_grouping - make the key of a tuple that a grouping needs.
 *
 * The native scheme takes the canonical key, of the first member if no fields
 * are named.  Storm's partial key grouping takes four bytes of the hashCode of
 * each field, or, if no fields are named, the toString of the first value; its
 * fields grouping takes the hashCode of the list of values.
 *
 * Source: PartialKeyGrouping and FieldsGrouper of Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_TUPLE_GROUPING_H
#define GROUPING_TUPLE_GROUPING_H

#include "grouping/grouping.h"
#include "tuple/key.h"

struct tuple_grouping {
	struct key key;
	struct buffer text, scratch;
};

void tuple_grouping_fini(struct tuple_grouping *g);

/*
 * Make the key of t from n fields, of which the first has the number first; if
 * n is 0, from the first member of t.
 *
 * Shape:  a zeroed g is ready for use, and can be used again.
 * Errors: -1 if t has no such key; f says why.
 */
int tuple_grouping_key(struct tuple_grouping *g,
    const struct grouping_config *config, const struct tuple *t, size_t first,
    size_t n, struct task_key *key, struct fault *f);

#endif
