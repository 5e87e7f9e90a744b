/*
 * part_list - parts that come in several orders, against an array.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "join/part_list.h"

enum { MOST = 400, ROUNDS = 600 };

static struct random rng = { 11 };

/* In the order of the list; `kept` has what each one's memory is. */
static struct join_part *array[MOST];
static size_t n;

static struct part_list list;
static struct join_parts kept;

static void
add(int64_t time, uint64_t order, uint8_t nlinks)
{
	struct join_part part = { .time = time, .order = order, .line = "" };
	struct join_part *p = join_parts_keep(&kept, &part, 0, nlinks);
	size_t at = n;

	CHECK_EQ(p->nlinks, nlinks);
	part_list_add(&list, p);
	for (; at > 0 && array[at - 1]->time > time; at--)
		array[at] = array[at - 1];
	array[at] = p;
	n++;
}

static void
take_first(void)
{
	struct join_part *p = part_list_take_first(&list);

	CHECK(p == array[0]);
	memmove(array, array + 1, --n * sizeof *array);
	join_parts_drop(&kept, p);
}

static void
search(int64_t time)
{
	size_t before = 0, to = 0;

	while (before < n && array[before]->time < time)
		before++;
	while (to < n && array[to]->time <= time)
		to++;
	CHECK(part_list_first_from(&list, time) ==
	    (before < n ? array[before] : NULL));
	CHECK(part_list_last_to(&list, time) ==
	    (to > 0 ? array[to - 1] : NULL));
}

/* The ring, and that no shortcut leads past a part that ranks as high. */
static void
compare(void)
{
	const struct join_part *p = part_list_first(&list);

	for (size_t i = 0; i < n; i++, p = part_list_next(&list, p)) {
		if (!CHECK(p == array[i]))
			return;
		for (uint32_t r = 1; r < p->nlinks; r++) {
			const struct join_part *to = join_part_links(p)[r];
			size_t k = i + 1;

			while (k < n && array[k]->nlinks <= r)
				k++;
			CHECK(to == NULL || (k < n && to == array[k]));
		}
	}
	CHECK(p == NULL);
}

static int64_t
time_of(int round, size_t i)
{
	int64_t t = (int64_t)i * 3;

	switch (round % 5) {
	case 0:
		return t;
	case 1:
		return -t;
	case 2: /* from both ends */
		return i % 2 == 0 ? t : 5000 - t;
	case 3:
		return round;
	default:
		return (int64_t)random_below(&rng, 1000);
	}
}

static void
against_an_array(int round)
{
	size_t most = random_below(&rng, MOST);
	uint32_t taken = (uint32_t)random_below(&rng, 4);

	for (size_t i = 0; i < most; i++) {
		int64_t t = time_of(round, i);

		/* Higher than they are by chance. */
		add(t, i, part_list_nlinks(i) + (uint8_t)random_below(&rng, 3));
		if (random_below(&rng, 8) < taken)
			take_first();
		if (random_below(&rng, 4) == 0)
			search(t + (int64_t)random_below(&rng, 200) - 100);
		if (i % 50 == 0)
			compare();
	}
	compare();
	while (n > 0)
		take_first();
	CHECK(part_list_first(&list) == NULL);
	search(0);
}

/* Three of four rank 0, three of sixteen 1, and so on. */
static void
ranks(void)
{
	enum { PARTS = 1 << 16 };
	int of[PART_LIST_MOST_RANK + 1] = { 0 };

	for (uint64_t order = 0; order < PARTS; order++)
		of[part_list_nlinks(order) - 1]++;
	for (int r = 0; r < 4; r++) {
		int most = (PARTS * 3 / 4) >> (2 * r);

		CHECK(of[r] > most - most / 5 && of[r] < most + most / 5);
	}
}

int
main(void)
{
	hash_init();
	ranks();
	for (int round = 0; round < ROUNDS; round++)
		against_an_array(round);
	CHECK_EQ(kept.n, 0);
	join_parts_fini(&kept);
	return check_done("part_list");
}
