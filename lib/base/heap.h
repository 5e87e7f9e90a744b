/*
 * heap - a priority queue of ids, ordered by a time and, for equal times, by a
 * second number.  The least is entries[0]; push and pop are O(log n).
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

/* A zeroed heap is empty. */
struct heap {
	struct heap_entry *entries;
	size_t n, cap;
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
 * Errors: none.
 */
struct heap_entry heap_pop(struct heap *h);

/* Remove all entries for which keeps returns false, in O(n). */
typedef bool heap_keeps_fn(const void *arg, const struct heap_entry *e);
void heap_filter(struct heap *h, heap_keeps_fn *keeps, const void *arg);

#endif
