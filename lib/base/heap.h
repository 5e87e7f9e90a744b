/*
 * heap - a priority queue of ids, ordered by a time and, for equal times, by a
 * second number.
 *
 * It is a binary heap, and a run of sorted entries beside it.  Where the run is
 * used up and the heap is large, the next pop makes it the new run: to sort
 * entries goes through memory in order, while a pop of the heap jumps to and
 * fro.  One pop may so sort all entries, but each is sorted once: push and pop
 * are O(log n) on average.  The memory is that of two arrays of all entries.
 *
 * Source: the binary heap of J. W. J. Williams, "Algorithm 232: Heapsort",
 *         CACM 1964.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_entry {
	int64_t time;
	uint64_t order;
	uint32_t id;
};

struct heap_part {
	struct heap_entry *entries;
	size_t n, cap;
};

/* A zeroed heap is empty. */
struct heap {
	struct heap_part tree; /* the binary heap */
	struct heap_part run;  /* sorted; entries before `at` were popped */
	size_t at;
};

void heap_fini(struct heap *h);

/*
 * Add an entry.
 *
 * Errors: none; stops the program when memory runs out.
 */
void heap_push(struct heap *h, struct heap_entry e);

/*
 * Remove the least entry and return it.
 *
 * Shape:  the heap is not empty.
 * Errors: none; stops the program when memory runs out.
 */
struct heap_entry heap_pop(struct heap *h);

/* Remove all entries, in O(1). */
void heap_clear(struct heap *h);

/* Remove all entries for which keeps returns false, in O(n). */
typedef bool heap_keeps_fn(const void *arg, const struct heap_entry *e);
void heap_filter(struct heap *h, heap_keeps_fn *keeps, const void *arg);

/*
 * Copy all entries, in no order, and tell how many they are.
 *
 * Shape:  there is room for heap_size entries.
 * Errors: none.
 */
size_t heap_copy(const struct heap *h, struct heap_entry *to);

static inline size_t
heap_size(const struct heap *h)
{
	return h->tree.n + (h->run.n - h->at);
}

static inline bool
heap_is_before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/*
 * The least entry.
 *
 * Owns:   valid until the next call that changes the heap.
 * Errors: NULL if the heap is empty.
 */
static inline const struct heap_entry *
heap_first(const struct heap *h)
{
	const struct heap_entry *tree = h->tree.n != 0 ? h->tree.entries : NULL;
	const struct heap_entry *run;

	if (h->at == h->run.n)
		return tree;
	run = &h->run.entries[h->at];
	return tree != NULL && heap_is_before(tree, run) ? tree : run;
}

/* Tell whether there is an entry of an earlier time. */
static inline bool
heap_has_before(const struct heap *h, int64_t time)
{
	const struct heap_entry *first = heap_first(h);

	return first != NULL && first->time < time;
}

/*
 * An entry that will probably be the i-th after the least, which is the 0th; for
 * prefetching.
 *
 * Errors: NULL if there are not so many.
 */
static inline const struct heap_entry *
heap_soon(const struct heap *h, size_t i)
{
	size_t left = h->run.n - h->at;

	if (i < left)
		return &h->run.entries[h->at + i];
	return i - left < h->tree.n ? &h->tree.entries[i - left] : NULL;
}

#endif
