/*
 * slot_counter - counts per key and slot, by hand: the cases of Storm's
 * SlotBasedCounterTest in terms of open and wiped slots, and those beyond.  What
 * is to be saved is compared with an array at random.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "reported.h"

static struct slot_counter c;
static struct reported seen;

static void
start(void)
{
	slot_counter_init(&c, NULL);
	seen.sums = &c.sums;
}

static void
add(const char *text, int64_t slot)
{
	struct key key = reported_key(text);

	slot_counter_add(&c, &key, slot, NULL);
}

static void
weigh(const char *text, int64_t slot, const char *weight)
{
	struct key key = reported_key(text);
	struct number x;

	CHECK(number_parse(&x, span_of(weight)) == 0);
	slot_counter_add(&c, &key, slot, &x);
}

/* Open the slots below and tell what they have. */
static const char *
open_below(int64_t below)
{
	slot_counter_open(&c, below);
	slot_counter_report(&c, reported_add, &seen);
	return reported_take(&seen);
}

static const char *
wipe_below(int64_t below)
{
	slot_counter_wipe(&c, below);
	slot_counter_report(&c, reported_add, &seen);
	return reported_take(&seen);
}

static void
storm(void)
{
	int64_t slot;

	/* newInstanceShouldHaveEmptyCounts */
	start();
	CHECK_STR(open_below(100), "");
	CHECK(!slot_counter_next(&c, &slot));
	/* shouldReturnNonEmptyCountsWhenAtLeastOneObjectWasCounted */
	add("foo", 200);
	CHECK(slot_counter_next(&c, &slot) && slot == 200);
	CHECK_STR(open_below(201), "foo:1");
	CHECK(!slot_counter_next(&c, &slot));
	slot_counter_fini(&c);
	/* shouldIncrementCount: foo three times, bar twice */
	start();
	for (int i = 0; i < 3; i++)
		add("foo", 0);
	for (int i = 0; i < 2; i++)
		add("bar", 0);
	CHECK_STR(open_below(1), "foo:3 bar:2");
	slot_counter_fini(&c);
	/* shouldReturnZeroForNonExistentObject..., wipeSlotShouldSetCounts */
	start();
	add("a", 1);
	for (int i = 0; i < 3; i++)
		add("b", 1);
	CHECK_STR(open_below(1), "");
	CHECK_STR(open_below(2), "a:1 b:3");
	CHECK_STR(wipe_below(2), "a:0! b:0!");
	CHECK_STR(wipe_below(3), "");
	CHECK_EQ(c.keys.live, 0);
	slot_counter_fini(&c);
	/* wipeZerosShouldRemoveAnyObjectsWithZeroTotalCount */
	start();
	add("x", 0);
	add("y", 0);
	add("y", 1);
	CHECK_STR(open_below(2), "x:1 y:2");
	CHECK_STR(wipe_below(1), "x:0! y:1");
	CHECK_EQ(c.keys.live, 1);
	slot_counter_fini(&c);
}

/* A key that nobody was told of has nothing to take leave of, nor to keep. */
static void
never_reported(void)
{
	start();
	add("x", 0);
	add("y", 0);
	add("y", 1);
	slot_counter_open(&c, 2);
	CHECK_STR(wipe_below(1), "y:1");
	CHECK_EQ(c.keys.live, 1);
	CHECK_STR(wipe_below(2), "y:0!");
	CHECK_EQ(c.keys.live, 0);
	slot_counter_fini(&c);
}

/* Slots come in any order, are opened and wiped by their numbers. */
static void
out_of_order(void)
{
	int64_t slot;

	start();
	add("a", 5);
	add("a", -3);
	add("b", 9);
	add("a", 7);
	add("a", -3);
	CHECK(slot_counter_next(&c, &slot) && slot == -3);
	CHECK_STR(open_below(-3), "");
	CHECK_STR(open_below(6), "a:3");
	CHECK(slot_counter_next(&c, &slot) && slot == 7);
	add("a", -3); /* into open slots */
	add("b", 5);
	add("b", 2); /* among them, but ahead until it is opened */
	CHECK(slot_counter_next(&c, &slot) && slot == 2);
	slot_counter_report(&c, reported_add, &seen);
	CHECK_STR(reported_take(&seen), "a:4 b:1");
	CHECK_STR(open_below(8), "a:5 b:2");
	CHECK_STR(wipe_below(0), "a:2 b:2");
	CHECK_STR(wipe_below(3), "a:2 b:1");
	CHECK_STR(wipe_below(8), "a:0! b:0!");
	/* b has something ahead and keeps its place before c and a. */
	add("c", 9);
	add("a", 9);
	CHECK_STR(wipe_below(9), "");
	CHECK_STR(open_below(10), "b:1 c:1 a:1");
	slot_counter_fini(&c);
}

