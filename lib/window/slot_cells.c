/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "window/slot_cells.h"

/* So many keys are compared as quickly as hashed. */
enum { FEW = 8 };

void
slot_cells_fini(struct slot_cells *s)
{
	free(s->keys);
	free(s->counts);
	free(s->index);
	*s = (struct slot_cells){ 0 };
}

/* Where the index has the key's cell, or where it belongs. */
static uint32_t *
index_entry(const struct slot_cells *s, uint32_t key)
{
	struct span bytes = { (const char *)&key, sizeof key };
	uint32_t i = (uint32_t)hash_bytes(bytes) & s->index_mask;

	while (s->index[i] != 0 && s->keys[s->index[i] - 1] != key)
		i = (i + 1) & s->index_mask;
	return &s->index[i];
}

static void
build_index(struct slot_cells *s)
{
	size_t size = 4 * FEW;

	while (size < s->n * 4)
		size *= 2;
	free(s->index);
	s->index = memory_new(size, sizeof *s->index);
	s->index_mask = (uint32_t)(size - 1);
	for (uint32_t cell = 0; cell < s->n; cell++)
		*index_entry(s, s->keys[cell]) = cell + 1;
}

uint32_t
slot_cells_find(struct slot_cells *s, uint32_t key)
{
	if (s->n <= FEW) {
		for (uint32_t cell = 0; cell < s->n; cell++)
			if (s->keys[cell] == key)
				return cell;
		return SLOT_CELLS_NONE;
	}
	if (s->index == NULL)
		build_index(s);
	/* An empty entry is 0, and so none. */
	return *index_entry(s, key) - 1;
}

uint32_t
slot_cells_add(struct slot_cells *s, uint32_t key)
{
	uint32_t cell = (uint32_t)s->n;

	s->keys = memory_grow(s->keys, &s->cap, s->n + 1, sizeof *s->keys);
	s->keys[s->n++] = key;
	if (s->index != NULL) {
		if (s->n > s->index_mask / 2)
			build_index(s);
		else
			*index_entry(s, key) = cell + 1;
	}
	return cell;
}

struct total *
slot_cells_count(struct slot_cells *s, uint32_t cell)
{
	size_t old = s->ncounts;

	if (cell >= old) {
		s->counts = memory_grow(s->counts, &s->ncounts, s->n,
		    sizeof *s->counts);
		memset(s->counts + old, 0,
		    (s->ncounts - old) * sizeof *s->counts);
	}
	return &s->counts[cell];
}

void
slot_cells_rename(struct slot_cells *s, const uint32_t *renamed)
{
	for (size_t cell = 0; cell < s->n; cell++)
		s->keys[cell] = renamed[s->keys[cell]];
	free(s->index);
	s->index = NULL;
}
