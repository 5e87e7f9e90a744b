/*
 * Things of random sizes come and go; none is written over by another.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/pool.h"
#include "base/random.h"
#include "check.h"

enum { THINGS = 300, TURNS = 200000 };

struct thing {
	unsigned char *p;
	size_t n;
	unsigned char fill;
};

static bool
is_whole(const struct thing *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->p[i] != t->fill)
			return false;
	return true;
}

/* A pool that was cleared has one slab, and is used on. */
static void
clear(void)
{
	struct pool pool = { 0 };

	pool_clear(&pool);
	for (int turn = 0; turn < 3; turn++) {
		for (int i = 0; i < 1000; i++) {
			size_t n = i % 10 == 9 ? POOL_MAX + 1 : 200;
			char *p = pool_new(&pool, n);

			memset(p, turn, n);
			if (i % 10 == 5)
				pool_free(&pool, p, n);
			else
				pool_drop(p, n);
		}
		pool_clear(&pool);
		CHECK(!pool_takes(1) ||
		    (pool.slabs != NULL && pool.slabs->next == NULL));
	}
	pool_fini(&pool);
}

int
main(void)
{
	struct random rng = { 1 };
	struct pool pool = { 0 };
	volatile unsigned char padding;
	struct thing things[THINGS] = { 0 };

	for (int turn = 0; turn < TURNS; turn++) {
		struct thing *t = &things[random_below(&rng, THINGS)];

		if (t->p != NULL) {
			CHECK(is_whole(t));
			pool_free(&pool, t->p, t->n);
			*t = (struct thing){ 0 };
			continue;
		}
		t->n = 1 + random_below(&rng, turn % 8 == 0 ? 3000 : 200);
		t->p = pool_new(&pool, t->n);
		t->fill = (unsigned char)turn;
		CHECK_EQ((uintptr_t)t->p % POOL_STEP, 0);
		memset(t->p, t->fill, t->n);
		/* What tests for errors of memory would complain of. */
		for (size_t i = 0; i < POOL_PAD; i++)
			padding = t->p[t->n + i];
	}
	for (int i = 0; i < THINGS; i++)
		if (things[i].p != NULL) {
			CHECK(is_whole(&things[i]));
			pool_free(&pool, things[i].p, things[i].n);
		}
	(void)padding;
	pool_fini(&pool);
	clear();
	return check_done("pool");
}
