/*
 * ranking_lists - keep the last ranking that each task of a component has sent,
 * and merge them (topn under Storm).
 *
 * A list replaces the task's earlier one, so that an entry which the task no
 * longer ranks is gone.
 *
 * Source: TotalRankingsBolt of storm-starter.  It updates its ranking entry by
 *         entry, so that an entry which a task no longer ranks stays for ever.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKING_LISTS_H
#define WINDOW_RANKING_LISTS_H

#include "base/hash_map.h"
#include "tuple/options.h"
#include "tuple/tuple.h"

/* Use an entry.  Errors: -1 if it lacks something; f says what. */
typedef int ranking_entry_fn(void *self, const struct tuple *entry,
    struct fault *f);

struct ranking_lists {
	const struct projection *projection; /* of the entries */
	struct field_range field;	     /* of the lists */
	struct hash_map tasks;		     /* ids are indexes of lists */
	struct buffer *lists;
	size_t n, cap;
	struct value *slots;
	struct buffer entry, scratch;
};

/*
 * Shape:  field is the one with the list; if its n is 0, no lists come.
 */
void ranking_lists_init(struct ranking_lists *l,
    const struct projection *projection, struct field_range field);
void ranking_lists_fini(struct ranking_lists *l);

/*
 * _any: a list has come.  _expects: t brings a list, or must, since one has
 * come.
 */
bool ranking_lists_any(const struct ranking_lists *l);
bool ranking_lists_expects(const struct ranking_lists *l,
    const struct tuple *t);

/*
 * Replace the list of the task that a tuple comes from.
 *
 * Owns:   copies it.
 * Errors: -1 if the tuple has no JSON array of entries that check accepts; f
 *         says why, and the earlier list stays.
 */
int ranking_lists_put(struct ranking_lists *l, const struct tuple *t,
    ranking_entry_fn *check, void *self, struct fault *f);

/* Call take for the entries of all tasks, in the order in which these came. */
void ranking_lists_merge(struct ranking_lists *l, ranking_entry_fn *take,
    void *self);

#endif
