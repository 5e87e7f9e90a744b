/*
 * id_set - a set of ids, walked in ascending order.
 *
 * A bit for each id, above 64 of them one that tells whether any is set, and
 * so on up: what adding, deleting and finding the next one cost does not
 * depend on how many ids there are, nor on how far apart they lie.
 *
 *	level 1	                1        0        1
 *	level 0		0..01..1.  ........  .1......	ids 3, 6, 65 + ...
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_ID_SET_H
#define BASE_ID_SET_H

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
 * Shape:  id is not ID_SET_NONE.
 * Errors: none.
 */
void id_set_add(struct id_set *s, uint32_t id);
void id_set_del(struct id_set *s, uint32_t id);

/*
 * The least id from one on.
 *
 * Errors: ID_SET_NONE where there is none.
 */
uint32_t id_set_next(const struct id_set *s, uint32_t from);

#endif
