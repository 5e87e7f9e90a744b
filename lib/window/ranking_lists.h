/*
 * ranking_lists - the last list that each upstream task has sent of its
 * ranking, to be merged.
 *
 * A list takes the place of the task's last one, so an entry that a task no
 * longer ranks is gone.
 *
 * Source: TotalRankingsBolt of storm-starter, which updates its ranking
 *         entry by entry: what was squeezed out upstream stays for ever.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKING_LISTS_H
#define WINDOW_RANKING_LISTS_H

#include "base/hash_map.h"
#include "tuple/tuple.h"

/* Take an entry; -1 with f where it lacks something. */
typedef int ranking_entry_fn(void *self, const struct tuple *entry,
    struct fault *f);

struct ranking_lists {
	const struct projection *projection; /* of the entries */
	struct hash_map tasks;		     /* ids are indexes of lists */
	struct buffer *lists;
	size_t n, cap;
	struct value *slots;
	struct buffer entry, scratch;
};

void ranking_lists_init(struct ranking_lists *l,
    const struct projection *projection);
void ranking_lists_fini(struct ranking_lists *l);

/*
 * Put the task's list in the place of its last one.
 *
 * Shape:  task is any bytes that name it, list a field's value.
 * Owns:   copies both.
 * Errors: -1 where it is no list of entries that check finds good.
 */
int ranking_lists_put(struct ranking_lists *l, struct span task,
    struct span list, ranking_entry_fn *check, void *self, struct fault *f);

/* Hand out all entries, those of the task first that came first. */
void ranking_lists_merge(struct ranking_lists *l, ranking_entry_fn *take,
    void *self);

#endif
