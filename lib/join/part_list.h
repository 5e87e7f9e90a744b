/*
 * part_list - the tuples (parts) of one stream and one key that wait, sorted by
 * time, then arrival: a skip list.
 *
 * The parts are linked as a ring.  Each part has a random rank: three of four
 * have 0, three of sixteen 1, and so on.  A part of rank r has r + 1 links: to
 * the next part, and r shortcuts, each to the next part of that rank or a
 * higher one.
 *
 *	rank 2	         o---------------------------> (none)
 *	rank 1	         o---------> o-------> o-----> (none)
 *	rank 0	o -> o -> o -> o -> o -> o -> o -> o -> first
 *	        first                              last
 *
 * A shortcut is set only when a search first needs it, and is NULL before.  So
 * adding a part at the end, and removing the first, cost no more than in a
 * plain list; adding or finding parts in any order is O(log n).  Ranks depend
 * on the secret of the process, so no input can be made to be slow.
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

/*
 * A zeroed list is empty.  In a single join it has one part at most, without
 * links: the functions below are not for it.
 */
struct part_list {
	struct join_part *last;
};

/* How many links a part gets, by its order of arrival, for join_parts_keep. */
uint8_t part_list_nlinks(uint64_t order);

/* Tell whether a comes before b, by time, then arrival. */
static inline bool
part_is_before(const struct join_part *a, const struct join_part *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/*
 * The first part; the part after p.
 *
 * Errors: NULL if there is none.
 */
static inline struct join_part *
part_list_first(const struct part_list *l)
{
	return l->last == NULL ? NULL : join_part_links(l->last)[0];
}

static inline struct join_part *
part_list_next(const struct part_list *l, const struct join_part *p)
{
	return p == l->last ? NULL : join_part_links(p)[0];
}

/*
 * Add a part with links that is in no list; remove the first part and return
 * it.
 *
 * Shape:  the list from which one is removed is not empty.
 * Errors: none.
 */
void part_list_add(struct part_list *l, struct join_part *p);
struct join_part *part_list_take_first(struct part_list *l);

/*
 * The first part whose time is at least time; the last one whose time is at
 * most time.
 *
 * Errors: NULL if there is none.
 */
struct join_part *part_list_first_from(const struct part_list *l, int64_t time);
struct join_part *part_list_last_to(const struct part_list *l, int64_t time);

#endif
