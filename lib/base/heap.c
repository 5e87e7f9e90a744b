/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/memory.h"

enum {
	MANY = 64, /* a heap of so many is sorted */
	SHORT = 8, /* so many are sorted by insertion */
};

void
heap_fini(struct heap *h)
{
	free(h->tree.entries);
	free(h->run.entries);
	*h = (struct heap){ 0 };
}

static void
sink(struct heap_part *tree, size_t i)
{
	struct heap_entry *e = tree->entries, moving = e[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= tree->n)
			break;
		if (child + 1 < tree->n &&
		    heap_is_before(&e[child + 1], &e[child]))
			child++;
		if (!heap_is_before(&e[child], &moving))
			break;
		e[i] = e[child];
		i = child;
	}
	e[i] = moving;
}

void
heap_push(struct heap *h, struct heap_entry new)
{
	struct heap_part *tree = &h->tree;
	struct heap_entry *e;
	size_t i;

	e = tree->entries = memory_grow(tree->entries, &tree->cap, tree->n + 1,
	    sizeof *tree->entries);
	for (i = tree->n++; i > 0; i = (i - 1) / 2) {
		if (!heap_is_before(&new, &e[(i - 1) / 2]))
			break;
		e[i] = e[(i - 1) / 2];
	}
	e[i] = new;
}

/* Sort a few. */
static void
insert_all(struct heap_entry *e, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct heap_entry moving = e[i];
		size_t k = i;

		for (; k > 0 && heap_is_before(&moving, &e[k - 1]); k--)
			e[k] = e[k - 1];
		e[k] = moving;
	}
}

/* Merge e[0..middle) with e[middle..n), both sorted. */
static void
merge(struct heap_entry *to, const struct heap_entry *e, size_t middle,
    size_t n)
{
	size_t a = 0, b = middle;

	/* Most come in about the order of their times. */
	if (middle == n || !heap_is_before(&e[middle], &e[middle - 1])) {
		memcpy(to, e, n * sizeof *to);
		return;
	}
	while (a < middle && b < n) {
		bool second = heap_is_before(&e[b], &e[a]);

		*to++ = e[second ? b : a];
		a += !second;
		b += second;
	}
	memcpy(to, e + a, (middle - a) * sizeof *to);
	memcpy(to + (middle - a), e + b, (n - b) * sizeof *to);
}

static size_t
least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void
swap(struct heap *h)
{
	struct heap_part tree = h->tree;

	h->tree = h->run;
	h->run = tree;
}

/* Make of the tree the run, which is used up. */
static void
sort(struct heap *h)
{
	size_t n = h->tree.n;

	h->run.entries =
	    memory_grow(h->run.entries, &h->run.cap, n, sizeof *h->run.entries);
	for (size_t i = 0; i < n; i += SHORT)
		insert_all(h->tree.entries + i, least_of(SHORT, n - i));
	for (size_t width = SHORT; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width)
			merge(h->run.entries + i, h->tree.entries + i,
			    least_of(width, n - i), least_of(2 * width, n - i));
		swap(h);
	}
	swap(h);
	h->run.n = n;
	h->tree.n = h->at = 0;
}

struct heap_entry
heap_pop(struct heap *h)
{
	struct heap_part *tree = &h->tree;
	const struct heap_entry *first;
	struct heap_entry least;

	if (h->at == h->run.n && tree->n >= MANY)
		sort(h);
	first = heap_first(h);
	least = *first;
	if (first != tree->entries) {
		h->at++;
		return least;
	}
	tree->entries[0] = tree->entries[--tree->n];
	if (tree->n != 0)
		sink(tree, 0);
	return least;
}

void
heap_clear(struct heap *h)
{
	h->tree.n = h->run.n = h->at = 0;
}

/* Keep those entries of a part from `from` on, and move them to its start. */
static void
filter(struct heap_part *p, size_t from, heap_keeps_fn *keeps, const void *arg)
{
	size_t n = 0;

	for (size_t i = from; i < p->n; i++)
		if (keeps(arg, &p->entries[i]))
			p->entries[n++] = p->entries[i];
	p->n = n;
}

void
heap_filter(struct heap *h, heap_keeps_fn *keeps, const void *arg)
{
	filter(&h->tree, 0, keeps, arg);
	for (size_t i = h->tree.n / 2; i-- > 0;)
		sink(&h->tree, i);
	filter(&h->run, h->at, keeps, arg);
	h->at = 0;
}

size_t
heap_copy(const struct heap *h, struct heap_entry *to)
{
	size_t n = h->run.n - h->at;

	if (n != 0)
		memcpy(to, h->run.entries + h->at, n * sizeof *to);
	for (size_t i = 0; i < h->tree.n; i++)
		to[n++] = h->tree.entries[i];
	return n;
}
