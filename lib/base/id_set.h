/*
 * id_set - a set of ids that can be walked in ascending order.
 *
 * Level 0 has a bit for each id.  Each bit of a level above says whether any
 * of 64 bits below is set.  So adding, deleting and finding the next id take
 * constant time, however many ids there are and however far apart.
 *
 *	level 1		1	      0		   1
 *	level 0		0001001000..  0000000000..  0100000000..  ids 3, 6, 129
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_ID_SET_H
#define BASE_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID_SET_NONE UINT32_MAX

enum { ID_SET_LEVELS = 6 }; /* of 64 ids each: 2^36 */

/* A zeroed set is empty. */
struct id_set {
	uint64_t *levels[ID_SET_LEVELS];
	size_t nwords[ID_SET_LEVELS];
};

void id_set_fini(struct id_set *s);

/*
 * Add or delete an id, which may be there or not.
 *
 * Shape:  id is not ID_SET_NONE.
 * Errors: none; stops the program when memory runs out.
 */
void id_set_add(struct id_set *s, uint32_t id);
void id_set_del(struct id_set *s, uint32_t id);

static inline bool
id_set_has(const struct id_set *s, uint32_t id)
{
	return id / 64 < s->nwords[0] &&
	    (s->levels[0][id / 64] >> id % 64 & 1) != 0;
}

/*
 * Find the least id of the set that is at least from.  _next is the quicker one
 * where most ids are near each other.
 *
 * Errors: ID_SET_NONE if there is none.
 */
uint32_t id_set_search(const struct id_set *s, uint32_t from);

static inline uint32_t
id_set_next(const struct id_set *s, uint32_t from)
{
	uint64_t rest = 0;

	/* Most are within the same 64. */
	if (from / 64 < s->nwords[0])
		rest = s->levels[0][from / 64] >> from % 64;
	return rest != 0 ? from + (uint32_t)__builtin_ctzll(rest) :
			   id_set_search(s, from);
}

#endif
