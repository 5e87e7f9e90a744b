/*
 * tuple_grouping - the key that a grouping sees in a tuple.
 *
 * By the native scheme that is the canonical key, or the first member where
 * no fields are named.  Storm hashes four bytes of each field's hashCode; or
 * else the bytes of the first value's toString; and in a fields grouping the
 * list of the values.
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
 * Make the key of t from the n fields from first on, or, where n is 0, from
 * its first member.
 *
 * Shape:  a zeroed struct is ready for use, and is used again.
 * Errors: -1 where there is no such key; f tells.
 */
int tuple_grouping_key(struct tuple_grouping *g,
    const struct grouping_config *config, const struct tuple *t, size_t first,
    size_t n, struct task_key *key, struct fault *f);

#endif
