/*
 * slots - random numbers, opened and closed as time goes on, against a list.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "window/slots.h"

enum { ROUNDS = 20000, MOST = 2000 };

static struct random rng = { 7 };

/* What there is, in no order; `value` is what the owner put into the slot. */
static struct naive {
	int64_t number, value;
	bool open;
} list[MOST];
static size_t n;

static struct naive *
naive_find(int64_t number)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].number == number)
			return &list[i];
	return NULL;
}

/* The first of those that are open or not, or NULL. */
static struct naive *
naive_first(bool open)
{
	struct naive *first = NULL;

	for (size_t i = 0; i < n; i++)
		if (list[i].open == open &&
		    (first == NULL || list[i].number < first->number))
			first = &list[i];
	return first;
}

static void
put(struct slots *s, int64_t number)
{
	struct naive *there = naive_find(number);
	uint32_t id = slots_put(s, number);
	int64_t *value = slots_value(s, id);

	CHECK_EQ(slots_get(s, id)->number, number);
	CHECK_EQ(slots_get(s, id)->open, there != NULL && there->open);
	CHECK_EQ(*value, there == NULL ? 0 : there->value);
	if (there == NULL && CHECK(n < MOST))
		(there = &list[n++])->number = number;
	there->value = *value = (int64_t)random_next(&rng);
}

static void
go_on(struct slots *s, int64_t open_below, int64_t close_below)
{
	struct naive *first;
	uint32_t id;

	while ((first = naive_first(false)) != NULL &&
	    first->number < open_below) {
		id = slots_open_next(s, open_below);
		if (!CHECK(id != SLOTS_NONE))
			return;
		CHECK_EQ(slots_get(s, id)->number, first->number);
		first->open = true;
	}
	CHECK_EQ(slots_open_next(s, open_below), SLOTS_NONE);
	while ((first = naive_first(true)) != NULL &&
	    first->number < close_below) {
		id = slots_close_next(s, close_below);
		if (!CHECK(id != SLOTS_NONE))
			return;
		CHECK_EQ(slots_get(s, id)->number, first->number);
		CHECK_EQ(*(int64_t *)slots_value(s, id), first->value);
		slots_del(s, id);
		*first = list[--n];
		list[n] = (struct naive){ 0 };
	}
	CHECK_EQ(slots_close_next(s, close_below), SLOTS_NONE);
}

static void
compare(const struct slots *s)
{
	const struct naive *open = naive_first(true),
			   *ahead = naive_first(false);
	size_t nfound;
	uint32_t *ids = slots_list(s, &nfound);
	int64_t last = INT64_MIN;

	CHECK_EQ(slots_first_ahead(s),
	    ahead == NULL ? INT64_MAX : ahead->number);
	CHECK_EQ(slots_first(s),
	    open == NULL || (ahead != NULL && ahead->number < open->number) ?
		slots_first_ahead(s) :
		open->number);
	CHECK_EQ(nfound, n);
	for (size_t i = 0; i < nfound; i++) {
		const struct slot *slot = slots_get(s, ids[i]);
		const struct naive *want = naive_find(slot->number);

		CHECK(i == 0 || slot->number > last);
		CHECK(want != NULL && want->open == slot->open);
		last = slot->number;
	}
	free(ids);
}

int
main(void)
{
	struct slots s;
	int64_t now = -5000;

	hash_init();
	slots_init(&s, sizeof(int64_t));
	for (unsigned i = 0; i < ROUNDS; i++) {
		/* Mostly around now; at times far ahead, or all descending. */
		int64_t number = now - 300 + (int64_t)random_below(&rng, 900);

		if (i % 97 == 0)
			number = now + (int64_t)(random_next(&rng) >> 20);
		else if (i / 1000 % 3 == 0)
			number = now + 1000 - i % 1000;
		put(&s, number);
		if (random_below(&rng, 4) == 0) {
			now++;
			go_on(&s, now, now - 300);
		}
		if (i % 500 == 0)
			compare(&s);
	}
	go_on(&s, INT64_MAX, INT64_MAX);
	CHECK_EQ(slots_first(&s), INT64_MAX);
	CHECK_EQ(s.map.live, 0);
	slots_fini(&s);
	return check_done("slots");
}
