/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "window/slots.h"

void
slots_init(struct slots *s, size_t value_size)
{
	*s = (struct slots){ 0 };
	hash_map_init(&s->map, sizeof(struct slot) + value_size);
	s->map.fill_holes = true;
}

void
slots_fini(struct slots *s)
{
	hash_map_fini(&s->map);
	heap_fini(&s->ahead);
	heap_fini(&s->open);
}

static struct span
key_of(const int64_t *number)
{
	return (struct span){ (const char *)number, sizeof *number };
}

uint32_t
slots_put(struct slots *s, int64_t number)
{
	struct span key = key_of(&number);
	bool added;
	uint32_t id = hash_map_put(&s->map, key, key, hash_bytes(key), &added);

	if (added) {
		slots_get(s, id)->number = number;
		heap_push(&s->ahead,
		    (struct heap_entry){ .time = number, .id = id });
	}
	return id;
}

static int64_t
first_of(const struct heap *h)
{
	const struct heap_entry *first = heap_first(h);

	return first == NULL ? INT64_MAX : first->time;
}

int64_t
slots_first_ahead(const struct slots *s)
{
	return first_of(&s->ahead);
}

int64_t
slots_first(const struct slots *s)
{
	int64_t open = first_of(&s->open), ahead = first_of(&s->ahead);

	return open < ahead ? open : ahead;
}

uint32_t
slots_open_next(struct slots *s, int64_t below)
{
	struct heap_entry first;

	if (!heap_has_before(&s->ahead, below))
		return SLOTS_NONE;
	first = heap_pop(&s->ahead);
	heap_push(&s->open, first);
	slots_get(s, first.id)->open = true;
	return first.id;
}

uint32_t
slots_close_next(struct slots *s, int64_t below)
{
	if (!heap_has_before(&s->open, below))
		return SLOTS_NONE;
	return heap_pop(&s->open).id;
}

void
slots_del(struct slots *s, uint32_t id)
{
	hash_map_del(&s->map, id);
}

static int
by_number(const void *a, const void *b)
{
	const struct heap_entry *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

uint32_t *
slots_list(const struct slots *s, size_t *n)
{
	struct heap_entry *found =
	    memory_new(heap_size(&s->open) + heap_size(&s->ahead),
		sizeof *found);
	uint32_t *ids;

	*n = heap_copy(&s->open, found);
	*n += heap_copy(&s->ahead, found + *n);
	qsort(found, *n, sizeof *found, by_number);
	ids = memory_new(*n, sizeof *ids);
	for (size_t i = 0; i < *n; i++)
		ids[i] = found[i].id;
	free(found);
	return ids;
}
