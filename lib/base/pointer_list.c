/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pointer_list.h"

enum { FIRST_CAP = 3 };

/* Move n pointers of an array. */
static void
move(void *at, size_t to, size_t from, size_t n)
{
	memmove((void **)at + to, (void **)at + from, n * sizeof(void *));
}

/* Have the gap before the i-th. */
static void
move_gap(struct pointer_room *r, void *at, size_t n, size_t i)
{
	size_t gap = r->start + r->before, behind = r->cap - n + r->before;

	if (i < r->before)
		move(at, behind - (r->before - i), r->start + i, r->before - i);
	else
		move(at, gap, behind, i - r->before);
	r->before = (uint32_t)i;
}

bool
pointer_room_is_full(const struct pointer_room *r, size_t n)
{
	/* If much is free before the first, those before the gap move there. */
	return r->start + n == r->cap && r->start <= n / 2;
}

void
pointer_room_grow(struct pointer_room *to, void *to_at,
    const struct pointer_room *r, const void *at, size_t n)
{
	size_t behind = n - r->before;

	to->start = 0;
	to->before = r->before;
	memcpy(to_at, (void *const *)at + r->start, r->before * sizeof(void *));
	memcpy((void **)to_at + to->cap - behind,
	    (void *const *)at + r->cap - behind, behind * sizeof(void *));
}

size_t
pointer_room_open(struct pointer_room *r, void *at, size_t n, size_t i)
{
	if (r->start + n == r->cap) {
		move(at, 0, r->start, r->before);
		r->start = 0;
	}
	move_gap(r, at, n, i);
	return r->start + r->before++;
}

void
pointer_room_close(struct pointer_room *r, void *at, size_t n, size_t i)
{
	if (i == 0)
		pointer_room_close_first(r, 1);
	else /* then the gap takes it in */
		move_gap(r, at, n, i);
}

void
pointer_room_close_first(struct pointer_room *r, size_t n)
{
	uint32_t taken = n < r->before ? (uint32_t)n : r->before;

	/* What is behind ends at the end: there n alone says what is left. */
	r->start += taken;
	r->before -= taken;
}

void
pointer_list_fini(struct pointer_list *l)
{
	if (l->is_many)
		free(l->p.many);
	*l = (struct pointer_list){ 0 };
}

/* Have an array of so many in place of the one, or of that which is there. */
static void
grow(struct pointer_list *l, size_t cap)
{
	struct pointer_array *a =
	    memory_new(1, sizeof *a + cap * sizeof *a->at);

	if (cap > UINT32_MAX)
		memory_exhausted();
	a->room.cap = (uint32_t)cap;
	if (l->is_many) {
		pointer_room_grow(&a->room, a->at, &l->p.many->room,
		    l->p.many->at, l->n);
		free(l->p.many);
	} else {
		a->at[0] = l->p.one;
		a->room.before = 1;
	}
	l->p.many = a;
	l->is_many = true;
}

void
pointer_list_put(struct pointer_list *l, size_t i, void *pointer)
{
	struct pointer_array *a;

	if (!l->is_many && l->n == 0) {
		l->p.one = pointer;
		l->n = 1;
		return;
	}
	if (!l->is_many)
		grow(l, FIRST_CAP);
	else if (pointer_room_is_full(&l->p.many->room, l->n))
		grow(l, 2 * (size_t)l->p.many->room.cap + 1);
	a = l->p.many;
	a->at[pointer_room_open(&a->room, a->at, l->n, i)] = pointer;
	l->n++;
}

void
pointer_list_take(struct pointer_list *l, size_t i)
{
	if (l->is_many)
		pointer_room_close(&l->p.many->room, l->p.many->at, l->n, i);
	l->n--;
}

void
pointer_list_take_first(struct pointer_list *l, size_t n)
{
	if (l->is_many)
		pointer_room_close_first(&l->p.many->room, n);
	l->n -= (uint32_t)n;
}
