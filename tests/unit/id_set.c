/*
 * id_set - random ids, near each other and far apart, against a list.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/id_set.h"
#include "base/random.h"
#include "check.h"

enum { IDS = 400, ROUNDS = 20000 };

static struct random rng = { 5 };

static struct {
	uint32_t id;
	bool there;
} known[IDS];

/* The least that is there from one on. */
static uint32_t
naive_next(uint32_t from)
{
	uint32_t least = ID_SET_NONE;

	for (size_t i = 0; i < IDS; i++)
		if (known[i].there && known[i].id >= from &&
		    known[i].id < least)
			least = known[i].id;
	return least;
}

static void
compare(const struct id_set *s)
{
	uint32_t want = naive_next(0);

	for (uint32_t id = id_set_next(s, 0); id != ID_SET_NONE;
	     id = id_set_next(s, id + 1)) {
		CHECK_EQ(id, want);
		CHECK(id_set_has(s, id));
		CHECK(id_set_has(s, id + 1) == (naive_next(id + 1) == id + 1));
		want = naive_next(id + 1);
	}
	CHECK_EQ(want, ID_SET_NONE);
}

static void
set(uint32_t id, bool there)
{
	for (size_t i = 0; i < IDS; i++)
		if (known[i].id == id)
			known[i].there = there;
}

int
main(void)
{
	struct id_set s = { 0 };

	CHECK_EQ(id_set_next(&s, 0), ID_SET_NONE);
	for (size_t i = 0; i < IDS; i++)
		known[i].id = (uint32_t)(random_below(&rng, 1 << 24) >>
		    random_below(&rng, 24));
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t id = known[random_below(&rng, IDS)].id;
		uint32_t from = id - 1 + i % 3;
		bool growing = i / 2000 % 2 == 0;
		bool there = random_below(&rng, 10) < (growing ? 7 : 2);

		if (there)
			id_set_add(&s, id);
		else
			id_set_del(&s, id);
		set(id, there);
		CHECK_EQ(id_set_next(&s, from), naive_next(from));
		if (i % 1000 == 0)
			compare(&s);
	}
	id_set_fini(&s);
	return check_done("id_set");
}
