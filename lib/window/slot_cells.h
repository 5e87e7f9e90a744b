/*
 * slot_cells - the counts of one slot: a cell for each key that was counted in
 * it.
 *
 *	keys	4  0  7		by cell, as they came
 *	counts	2  1  5
 *
 * The owner can also keep the count of a cell elsewhere; memory for counts is
 * allocated only when one is asked for.  If there are more than a few keys,
 * they are found by a hash index.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_CELLS_H
#define WINDOW_SLOT_CELLS_H

#include "base/sum.h"

#define SLOT_CELLS_NONE UINT32_MAX

/* A zeroed struct has no cells. */
struct slot_cells {
	uint32_t *keys;
	struct total *counts; /* NULL until needed */
	size_t n, cap;
	size_t ncounts;	 /* allocated */
	uint32_t *index; /* cell + 1 by hashed key; NULL until needed */
	uint32_t index_mask;
	bool touched; /* the owner's: counted in, and not kept elsewhere yet */
};

void slot_cells_fini(struct slot_cells *s);

/*
 * Find the cell of a key.
 *
 * Errors: SLOT_CELLS_NONE if the key has none.
 */
uint32_t slot_cells_find(struct slot_cells *s, uint32_t key);

/* Add the cell of a key that has none, and return it. */
uint32_t slot_cells_add(struct slot_cells *s, uint32_t key);

/*
 * The count of a cell, which is 0 at first.
 *
 * Owns:   valid until the next call.
 */
struct total *slot_cells_count(struct slot_cells *s, uint32_t cell);

/* Give all keys new ids, renamed[old id]. */
void slot_cells_rename(struct slot_cells *s, const uint32_t *renamed);

#endif
