/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pointer_list.h"
#include "window/panes.h"

struct pane {
	int64_t slot;
	int64_t value[]; /* of the aggregates */
};

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

/* All panes but the newest, in the order of slots. */
struct panes_older {
	struct panes_together *together; /* NULL: there are few */
	struct pointer_list list;	 /* of struct pane */
};

static size_t
pane_bytes(const struct aggregates *a)
{
	return sizeof(struct pane) + a->size;
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

static struct pane *
older_pane(const struct panes *p, size_t place)
{
	return *pointer_list_at(&p->older->list, place);
}

static int64_t
slot_at(const struct panes *p, size_t place)
{
	return place + 1 == p->n ? p->slot : older_pane(p, place)->slot;
}

static void *
value_at(struct panes *p, size_t place)
{
	return place + 1 == p->n ? p->value : older_pane(p, place)->value;
}

static struct panes_together *
together(const struct panes *p)
{
	return p->older == NULL ? NULL : p->older->together;
}

/* Go back to having nothing put together. */
static void
take_apart(struct panes *p, struct aggregates *a)
{
	struct panes_together *t = together(p);

	if (t == NULL)
		return;
	while (t->nmarks > 0)
		free_value(a, t->marks[--t->nmarks].value);
	free_value(a, t->newer);
	free(t->marks);
	free(t);
	p->older->together = NULL;
}

void
panes_fini(struct panes *p, struct aggregates *a)
{
	take_apart(p, a);
	if (p->n != 0)
		aggregates_drop(a, p->value);
	for (size_t i = 0; i + 1 < p->n; i++)
		free_pane(a, older_pane(p, i));
	if (p->older != NULL) {
		pointer_list_fini(&p->older->list);
		pool_free(&a->memory, p->older, sizeof *p->older);
	}
	*p = (struct panes){ 0 };
}

static bool
is_before(const void *pane, int64_t slot)
{
	return ((const struct pane *)pane)->slot < slot;
}

/* The place of the first pane that is not before the slot. */
static size_t
find(const struct panes *p, int64_t slot)
{
	if (p->n == 0 || p->slot < slot)
		return p->n;
	if (p->slot == slot || p->older == NULL)
		return p->n - 1;
	return pointer_list_find(&p->older->list, is_before, slot);
}

/* Make a pane among the older ones. */
static struct pane *
insert_older(struct panes *p, struct aggregates *a, size_t place)
{
	struct pane *pane = pool_new(&a->memory, pane_bytes(a));

	if (p->older == NULL) {
		p->older = pool_new(&a->memory, sizeof *p->older);
		*p->older = (struct panes_older){ 0 };
	}
	pointer_list_put(&p->older->list, place, pane);
	return pane;
}

/* Put a pane at its place, which for the newest is the last. */
static void
put_pane(struct panes *p, struct aggregates *a, size_t place, int64_t slot)
{
	struct pane *pane;

	if (place < p->n) {
		pane = insert_older(p, a, place);
		pane->slot = slot;
		memset(pane->value, 0, a->size);
		return;
	}
	if (p->n != 0) {
		pane = insert_older(p, a, place - 1);
		pane->slot = p->slot;
		memcpy(pane->value, p->value, a->size);
		memset(p->value, 0, a->size);
	}
	p->slot = slot;
}

/* The same; what is open around it takes it in. */
static void
insert(struct panes *p, struct aggregates *a, size_t place, int64_t slot)
{
	struct panes_together *t;

	put_pane(p, a, place, slot);
	p->n++;
	if (place >= p->nopen)
		return;
	p->nopen++;
	t = together(p);
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

	if (place == p->n || slot_at(p, place) != slot)
		insert(p, a, place, slot);
	return place;
}

void *
panes_value(struct panes *p, struct aggregates *a, int64_t slot)
{
	return value_at(p, find_or_insert(p, a, slot));
}

void
panes_add(struct panes *p, struct aggregates *a, int64_t slot)
{
	size_t place = find_or_insert(p, a, slot);
	const struct panes_together *t;

	aggregates_reduce(a, value_at(p, place));
	if (place >= p->nopen || (t = together(p)) == NULL)
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
	struct panes_together *t = together(p);

	if (p->n == 1) {
		aggregates_drop(a, p->value);
	} else {
		free_pane(a, older_pane(p, 0));
		pointer_list_take(&p->older->list, 0);
	}
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

/* Set marks at the first pane, and halfway from there to the next mark, ... */
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
			aggregates_merge(a, value, value_at(p, i));
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
	struct panes_together *t = p->older->together;

	if (t == NULL || t->nolder == 0) {
		take_apart(p, a);
		t = p->older->together = memory_new(1, sizeof *t);
		t->newer = memory_new(1, a->size);
		t->nolder = nopen;
		p->nopen = (uint32_t)nopen;
	}
	for (; p->nopen < nopen; p->nopen++)
		aggregates_merge(a, t->newer, value_at(p, p->nopen));
	set_marks(p, t, a);
}

void
panes_leave(struct panes *p, struct aggregates *a, int64_t from)
{
	while (p->n != 0 && slot_at(p, 0) < from)
		leave(p, a);
}

const void *
panes_window(struct panes *p, struct aggregates *a, int64_t from, int64_t below,
    void *scratch)
{
	const struct panes_together *t;
	size_t nopen;

	panes_leave(p, a, from);
	for (nopen = p->nopen; nopen < p->n; nopen++)
		if (slot_at(p, nopen) >= below)
			break;
	if (nopen <= PANES_FEW) {
		take_apart(p, a);
		p->nopen = (uint32_t)nopen;
		if (nopen == 1)
			return value_at(p, 0);
		for (size_t i = 0; i < nopen; i++)
			aggregates_merge(a, scratch, value_at(p, i));
		return scratch;
	}
	put_together(p, a, nopen);
	t = p->older->together;
	aggregates_merge(a, scratch, t->marks[t->nmarks - 1].value);
	aggregates_merge(a, scratch, t->newer);
	return scratch;
}
