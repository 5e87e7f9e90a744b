/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "window/panes.h"

static void
free_value(struct aggregates *a, void *value)
{
	if (value != NULL)
		aggregates_drop(a, value);
	free(value);
}

static struct pane *
pane_at(const struct panes *p, size_t place)
{
	return &p->list[p->start + place];
}

/* Go back to having nothing put together. */
static void
take_apart(struct panes *p, struct aggregates *a)
{
	while (p->nmarks > 0)
		free_value(a, p->marks[--p->nmarks].value);
	free_value(a, p->newer);
	p->newer = NULL;
	p->nolder = 0;
}

void
panes_fini(struct panes *p, struct aggregates *a)
{
	take_apart(p, a);
	for (size_t i = 0; i < p->n; i++)
		free_value(a, pane_at(p, i)->value);
	free(p->list);
	free(p->marks);
	*p = (struct panes){ 0 };
}

/* The place of the first pane that is not before the slot. */
static size_t
find(const struct panes *p, int64_t slot)
{
	size_t at = 0, n = p->n;

	if (n != 0 && pane_at(p, n - 1)->slot <= slot)
		return pane_at(p, n - 1)->slot == slot ? n - 1 : n;
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
	if (p->start > p->n) {
		memmove(p->list, pane_at(p, 0), p->n * sizeof *p->list);
		p->start = 0;
	}
	/* Most keys are in one slot. */
	if (p->cap == 0)
		p->list = memory_new(p->cap = 1, sizeof *p->list);
	p->list =
	    memory_grow(p->list, &p->cap, p->start + p->n + 1, sizeof *p->list);
}

/* Put a pane at its place; what is open around it takes it in. */
static void
insert(struct panes *p, struct aggregates *a, size_t place, int64_t slot)
{
	struct pane *pane;

	make_room(p);
	pane = pane_at(p, place);
	memmove(pane + 1, pane, (p->n - place) * sizeof *pane);
	*pane = (struct pane){ slot, memory_new(1, a->size) };
	p->n++;
	if (place >= p->nopen)
		return;
	p->nopen++;
	if (place >= p->nolder)
		return;
	p->nolder++;
	for (size_t i = 0; i < p->nmarks; i++)
		p->marks[i].first += p->marks[i].first > place;
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

	aggregates_reduce(a, pane_at(p, place)->value);
	if (place >= p->nopen || p->newer == NULL)
		return;
	if (place >= p->nolder)
		aggregates_reduce(a, p->newer);
	else
		for (size_t i = 0; i < p->nmarks; i++)
			if (p->marks[i].first <= place)
				aggregates_reduce(a, p->marks[i].value);
}

/* Let the first pane leave. */
static void
leave(struct panes *p, struct aggregates *a)
{
	free_value(a, pane_at(p, 0)->value);
	p->start++;
	p->n--;
	p->nopen -= p->nopen != 0;
	p->nolder -= p->nolder != 0;
	if (p->nmarks != 0 && p->marks[p->nmarks - 1].first == 0)
		free_value(a, p->marks[--p->nmarks].value);
	for (size_t i = 0; i < p->nmarks; i++)
		p->marks[i].first--;
}

/* Have a mark for the first pane, and others half as far as the next, ... */
static void
set_marks(struct panes *p, struct aggregates *a)
{
	size_t next = p->nolder;

	if (p->nmarks != 0)
		next = p->marks[p->nmarks - 1].first;
	while (next > 0) {
		size_t first = next / 2;
		void *value = memory_new(1, a->size);

		if (p->nmarks != 0)
			aggregates_merge(a, value,
			    p->marks[p->nmarks - 1].value);
		for (size_t i = first; i < next; i++)
			aggregates_merge(a, value, pane_at(p, i)->value);
		p->marks = memory_grow(p->marks, &p->marks_cap, p->nmarks + 1,
		    sizeof *p->marks);
		p->marks[p->nmarks++] = (struct pane_mark){ first, value };
		next = first;
	}
}

/* Put the older and the newer panes together, each by itself. */
static void
put_together(struct panes *p, struct aggregates *a, size_t nopen)
{
	if (p->newer == NULL || p->nolder == 0) {
		take_apart(p, a);
		p->newer = memory_new(1, a->size);
		p->nolder = p->nopen = nopen;
	}
	for (; p->nopen < nopen; p->nopen++)
		aggregates_merge(a, p->newer, pane_at(p, p->nopen)->value);
	set_marks(p, a);
}

const void *
panes_window(struct panes *p, struct aggregates *a, int64_t from, int64_t below,
    void *scratch)
{
	size_t nopen;

	while (p->n != 0 && pane_at(p, 0)->slot < from)
		leave(p, a);
	for (nopen = p->nopen; nopen < p->n; nopen++)
		if (pane_at(p, nopen)->slot >= below)
			break;
	if (nopen <= PANES_FEW) {
		take_apart(p, a);
		p->nopen = nopen;
		if (nopen == 1)
			return pane_at(p, 0)->value;
		for (size_t i = 0; i < nopen; i++)
			aggregates_merge(a, scratch, pane_at(p, i)->value);
		return scratch;
	}
	put_together(p, a, nopen);
	aggregates_merge(a, scratch, p->marks[p->nmarks - 1].value);
	aggregates_merge(a, scratch, p->newer);
	return scratch;
}
