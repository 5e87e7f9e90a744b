/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pointer_list.h"

enum {
	FIRST_CAP = 3,
	/* A larger array is split.  Twice a cap and one is the next. */
	MOST_CAP = 2047,
};

/* Tell whether the i-th is to be the last, behind others behind the gap. */
static bool
goes_to_end(const struct pointer_array *a, size_t i)
{
	return i == a->n && a->before != a->n;
}

/* How many can be put in there without moving all. */
static size_t
room_for(const struct pointer_array *a, size_t i)
{
	size_t n = a->n, end = a->before == n ? a->cap : a->end;

	if (n == 0)
		return a->cap;
	if (goes_to_end(a, i))
		return (size_t)a->cap - end;
	return end - a->start - n;
}

static void
move(struct pointer_array *a, size_t to, size_t from, size_t n)
{
	memmove(a->at + to, a->at + from, n * sizeof *a->at);
}

/* Move all, so that what is free is shared by the gap and the end. */
static void
share_room(struct pointer_array *a)
{
	size_t n = a->n, behind = n - a->before, end = n + (a->cap - n + 1) / 2;

	/* Those behind first, if they go up. */
	if (end > a->end)
		move(a, end - behind, a->end - behind, behind);
	move(a, 0, a->start, a->before);
	if (end < a->end)
		move(a, end - behind, a->end - behind, behind);
	a->start = 0;
	a->end = (uint16_t)end;
}

/* Have the gap before the i-th. */
static void
move_gap(struct pointer_array *a, size_t i)
{
	size_t start = a->start, before = a->before, gap = start + before;
	size_t behind = a->end - (a->n - before);

	if (i < before)
		move(a, behind - (before - i), start + i, before - i);
	else
		move(a, gap, behind, i - before);
	a->before = (uint16_t)i;
}

static struct pointer_array *
array_new(size_t cap)
{
	struct pointer_array *a =
	    memory_new(1, sizeof *a + cap * sizeof *a->at);

	a->cap = (uint16_t)cap;
	return a;
}

/* Put one in, where there is room. */
static void
array_put(struct pointer_array *a, size_t i, void *pointer)
{
	if (a->n == 0)
		a->start = 0;
	if (a->before == a->n)
		a->end = a->cap;
	if (room_for(a, i) == 0)
		share_room(a);
	/* The last place that is free is in the gap. */
	if (goes_to_end(a, i) && a->end < a->cap) {
		a->at[a->end++] = pointer;
	} else {
		move_gap(a, i);
		a->at[a->start + a->before++] = pointer;
	}
	a->n++;
}

static void
array_take_first(struct pointer_array *a, size_t n)
{
	uint16_t taken = n < a->before ? (uint16_t)n : a->before;

	/* Those behind the gap end where they did: n says how many there are. */
	a->start += taken;
	a->before -= taken;
	a->n -= (uint16_t)n;
}

static void
array_take(struct pointer_array *a, size_t i)
{
	if (i == 0) {
		array_take_first(a, 1);
	} else { /* the gap takes it in */
		move_gap(a, i);
		a->n--;
	}
}

/* Let another array, which is empty, have those from the i-th on. */
static void
array_split(struct pointer_array *a, size_t i, struct pointer_array *to)
{
	size_t n = a->n - i;

	for (size_t j = 0; j < n; j++)
		to->at[j] = *pointer_array_at(a, i + j);
	to->n = to->before = (uint16_t)n;
	to->end = to->cap;
	if (a->before < i)
		a->end -= (uint16_t)n;
	else
		a->before = (uint16_t)i;
	a->n = (uint16_t)i;
}

static uint32_t
before_part(const struct pointer_arrays *s, size_t part)
{
	return s->parts[part].before - s->base;
}

