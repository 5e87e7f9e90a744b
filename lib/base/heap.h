/*
 * heap - ids in the order of a time and, where times are equal, of a second
 * number: the least is at hand, adding and taking away cost its logarithm.
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

/* entries[0] is the least; a zeroed heap is empty. */
struct heap {
	struct heap_entry *entries;
	size_t n, cap;
};

void heap_fini(struct heap *h);

/*
 * Errors: none.
 */
void heap_push(struct heap *h, struct heap_entry e);

/*
 * Take the least away.
 *
 * Shape:  the heap is not empty.
 */
struct heap_entry heap_pop(struct heap *h);

/* Take away all entries for which keeps is false. */
typedef bool heap_keeps_fn(const void *arg, const struct heap_entry *e);
void heap_weed(struct heap *h, heap_keeps_fn *keeps, const void *arg);

#endif
