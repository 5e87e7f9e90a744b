/*
 * pointer_list - an ordered list of pointers, made for insertion at the end or
 * next to the last insertion.
 *
 * That takes O(1) on average, and so does taking out the first.  Other changes
 * move the pointers between here and the last change.  A list of one pointer
 * has no memory of its own.
 *
 * Source: the gap buffer of text editors.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_POINTER_LIST_H
#define BASE_POINTER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where n pointers are in an array of cap: `before` of them from start on, and,
 * behind a gap, the others up to end.  If there are no others, end is unused.
 */
struct pointer_room {
	uint32_t start, before, end, cap;
};

struct pointer_array {
	struct pointer_room room;
	void *at[];
};

/* A zeroed list is empty. */
struct pointer_list {
	union {
		void *one;
		struct pointer_array *many;
	} p;
	uint32_t n;
	bool is_many; /* the array stays until _fini */
};

/* Free the memory of the list, not what the pointers point to. */
void pointer_list_fini(struct pointer_list *l);

/* The index of the i-th of n pointers. */
static inline size_t
pointer_room_index(const struct pointer_room *r, size_t n, size_t i)
{
	return i < r->before ? r->start + i : r->end - n + i;
}

/*
 * Where the i-th pointer is.
 *
 * Owns:   valid until one is put in or taken out.
 */
static inline void **
pointer_list_at(struct pointer_list *l, size_t i)
{
	struct pointer_array *a = l->p.many;

	return l->is_many ? &a->at[pointer_room_index(&a->room, l->n, i)] :
			    &l->p.one;
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

/*
 * pointer_list_* for n pointers in an array whose memory is the caller's.
 *
 * _is_full tells whether a larger one is needed to put one in before the i-th;
 * _move moves them there, with only the cap of `to` set.
 * _open makes room before the i-th, if it is not full, and returns its index.
 * _close_first takes out the first few.
 */
bool pointer_room_is_full(const struct pointer_room *r, size_t n, size_t i);
void pointer_room_move(struct pointer_room *to, void **to_at,
    const struct pointer_room *r, void *const *at, size_t n);
size_t pointer_room_open(struct pointer_room *r, void **at, size_t n, size_t i);
void pointer_room_close_first(struct pointer_room *r, size_t n);

#endif
