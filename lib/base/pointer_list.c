/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pointer_list.h"

enum { FIRST_CAP = 3 };

/* Tell whether one that comes last goes behind the gap, where others are. */
static bool
goes_to_end(const struct pointer_room *r, size_t n, size_t i)
{
	return i == n && r->before != n;
}

/* How many can be put in there without moving all. */
static size_t
room_for(const struct pointer_room *r, size_t n, size_t i)
{
	if (n == 0)
		return r->cap;
	if (goes_to_end(r, n, i))
		return r->cap - r->end;
	return (r->before == n ? r->cap : r->end) - r->start - n;
}

static void
move(void **at, size_t to, size_t from, size_t n)
{
	memmove(at + to, at + from, n * sizeof *at);
}

/* Move all, so that what is free is shared by the gap and the end. */
static void
share_room(struct pointer_room *r, void **at, size_t n)
{
	size_t behind = n - r->before, end = r->cap - (r->cap - n) / 2;

	/* Those behind first, where they go up. */
	if (end > r->end)
		move(at, end - behind, r->end - behind, behind);
	move(at, 0, r->start, r->before);
	if (end < r->end)
		move(at, end - behind, r->end - behind, behind);
	r->start = 0;
	r->end = (uint32_t)end;
}

/* Have the gap before the i-th. */
static void
move_gap(struct pointer_room *r, void **at, size_t n, size_t i)
{
	size_t gap = r->start + r->before, behind = r->end - n + r->before;

	if (i < r->before)
		move(at, behind - (r->before - i), r->start + i, r->before - i);
	else
		move(at, gap, behind, i - r->before);
	r->before = (uint32_t)i;
}

bool
pointer_room_is_full(const struct pointer_room *r, size_t n, size_t i)
{
	/* If much is free elsewhere, all are moved. */
	return room_for(r, n, i) == 0 && r->cap - n <= n / 2 + 1;
}

void
pointer_room_move(struct pointer_room *to, void **to_at,
    const struct pointer_room *r, void *const *at, size_t n)
{
	size_t behind = n - r->before;

	to->start = 0;
	to->before = r->before;
	to->end = to->cap - (to->cap - (uint32_t)n) / 2;
	memcpy(to_at, at + r->start, r->before * sizeof *at);
	if (behind != 0)
		memcpy(to_at + to->end - behind, at + r->end - behind,
		    behind * sizeof *at);
}

size_t
pointer_room_open(struct pointer_room *r, void **at, size_t n, size_t i)
{
	if (n == 0)
		r->start = 0;
	if (r->before == n)
		r->end = r->cap;
	if (room_for(r, n, i) == 0)
		share_room(r, at, n);
	if (goes_to_end(r, n, i))
		return r->end++;
	move_gap(r, at, n, i);
	return r->start + r->before++;
}

void
pointer_room_close_first(struct pointer_room *r, size_t n)
{
	uint32_t taken = n < r->before ? (uint32_t)n : r->before;

	/* Of those behind the gap the last ones are left, as many as n says. */
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
	struct pointer_array *a;

	if (cap > UINT32_MAX)
		memory_exhausted();
	a = memory_new(1, sizeof *a + cap * sizeof *a->at);
	a->room.cap = (uint32_t)cap;
	if (l->is_many) {
		pointer_room_move(&a->room, a->at, &l->p.many->room,
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
	else if (pointer_room_is_full(&l->p.many->room, l->n, i))
		grow(l, 2 * (size_t)l->p.many->room.cap + 1);
	a = l->p.many;
	a->at[pointer_room_open(&a->room, a->at, l->n, i)] = pointer;
	l->n++;
}

void
pointer_list_take(struct pointer_list *l, size_t i)
{
	if (l->is_many && i == 0)
		pointer_room_close_first(&l->p.many->room, 1);
	else if (l->is_many) /* the gap takes it in */
		move_gap(&l->p.many->room, l->p.many->at, l->n, i);
	l->n--;
}

void
pointer_list_take_first(struct pointer_list *l, size_t n)
{
	if (l->is_many)
		pointer_room_close_first(&l->p.many->room, n);
	l->n -= (uint32_t)n;
}