static void
weights(void)
{
	start();
	weigh("a", 0, "1e40");
	weigh("a", 1, "0.5");
	weigh("a", 2, "-0.5");
	weigh("b", 0, "-3");
	weigh("b", 1, "3");
	weigh("c", 1, "9223372036854775807");
	weigh("c", 2, "9223372036854775807");
	weigh("d", 2, "0.1");
	/* b adds up to 0 and is there all the same */
	CHECK_STR(open_below(3), "a:1e+40 b:0 c:18446744073709551614 d:0.1");
	CHECK_STR(wipe_below(1), "a:0 b:3 c:18446744073709551614 d:0.1");
	CHECK_STR(wipe_below(2), "a:-0.5 b:0! c:9223372036854775807 d:0.1");
	CHECK_STR(wipe_below(3), "a:0! c:0! d:0!");
	slot_counter_fini(&c);
	/* In several steps down from what swallows it. */
	start();
	weigh("a", 0, "100000000000000000000.5");
	weigh("a", 1, "10000000000.5");
	weigh("a", 2, "0.1");
	open_below(3);
	wipe_below(1);
	CHECK_STR(wipe_below(2), "a:0.1");
	slot_counter_fini(&c);
}

/* Keys that come and go leave nothing behind, and the order is kept. */
static void
many_keys(void)
{
	char text[16];

	start();
	add("first", 0);
	for (int64_t slot = 0; slot < 2000; slot++) {
		for (int i = 0; i < 50; i++) {
			snprintf(text, sizeof text, "k%d",
			    (int)(slot * 37 + i * 7) % 100000);
			add(text, slot);
		}
		add("last", slot);
		if (slot % 3 == 0)
			add("first", slot + 2); /* which is ahead */
		slot_counter_wipe(&c, slot - 4);
		slot_counter_open(&c, slot + 1);
		seen.text.n = 0;
		slot_counter_report(&c, reported_add, &seen);
		CHECK(seen.text.n > 6 && memcmp(seen.text.p, "first:", 6) == 0);
	}
	CHECK(c.keys.live < 400);
	CHECK(c.keys.end < 1200);
	CHECK(c.slots.map.live < 16);
	wipe_below(2001);
	CHECK_STR(wipe_below(2002), "");
	CHECK_EQ(c.keys.live, 1); /* first, ahead */
	CHECK_STR(open_below(3000), "first:1");
	slot_counter_fini(&c);
}

enum { KEYS = 4000, SLOTS = 60 };

/* What a state has of each key and slot, and how many cells it was given. */
static int64_t stored[KEYS][SLOTS];
static size_t nstored;

static void
store(void *arg, uint32_t key, int64_t slot, struct total count)
{
	struct buffer text = { 0 };
	int k = atoi(slot_counter_key(&c, key).p + 1);

	(void)arg;
	sum_put(&c.sums, &text, count);
	buffer_byte(&text, '\0');
	stored[k][slot] = atoi(text.p);
	buffer_fini(&text);
	nstored++;
}

static size_t
save(void)
{
	nstored = 0;
	slot_counter_each_touched(&c, store, NULL);
	return nstored;
}

/* A save wrote all cells of a slot in which one had changed. */
static void
saved_cells(void)
{
	start();
	c.is_kept = true;
	for (int i = 0; i < 5; i++)
		add((const char *[]){ "k0", "k1", "k2", "k3", "k4" }[i], 7);
	CHECK_EQ(save(), 5);
	CHECK_EQ(save(), 0);
	add("k3", 7);
	CHECK_EQ(save(), 1);
	CHECK_EQ(stored[3][7], 2);
	add("k3", 8);
	CHECK_EQ(save(), 1);
	slot_counter_fini(&c);
}

/*
 * A state has what was counted, in whatever order that and saving come, and
 * though keys are forgotten and the ids of others change.
 */
static void
saved_at_random(void)
{
	static int64_t counted[KEYS][SLOTS];
	struct random r = { .state = 7 };
	int64_t from = 0;
	uint32_t most = 0;
	bool shrunk = false;
	char text[8];

	memset(stored, 0, sizeof stored);
	start();
	c.is_kept = true;
	for (int n = 0; n < 6 * KEYS && from < SLOTS - 10; n++) {
		int key = n / 8 + (int)random_below(&r, 40);
		int64_t slot = from + (int64_t)random_below(&r, 10);

		snprintf(text, sizeof text, "k%d", key);
		add(text, slot);
		counted[key][slot]++;
		if (random_below(&r, 400) == 0) {
			most = c.keys.end;
			slot_counter_wipe(&c, ++from);
			slot_counter_open(&c, from + 5);
			slot_counter_report(&c, reported_add, &seen);
			seen.text.n = 0;
			shrunk |= c.keys.end < most;
		}
		if (random_below(&r, 60) != 0)
			continue;
		save();
		for (int k = 0; k < KEYS; k++)
			for (int64_t s = from; s < SLOTS; s++)
				if (stored[k][s] != counted[k][s])
					CHECK_EQ(stored[k][s], counted[k][s]);
	}
	CHECK(from > 20 && shrunk);
	slot_counter_fini(&c);
}

int
main(void)
{
	hash_init();
	storm();
	never_reported();
	out_of_order();
	weights();
	many_keys();
	saved_cells();
	saved_at_random();
	buffer_fini(&seen.text);
	return check_done("slot_counter");
}
