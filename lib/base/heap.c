/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/heap.h"
#include "base/memory.h"

void
heap_fini(struct heap *h)
{
	free(h->entries);
	*h = (struct heap){ 0 };
}

static bool
is_before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void
sink(struct heap *h, size_t i)
{
	struct heap_entry moving = h->entries[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n &&
		    is_before(&h->entries[child + 1], &h->entries[child]))
			child++;
		if (!is_before(&h->entries[child], &moving))
			break;
		h->entries[i] = h->entries[child];
		i = child;
	}
	h->entries[i] = moving;
}

void
heap_push(struct heap *h, struct heap_entry e)
{
	size_t i;

	h->entries =
	    memory_grow(h->entries, &h->cap, h->n + 1, sizeof *h->entries);
	for (i = h->n++; i > 0; i = (i - 1) / 2) {
		if (!is_before(&e, &h->entries[(i - 1) / 2]))
			break;
		h->entries[i] = h->entries[(i - 1) / 2];
	}
	h->entries[i] = e;
}

struct heap_entry
heap_pop(struct heap *h)
{
	struct heap_entry least = h->entries[0];

	h->entries[0] = h->entries[--h->n];
	if (h->n != 0)
		sink(h, 0);
	return least;
}

void
heap_filter(struct heap *h, heap_keeps_fn *keeps, const void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		if (keeps(arg, &h->entries[i]))
			h->entries[n++] = h->entries[i];
	h->n = n;
	for (size_t i = n / 2; i-- > 0;)
		sink(h, i);
}
