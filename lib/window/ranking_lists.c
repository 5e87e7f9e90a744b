/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "json/text.h"
#include "window/ranking_lists.h"

void
ranking_lists_init(struct ranking_lists *l, const struct projection *projection,
    struct field_range field)
{
	*l = (struct ranking_lists){ .projection = projection, .field = field };
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
		t.line = json_padded(&l->entry);
		if (json_scan(&l->projection->root, t.line, l->slots, f) < 0 ||
		    fn(self, &t, f) < 0)
			return -1;
	}
	return 0;
}

bool
ranking_lists_any(const struct ranking_lists *l)
{
	return l->n != 0;
}

bool
ranking_lists_expects(const struct ranking_lists *l, const struct tuple *t)
{
	return l->n != 0 ||
	    (l->field.n != 0 && tuple_field(t, l->field.first) != NULL);
}

int
ranking_lists_put(struct ranking_lists *l, const struct tuple *t,
    ranking_entry_fn *check, void *self, struct fault *f)
{
	const struct value *list = tuple_field(t, l->field.first);
	uint32_t id;
	bool added;

	if (list == NULL)
		return tuple_missing(t, l->field.first, f);
	if (*list->p != '[')
		return fault_set(f, FAULT_TYPE, 1,
		    "expected a list of entries as rankings");
	if (each_entry(l, value_raw(list), check, self, f) < 0)
		return -1;
	id = hash_map_put(&l->tasks, t->task, t->task, hash_bytes(t->task),
	    &added);
	if (added) {
		l->lists =
		    memory_grow(l->lists, &l->cap, l->n + 1, sizeof *l->lists);
		l->lists[l->n++] = (struct buffer){ 0 };
	}
	l->lists[id].n = 0;
	buffer_put(&l->lists[id], value_raw(list));
	return 0;
}

void
ranking_lists_merge(struct ranking_lists *l, ranking_entry_fn *take, void *self)
{
	for (size_t i = 0; i < l->n; i++)
		each_entry(l, buffer_span(&l->lists[i]), take, self, NULL);
}
