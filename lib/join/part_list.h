/*
 * part_list - what waits of one stream under one key, by time, then arrival.
 *
 * A list is a ring of the parts themselves.  A part ranks by chance: three of
 * four 0, three of sixteen 1, and so on.  One of rank r has r shortcuts, each
 * to the next part that ranks so high.
 *
 *	rank 2	         o---------------------------> (none)
 *	rank 1	         o---------> o-------> o-----> (none)
 *	rank 0	o -> o -> o -> o -> o -> o -> o -> o -> first
 *	        first                              last
 *
 * A shortcut is NULL until a search has come from its beginning to its end.
 * So adding a part that comes last, and taking out the first, cost nothing
 * more than a list does; and adding or finding parts in any order takes the
 * logarithm of their number.  Only who knows the secret of the process could
 * choose an order for which that is not so.
 *
 * Source: W. Pugh, "Skip Lists: A Probabilistic Alternative to Balanced
 *         Trees", CACM 1990; searched from the first part upwards, for want
 *         of a head.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_PART_LIST_H
#define JOIN_PART_LIST_H

#include "join/parts.h"

enum { PART_LIST_MOST_RANK = 15 };

/* Zeroed, it is empty. */
struct part_list {
	struct join_part *last;
};

/* What the part of an order of arrival ranks, for join_parts_keep. */
uint32_t part_list_rank(uint64_t order);

/* Tell whether a is before b: its time is, or it arrived earlier. */
static inline bool
part_is_before(const struct join_part *a, const struct join_part *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/*
 * The first part, and the one after p.
 *
 * Errors: NULL where there is none.
 */
static inline struct join_part *
part_list_first(const struct part_list *l)
{
	return l->last == NULL ? NULL : l->last->next;
}

static inline struct join_part *
part_list_next(const struct part_list *l, const struct join_part *p)
{
	return p == l->last ? NULL : p->next;
}

/*
 * Add a part that is in no list; take the first one out.
 *
 * Shape:  there is a first one.
 * Errors: none.
 */
void part_list_add(struct part_list *l, struct join_part *p);
struct join_part *part_list_take_first(struct part_list *l);

/*
 * The first part from a time on; the last one up to it.
 *
 * Errors: NULL where there is none.
 */
struct join_part *part_list_first_from(const struct part_list *l, int64_t time);
struct join_part *part_list_last_to(const struct part_list *l, int64_t time);

#endif