/* Which part has the i-th; the last one if that is the length. */
static size_t
part_of(const struct pointer_arrays *s, size_t i)
{
	size_t at = 0, n = s->n;

	while (n > 1) {
		size_t half = n / 2;

		if (before_part(s, at + half) <= i) {
			at += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return at;
}

void **
pointer_list_at_far(struct pointer_list *l, size_t i)
{
	struct pointer_arrays *s = l->p.arrays;
	size_t part = part_of(s, i);

	return pointer_array_at(s->parts[part].array, i - before_part(s, part));
}

/* Insert an array as that part. */
static void
insert_part(struct pointer_arrays *s, size_t part, size_t before,
    struct pointer_array *array)
{
	s->parts = memory_grow(s->parts, &s->cap, s->n + 1, sizeof *s->parts);
	memmove(s->parts + part + 1, s->parts + part,
	    (s->n++ - part) * sizeof *s->parts);
	s->parts[part] =
	    (struct pointer_part){ array, s->base + (uint32_t)before };
}

static void
remove_parts(struct pointer_arrays *s, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		free(s->parts[i].array);
	s->n -= n;
	memmove(s->parts + from, s->parts + from + n,
	    (s->n - from) * sizeof *s->parts);
}

/* After a part has grown by so many: correct what is behind it. */
static void
shift_behind(struct pointer_arrays *s, size_t part, uint32_t by)
{
	if (part == 0) {
		s->base -= by;
		s->parts[0].before -= by;
		return;
	}
	for (size_t i = part + 1; i < s->n; i++)
		s->parts[i].before += by;
}

/*
 * Have room in a full part before its i-th, in one of its halves; or in a new one
 * before it or behind it, which those that come in order are to fill.  Returns
 * the part that has the room.
 */
static size_t
split_part(struct pointer_arrays *s, size_t part, size_t i)
{
	struct pointer_array *a = s->parts[part].array;
	struct pointer_array *new = array_new(MOST_CAP);
	size_t half = a->n / 2, before = before_part(s, part);

	if (i == 0 || i == a->n) {
		part += i != 0;
		insert_part(s, part, before + i, new);
		return part;
	}
	array_split(a, half, new);
	insert_part(s, part + 1, before + half, new);
	return part + (i > half);
}

static void
arrays_put(struct pointer_arrays *s, size_t i, void *pointer)
{
	size_t part = part_of(s, i), at = i - before_part(s, part);

	/* Behind the last of a part is as good as before the next one. */
	if (at == 0 && part > 0 && s->parts[part - 1].array->n < MOST_CAP)
		part--;
	else if (s->parts[part].array->n == MOST_CAP)
		part = split_part(s, part, at);
	array_put(s->parts[part].array, i - before_part(s, part), pointer);
	shift_behind(s, part, 1);
}

static void
arrays_take(struct pointer_arrays *s, size_t i)
{
	size_t part = part_of(s, i);
	struct pointer_array *a = s->parts[part].array;

	array_take(a, i - before_part(s, part));
	shift_behind(s, part, (uint32_t)-1);
	if (a->n == 0 && s->n > 1)
		remove_parts(s, part, 1);
}

static void
arrays_take_first(struct pointer_arrays *s, size_t n)
{
	size_t parts = 0;

	s->base += (uint32_t)n;
	while (parts + 1 < s->n && n >= s->parts[parts].array->n)
		n -= s->parts[parts++].array->n;
	remove_parts(s, 0, parts);
	array_take_first(s->parts[0].array, n);
	s->parts[0].before = s->base;
}

void
pointer_list_fini(struct pointer_list *l)
{
	if (l->kind == POINTER_ARRAYS) {
		remove_parts(l->p.arrays, 0, l->p.arrays->n);
		free(l->p.arrays->parts);
	}
	if (l->kind != POINTER_ONE)
		free(l->p.array);
	*l = (struct pointer_list){ 0 };
}

/* Have an array of so many in place of the one, or of that which is there. */
static void
grow(struct pointer_list *l, size_t cap)
{
	struct pointer_array *a = array_new(cap), *old = l->p.array;

	if (l->kind == POINTER_ONE) {
		a->at[0] = l->p.one;
		a->n = a->before = 1;
	} else {
		size_t behind = old->n - old->before;

		a->n = old->n;
		a->before = old->before;
		a->end = (uint16_t)(cap - (cap - a->n) / 2);
		memcpy(a->at, old->at + old->start, a->before * sizeof *a->at);
		memcpy(a->at + a->end - behind, old->at + old->end - behind,
		    behind * sizeof *a->at);
		free(old);
	}
	l->p.array = a;
	l->kind = POINTER_ARRAY;
}

/* Have the array as the only part. */
static void
begin_parts(struct pointer_list *l)
{
	struct pointer_arrays *s = memory_new(1, sizeof *s);

	insert_part(s, 0, 0, l->p.array);
	l->p.arrays = s;
	l->kind = POINTER_ARRAYS;
}

/* Make room in an array before its i-th. */
static void
make_room(struct pointer_list *l, size_t i)
{
	const struct pointer_array *a = l->p.array;

	/* If much is free elsewhere, all are moved. */
	if (room_for(a, i) != 0 || a->cap - a->n > a->n / 2 + 1)
		return;
	if (a->cap < MOST_CAP)
		grow(l, 2 * (size_t)a->cap + 1);
	else if (a->n == MOST_CAP)
		begin_parts(l);
}

void
pointer_list_put(struct pointer_list *l, size_t i, void *pointer)
{
	if (l->n == UINT32_MAX)
		memory_exhausted();
	if (l->kind == POINTER_ONE && l->n != 0)
		grow(l, FIRST_CAP);
	if (l->kind == POINTER_ARRAY)
		make_room(l, i);
	if (l->kind == POINTER_ONE)
		l->p.one = pointer;
	else if (l->kind == POINTER_ARRAY)
		array_put(l->p.array, i, pointer);
	else
		arrays_put(l->p.arrays, i, pointer);
	l->n++;
}

void
pointer_list_take(struct pointer_list *l, size_t i)
{
	if (l->kind == POINTER_ARRAY)
		array_take(l->p.array, i);
	else if (l->kind == POINTER_ARRAYS)
		arrays_take(l->p.arrays, i);
	l->n--;
}

void
pointer_list_take_first(struct pointer_list *l, size_t n)
{
	if (l->kind == POINTER_ARRAY)
		array_take_first(l->p.array, n);
	else if (l->kind == POINTER_ARRAYS)
		arrays_take_first(l->p.arrays, n);
	l->n -= (uint32_t)n;
}
