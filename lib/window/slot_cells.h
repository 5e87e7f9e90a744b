/*
 * slot_cells - the counts of one slot: a cell for each key counted in it.
 *
 *	keys	4  0  7		by cell, as they came
 *	counts	2  1  5
 *
 * The count of a cell can also lie elsewhere, with the owner; there is no
 * room for counts until one is asked for.  Keys are found by an index where
 * they are more than a few.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_CELLS_H
#define WINDOW_SLOT_CELLS_H

#include "base/sum.h"

#define SLOT_CELLS_NONE UINT32_MAX

/* Zeroed, it has no cells. */
struct slot_cells {
	uint32_t *keys;
	struct total *counts; /* NULL until needed */
	size_t n, cap;
	size_t ncounts;	 /* allocated */
	uint32_t *index; /* cell + 1 by hashed key; NULL until needed */
	uint32_t index_mask;
};

void slot_cells_fini(struct slot_cells *s);

/*
 * Find the cell of a key.
 *
 * Errors: SLOT_CELLS_NONE where it has none.
 */
uint32_t slot_cells_find(struct slot_cells *s, uint32_t key);

/* Add the cell of a key that has none, and return it. */
uint32_t slot_cells_add(struct slot_cells *s, uint32_t key);

/*
 * The place of the count of a cell, which is 0 at first.
 *
 * Owns:   good until the next call.
 */
struct total *slot_cells_count(struct slot_cells *s, uint32_t cell);

/* Give all keys new ids, renamed[old id]. */
void slot_cells_rename(struct slot_cells *s, const uint32_t *renamed);

#endif
