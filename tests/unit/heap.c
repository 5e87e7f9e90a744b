/*
 * heap - random operations against a plain array, in phases that let it grow
 * and shrink, so that runs of all lengths are sorted.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/heap.h"
#include "base/random.h"
#include "check.h"

enum { MOST = 3000, ROUNDS = 60000, PHASE = 2500 };

static struct heap_entry known[MOST];
static size_t nknown;

static size_t
least(void)
{
	size_t found = 0;

	for (size_t i = 1; i < nknown; i++)
		if (heap_is_before(&known[i], &known[found]))
			found = i;
	return found;
}

static void
push(struct heap *h, struct random *r, uint32_t id)
{
	/* In order, at random, or many of one time. */
	int64_t time = random_below(r, 3) != 0 ?
	    (int64_t)id :
	    (int64_t)random_below(r, ROUNDS) / 100 * 100;
	struct heap_entry e = { time, random_next(r), id };

	heap_push(h, e);
	known[nknown++] = e;
}

static void
pop(struct heap *h)
{
	size_t at = least();
	struct heap_entry first = *heap_first(h), e = heap_pop(h);

	CHECK_EQ(first.id, known[at].id);
	CHECK_EQ(e.id, known[at].id);
	CHECK_EQ(e.time, known[at].time);
	CHECK(e.order == known[at].order);
	known[at] = known[--nknown];
}

static bool
is_odd(const void *arg, const struct heap_entry *e)
{
	CHECK(arg == known);
	return e->id % 2 != 0;
}

static void
filter(struct heap *h)
{
	size_t n = 0;

	heap_filter(h, is_odd, known);
	for (size_t i = 0; i < nknown; i++)
		if (known[i].id % 2 != 0)
			known[n++] = known[i];
	nknown = n;
}

static int
by_id(const void *a, const void *b)
{
	const struct heap_entry *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Each entry is there once. */
static void
copy(const struct heap *h)
{
	static struct heap_entry all[MOST];

	CHECK_EQ(heap_copy(h, all), nknown);
	qsort(all, nknown, sizeof *all, by_id);
	qsort(known, nknown, sizeof *known, by_id);
	for (size_t i = 0; i < nknown; i++)
		CHECK(all[i].id == known[i].id && all[i].time == known[i].time);
}

static void
random_operations(void)
{
	struct random r = { 7 };
	struct heap h = { 0 };

	for (uint32_t i = 0; i < ROUNDS; i++) {
		bool grows = i / PHASE % 2 == 0;
		uint64_t dice = random_below(&r, 1000);

		CHECK_EQ(heap_size(&h), nknown);
		CHECK((heap_first(&h) == NULL) == (nknown == 0));
		if (dice < (grows ? 800 : 100) && nknown < MOST)
			push(&h, &r, i);
		else if (dice < 990 && nknown != 0)
			pop(&h);
		else if (dice < 992)
			copy(&h);
		else if (dice == 998)
			filter(&h);
		if (i % (5 * PHASE) == PHASE + PHASE / 4) {
			heap_clear(&h);
			nknown = 0;
		}
		CHECK(nknown == 0 ||
		    (heap_has_before(&h, known[least()].time + 1) &&
			!heap_has_before(&h, known[least()].time)));
	}
	while (nknown != 0)
		pop(&h);
	CHECK(heap_first(&h) == NULL && !heap_has_before(&h, INT64_MAX));
	heap_fini(&h);
}

/* What will probably be next is, where nothing came since it was sorted. */
static void
soon(void)
{
	struct heap h = { 0 };

	for (uint32_t i = 0; i < 200; i++)
		heap_push(&h, (struct heap_entry){ 1000 - i, 0, i });
	CHECK(heap_soon(&h, 199) != NULL && heap_soon(&h, 200) == NULL);
	heap_pop(&h);
	for (size_t i = 0; i < 199; i++)
		CHECK_EQ(heap_soon(&h, i)->id, 198 - i);
	CHECK(heap_soon(&h, 199) == NULL);
	heap_fini(&h);
}

int
main(void)
{
	random_operations();
	soon();
	return check_done("heap");
}
