/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "window/panes.h"

/* All panes from one to the last of the older ones. */
struct mark {
	size_t first;
	void *value;
};

/* The older panes, in marks, and the newer ones, in one value. */
struct panes_together {
	size_t nolder;
	struct mark *marks; /* the last one begins at the oldest pane */
	size_t nmarks, marks_cap;
	void *newer;
};

static size_t
pane_bytes(const struct aggregates *a)
{
	return sizeof(struct pane) + a->size;
}

static struct pane *
new_pane(struct aggregates *a, int64_t slot)
{
	struct pane *pane = pool_new(&a->memory, pane_bytes(a));

	pane->slot = slot;
	memset(pane->value, 0, a->size);
	return pane;
}

static void
free_pane(struct aggregates *a, struct pane *pane)
{
	aggregates_drop(a, pane->value);
	pool_free(&a->memory, pane, pane_bytes(a));
}

static void
free_value(struct aggregates *a, void *value)
{
	aggregates_drop(a, value);
	free(value);
}

static struct pane **
places(struct panes *p)
{
	return p->cap == 0 ? &p->newest : p->list + p->start;
}

static struct pane *
pane_at(struct panes *p, size_t place)
{
	return places(p)[place];
}

/* Go back to having nothing put together. */
static void
take_apart(struct panes *p, struct aggregates *a)
{
	struct panes_together *t = p->together;

	if (t == NULL)
		return;
	while (t->nmarks > 0)
		free_value(a, t->marks[--t->nmarks].value);
	free_value(a, t->newer);
	free(t->marks);
	free(t);
	p->together = NULL;
}

void
panes_fini(struct panes *p, struct aggregates *a)
{
	take_apart(p, a);
	for (size_t i = 0; i < p->n; i++)
		free_pane(a, pane_at(p, i));
	free(p->list);
	*p = (struct panes){ 0 };
}

/* The place of the first pane that is not before the slot. */
static size_t
find(struct panes *p, int64_t slot)
{
	size_t at = 0, n = p->n;

	if (n != 0 && p->newest->slot <= slot)
		return p->newest->slot == slot ? n - 1 : n;
	while (n > 0) {
		size_t half = n / 2;

		if (pane_at(p, at + half)->slot < slot) {
			at += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return at;
}

/* Make room for one more at the end, where there may be some at the start. */
static void
make_room(struct panes *p)
{
	size_t cap = p->cap;

	if (p->cap == 0 && p->n == 0)
		return;
	if (p->start > p->n) {
		memmove(p->list, places(p), p->n * sizeof(struct pane *));
		p->start = 0;
	}
	p->list = memory_grow(p->list, &cap, p->start + p->n + 1,
	    sizeof(struct pane *));
	if (p->cap == 0)
		p->list[0] = p->newest;
	p->cap = (uint32_t)cap;
}

/* Put a pane at its place; what is open around it takes it in. */
static void
insert(struct panes *p, struct aggregates *a, size_t place, int64_t slot)
{
	struct panes_together *t = p->together;
	struct pane **to;

	make_room(p);
	to = places(p) + place;
	memmove(to + 1, to, (p->n - place) * sizeof *to);
	*to = new_pane(a, slot);
	p->n++;
	p->newest = pane_at(p, p->n - 1);
	if (place >= p->nopen)
		return;
	p->nopen++;
	if (t == NULL || place >= t->nolder)
		return;
	t->nolder++;
	for (size_t i = 0; i < t->nmarks; i++)
		t->marks[i].first += t->marks[i].first > place;
}

static size_t
find_or_insert(struct panes *p, struct aggregates *a, int64_t slot)
{
	size_t place = find(p, slot);

	if (place == p->n || pane_at(p, place)->slot != slot)
		insert(p, a, place, slot);
	return place;
}

void *
panes_value(struct panes *p, struct aggregates *a, int64_t slot)
{
	return pane_at(p, find_or_insert(p, a, slot))->value;
}

void
panes_add(struct panes *p, struct aggregates *a, int64_t slot)
{
	size_t place = find_or_insert(p, a, slot);
	const struct panes_together *t = p->together;

	aggregates_reduce(a, pane_at(p, place)->value);
	if (place >= p->nopen || t == NULL)
		return;
	if (place >= t->nolder)
		aggregates_reduce(a, t->newer);
	else
		for (size_t i = 0; i < t->nmarks; i++)
			if (t->marks[i].first <= place)
				aggregates_reduce(a, t->marks[i].value);
}

/* Let the first pane leave. */
static void
leave(struct panes *p, struct aggregates *a)
{
	struct panes_together *t = p->together;

	free_pane(a, pane_at(p, 0));
	p->start += p->cap != 0;
	p->n--;
	p->nopen -= p->nopen != 0;
	if (t == NULL)
		return;
	t->nolder -= t->nolder != 0;
	if (t->nmarks != 0 && t->marks[t->nmarks - 1].first == 0)
		free_value(a, t->marks[--t->nmarks].value);
	for (size_t i = 0; i < t->nmarks; i++)
		t->marks[i].first--;
}

/* Have a mark for the first pane, and others half as far as the next, ... */
static void
set_marks(struct panes *p, struct panes_together *t, struct aggregates *a)
{
	size_t next = t->nolder;

	if (t->nmarks != 0)
		next = t->marks[t->nmarks - 1].first;
	while (next > 0) {
		size_t first = next / 2;
		void *value = memory_new(1, a->size);

		if (t->nmarks != 0)
			aggregates_merge(a, value,
			    t->marks[t->nmarks - 1].value);
		for (size_t i = first; i < next; i++)
			aggregates_merge(a, value, pane_at(p, i)->value);
		t->marks = memory_grow(t->marks, &t->marks_cap, t->nmarks + 1,
		    sizeof *t->marks);
		t->marks[t->nmarks++] = (struct mark){ first, value };
		next = first;
	}
}

/* Put the older and the newer panes together, each by itself. */
static void
put_together(struct panes *p, struct aggregates *a, size_t nopen)
{
	if (p->together == NULL || p->together->nolder == 0) {
		take_apart(p, a);
		p->together = memory_new(1, sizeof *p->together);
		p->together->newer = memory_new(1, a->size);
		p->together->nolder = nopen;
		p->nopen = (uint32_t)nopen;
	}
	for (; p->nopen < nopen; p->nopen++)
		aggregates_merge(a, p->together->newer,
		    pane_at(p, p->nopen)->value);
	set_marks(p, p->together, a);
}

const void *
panes_window(struct panes *p, struct aggregates *a, int64_t from, int64_t below,
    void *scratch)
{
	const struct panes_together *t;
	size_t nopen;

	while (p->n != 0 && pane_at(p, 0)->slot < from)
		leave(p, a);
	for (nopen = p->nopen; nopen < p->n; nopen++)
		if (pane_at(p, nopen)->slot >= below)
			break;
	if (nopen <= PANES_FEW) {
		take_apart(p, a);
		p->nopen = (uint32_t)nopen;
		if (nopen == 1)
			return pane_at(p, 0)->value;
		for (size_t i = 0; i < nopen; i++)
			aggregates_merge(a, scratch, pane_at(p, i)->value);
		return scratch;
	}
	put_together(p, a, nopen);
	t = p->together;
	aggregates_merge(a, scratch, t->marks[t->nmarks - 1].value);
	aggregates_merge(a, scratch, t->newer);
	return scratch;
}
