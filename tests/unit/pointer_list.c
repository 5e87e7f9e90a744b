/*
 * pointer_list - random pointers put in and taken out, against an array in which
 * everything moves.
 *
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/pointer_list.h"
#include "base/random.h"
#include "check.h"

enum { FEW = 200, MANY = 30000, ROUNDS = 20000, MANY_ROUNDS = 200000 };

static char things[MANY_ROUNDS];

/* A place of n: mostly the first, the last, or near to them. */
static size_t
random_place(struct random *rng, size_t n)
{
	size_t near = (size_t)random_below(rng, 3);

	switch (random_below(rng, 5)) {
	case 0:
	case 1:
		return near < n ? near : n;
	case 2:
	case 3:
		return near < n ? n - near : n;
	}
	return (size_t)random_below(rng, n + 1);
}

static void
check_same(struct pointer_list *l, void *const *all, size_t n)
{
	CHECK_EQ(l->n, n);
	for (size_t i = 0; i < n; i++)
		CHECK(*pointer_list_at(l, i) == all[i]);
}

/*
 * The list grows and shrinks by turns, up to most pointers; all are looked at
 * after so many changes.
 */
static void
random_changes(struct random *rng, bool grows, size_t most, size_t rounds,
    size_t changes)
{
	static void *all[MANY];
	struct pointer_list l = { 0 };
	size_t n = 0, place, gone;

	for (size_t i = 0; i < rounds; i++) {
		bool puts = random_below(rng, 10) < (grows ? 7 : 4);

		if (n == 0 || (puts && n < most)) {
			place = random_place(rng, n);
			memmove(all + place + 1, all + place,
			    (n++ - place) * sizeof *all);
			all[place] = &things[i];
			pointer_list_put(&l, place, &things[i]);
		} else if (random_below(rng, most / 50) == 0) {
			gone = (size_t)random_below(rng, n) / 4;
			n -= gone;
			memmove(all, all + gone, n * sizeof *all);
			pointer_list_take_first(&l, gone);
		} else {
			place = random_place(rng, n - 1);
			n--;
			memmove(all + place, all + place + 1,
			    (n - place) * sizeof *all);
			pointer_list_take(&l, place);
		}
		if (i % changes == 0)
			check_same(&l, all, n);
		if (i % (5 * most) == 5 * most - 1)
			grows = !grows;
	}
	check_same(&l, all, n);
	pointer_list_take_first(&l, n);
	check_same(&l, all, 0);
	pointer_list_put(&l, 0, &things[0]);
	CHECK(*pointer_list_at(&l, 0) == &things[0]);
	pointer_list_fini(&l);
}

static bool
is_before(const void *thing, int64_t time)
{
	return (const char *)thing - things < time;
}

/* All come in the order, backwards, or as they like, and go first to last. */
static void
ordered(struct random *rng, int how)
{
	struct pointer_list l = { 0 };
	static size_t order[MANY];
	size_t n = MANY;

	for (size_t i = 0; i < n; i++) {
		size_t j = (size_t)random_below(rng, i + 1);

		order[i] = how == 0 ? i : how == 1 ? n - 1 - i : order[j];
		if (how == 2)
			order[j] = i;
	}
	for (size_t i = 0; i < n; i++)
		pointer_list_put(&l,
		    pointer_list_find(&l, is_before, (int64_t)order[i]),
		    &things[order[i]]);
	for (size_t i = 0; i < n; i++) {
		CHECK_EQ(pointer_list_find(&l, is_before, (int64_t)n), l.n);
		CHECK_EQ(pointer_list_find(&l, is_before, (int64_t)i), 0);
		CHECK(*pointer_list_at(&l, 0) == &things[i]);
		CHECK(*pointer_list_at(&l, l.n - 1) == &things[n - 1]);
		pointer_list_take(&l, 0);
	}
	CHECK_EQ(l.n, 0);
	pointer_list_fini(&l);
}

/*
 * Many come in order at one place of many, wherever that is, also where two full
 * arrays meet: each of them had an array of its own.
 */
static void
between(size_t place, bool backwards)
{
	struct pointer_list l = { 0 };
	size_t n = 0;

	for (; n < 3 * 2047; n++)
		pointer_list_put(&l, n, &things[n]);
	for (; n < MANY; n++) {
		pointer_list_put(&l, place, &things[n]);
		place += !backwards;
	}
	CHECK_EQ(l.n, MANY);
	CHECK_EQ(l.kind, POINTER_ARRAYS);
	CHECK(l.p.arrays->n <= 2 * MANY / 2047 + 2);
	pointer_list_fini(&l);
}

/* Where one goes for each that comes, the array is not to become larger. */
static void
queue(size_t n)
{
	struct pointer_list l = { 0 };

	for (size_t i = 0; i < ROUNDS; i++) {
		pointer_list_put(&l, l.n, &things[i]);
		if (l.n <= n)
			continue;
		CHECK(*pointer_list_at(&l, 0) == &things[i - n]);
		pointer_list_take(&l, 0);
		if (l.kind == POINTER_ARRAY)
			CHECK(l.p.array->cap <= 3 * n + 3);
	}
	pointer_list_fini(&l);
}

int
main(void)
{
	struct random rng = { 3 };

	for (int i = 0; i < 4; i++)
		random_changes(&rng, i % 2 == 0, FEW, ROUNDS, 1);
	for (int i = 0; i < 3; i++) {
		random_changes(&rng, true, MANY, MANY_ROUNDS, 1000);
		ordered(&rng, i);
		for (size_t k = 0; k < 6; k++)
			between(2045 + (size_t)i + 2047 * (k / 2), k % 2 == 0);
	}
	for (size_t n = 1; n <= 70; n++)
		queue(n);
	return check_done("pointer_list");
}
