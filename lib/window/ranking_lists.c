/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "window/ranking_lists.h"
#include "json/text.h"

void
ranking_lists_init(struct ranking_lists *l, const struct projection *projection)
{
	*l = (struct ranking_lists){ .projection = projection };
	hash_map_init(&l->tasks, 0);
	l->slots = projection_new_slots(projection);
}

void
ranking_lists_fini(struct ranking_lists *l)
{
	for (size_t i = 0; i < l->n; i++)
		buffer_fini(&l->lists[i]);
	free(l->lists);
	hash_map_fini(&l->tasks);
	free(l->slots);
	buffer_fini(&l->entry);
	buffer_fini(&l->scratch);
}

/* Call fn with each entry of a list. */
static int
each_entry(struct ranking_lists *l, struct span list, ranking_entry_fn *fn,
    void *self, struct fault *f)
{
	struct json_members it = json_elements(list);
	struct tuple t = { .projection = l->projection,
		.slots = l->slots,
		.scratch = &l->scratch };
	struct span entry;

	while (json_elements_next(&it, &entry)) {
		/* A copy, since the scanner wants a newline after it. */
		l->entry.n = 0;
		buffer_put(&l->entry, entry);
		memset(buffer_room(&l->entry, JSON_PAD), '\n', JSON_PAD);
		t.line = buffer_span(&l->entry);
		if (json_scan(&l->projection->root, t.line, l->slots, f) < 0 ||
		    fn(self, &t, f) < 0)
			return -1;
	}
	return 0;
}

int
ranking_lists_put(struct ranking_lists *l, struct span task, struct span list,
    ranking_entry_fn *check, void *self, struct fault *f)
{
	uint32_t id;
	bool added;

	if (*list.p != '[')
		return fault_set(f, FAULT_TYPE, 1,
		    "expected a list of "
		    "entries as rankings");
	if (each_entry(l, list, check, self, f) < 0)
		return -1;
	id = hash_map_put(&l->tasks, task, task, hash_bytes(task), &added);
	if (added) {
		l->lists =
		    memory_grow(l->lists, &l->cap, l->n + 1, sizeof *l->lists);
		l->lists[l->n++] = (struct buffer){ 0 };
	}
	l->lists[id].n = 0;
	buffer_put(&l->lists[id], list);
	return 0;
}

void
ranking_lists_merge(struct ranking_lists *l, ranking_entry_fn *take, void *self)
{
	for (size_t i = 0; i < l->n; i++)
		each_entry(l, buffer_span(&l->lists[i]), take, self, NULL);
}
