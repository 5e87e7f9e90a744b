/*
 * pointer_list - an ordered list of pointers, made for insertion at the end or
 * next to the last insertion.
 *
 * That takes O(1) on average, and so does taking out the first.  Other changes
 * move the pointers between the place and that of the last change.  A long list
 * is cut into arrays, of which a change moves one, and counts those behind it.
 * A list of one pointer has no memory of its own.
 *
 * Source: the gap buffer of text editors, and for long lists the leaves of a
 *         B-tree.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_POINTER_LIST_H
#define BASE_POINTER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An array of n pointers: `before` of them from start on, and, behind a gap,
 * the others up to end.  If there are no others, end is anywhere behind the
 * gap.
 */
struct pointer_array {
	uint16_t n, cap;
	uint16_t start, before, end;
	void *at[];
};

/* An array, and how many pointers are before it, counted from the base. */
struct pointer_part {
	struct pointer_array *array;
	uint32_t before;
};

struct pointer_arrays {
	struct pointer_part *parts; /* none of them is empty */
	size_t n, cap;
	uint32_t base; /* so that to change the first part changes no other */
};

/* A zeroed list is empty. */
struct pointer_list {
	union {
		void *one;
		struct pointer_array *array;
		struct pointer_arrays *arrays;
	} p;
	uint32_t n;
	/* It never goes back to an earlier one. */
	enum { POINTER_ONE, POINTER_ARRAY, POINTER_ARRAYS } kind;
};

/* Free the memory of the list, not what the pointers point to. */
void pointer_list_fini(struct pointer_list *l);

static inline void **
pointer_array_at(struct pointer_array *a, size_t i)
{
	return &a->at[i < a->before ? a->start + i :
				      (size_t)(a->end - a->n) + i];
}

/* The slow part of pointer_list_at. */
void **pointer_list_at_far(struct pointer_list *l, size_t i);

/*
 * Where the i-th pointer is.
 *
 * Owns:   valid until one is put in or taken out.
 */
static inline void **
pointer_list_at(struct pointer_list *l, size_t i)
{
	if (l->kind == POINTER_ONE)
		return &l->p.one;
	if (l->kind == POINTER_ARRAY)
		return pointer_array_at(l->p.array, i);
	return pointer_list_at_far(l, i);
}

/*
 * How many pointers are before a time, by which they are in order.
 *
 * Shape:  is_before tells it of one.
 */
static inline __attribute__((always_inline)) size_t
pointer_list_find(struct pointer_list *l,
    bool is_before(const void *pointer, int64_t time), int64_t time)
{
	size_t at = 0, n = l->n;

	/* Time mostly goes on. */
	if (n != 0 && is_before(*pointer_list_at(l, n - 1), time))
		return n;
	while (n > 0) {
		size_t half = n / 2;

		if (is_before(*pointer_list_at(l, at + half), time)) {
			at += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return at;
}

/*
 * Put one in before the i-th.
 *
 * Errors: none; stops the program when memory runs out.
 */
void pointer_list_put(struct pointer_list *l, size_t i, void *pointer);

/* Take out the i-th; or the first n. */
void pointer_list_take(struct pointer_list *l, size_t i);
void pointer_list_take_first(struct pointer_list *l, size_t n);

#endif
