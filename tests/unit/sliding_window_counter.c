/*
 * sliding_window_counter - the runs of Storm's SlidingWindowCounterTest,
 * and what is late.
 *
 * SPDX-License-Identifier: ISC
 */
#include "window/sliding_window_counter.h"
#include "check.h"
#include "reported.h"

static struct sliding_window_counter w;
static struct reported seen;

static void
start(int64_t nslots)
{
	sliding_window_counter_init(&w, nslots, NULL);
	seen.sums = &w.counter.sums;
}

static bool
add(const char *text, int64_t slot)
{
	struct key key = reported_key(text);

	return sliding_window_counter_add(&w, &key, slot, NULL);
}

/* Close a slot whether or not somebody has something to say, like Storm. */
static const char *
advance(int64_t boundary)
{
	sliding_window_counter_advance(&w, boundary, reported_add, &seen);
	return reported_take(&seen);
}

/*
 * simulatedSlidingWindow...: increments of one object before each advance
 * and its count after it.  The absence rule: where the count is 0 the object
 * is there if it had a count before, and else is not.  Storm refuses windows
 * of one slot; ours are tumbling windows, see the last rows.
 */
static void
storm(void)
{
	static const struct {
		int64_t nslots;
		int n, counted[11], wanted[11];
	} runs[] = {
		{ 2, 8, { 3, 2, 0, 0, 1, 0, 0, 0 },
		    { 3, 5, 2, 0, 1, 1, 0, 0 } },
		{ 3, 8, { 3, 2, 0, 0, 1, 0, 0, 0 },
		    { 3, 5, 5, 2, 1, 1, 1, 0 } },
		{ 4, 8, { 3, 2, 0, 0, 1, 0, 0, 0 },
		    { 3, 5, 5, 5, 3, 1, 1, 1 } },
		{ 5, 8, { 3, 2, 0, 0, 1, 0, 0, 0 },
		    { 3, 5, 5, 5, 6, 3, 1, 1 } },
		{ 5, 11, { 3, 11, 5, 13, 7, 17, 0, 3, 50, 600, 7000 },
		    { 3, 14, 19, 32, 39, 53, 42, 40, 77, 670, 7653 } },
		{ 5, 9, { 1, 1, 1, 1 }, { 1, 2, 3, 4, 4, 3, 2, 1 } },
		{ 1, 6, { 3, 2, 0, 0, 1, 0 }, { 3, 2, 0, 0, 1, 0 } },
		{ 20, 3, { 0, 1, 0 }, { 0, 1, 1 } },
	};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		int before = 0;

		start(runs[i].nslots);
		for (int step = 0; step < runs[i].n; step++) {
			int want = runs[i].wanted[step];
			char text[32] = "";

			for (int k = 0; k < runs[i].counted[step]; k++)
				CHECK(add("x", step));
			if (want != 0)
				snprintf(text, sizeof text, "x:%d", want);
			else if (before != 0)
				snprintf(text, sizeof text, "x:0!");
			CHECK_STR(advance(step + 1), text);
			before = want;
		}
		sliding_window_counter_fini(&w);
	}
}

/* Three slots, the steps `a a b`, `a`, and four empty ones. */
static void
golden(void)
{
	static const char *const wanted[] = { "a:2 b:1", "a:3 b:1", "a:3 b:1",
		"a:1 b:0!", "a:0!", "" };
	int64_t boundary;

	start(3);
	CHECK(!sliding_window_counter_next(&w, &boundary));
	add("a", 0);
	add("a", 0);
	add("b", 0);
	for (int step = 0; step < 6; step++) {
		if (step == 1)
			add("a", 1);
		CHECK(sliding_window_counter_next(&w, &boundary) == (step < 5));
		CHECK(step == 5 || boundary == step + 1);
		CHECK_STR(advance(step + 1), wanted[step]);
	}
	sliding_window_counter_fini(&w);
}

/* Late is what has no window left; gaps are passed over. */
static void
late_and_gaps(void)
{
	int64_t boundary;

	start(3);
	sliding_window_counter_reach(&w, 10);
	CHECK(!add("a", 6));
	CHECK(!add("a", 7)); /* was in windows 8, 9 and 10 */
	CHECK(add("a", 8));
	CHECK(sliding_window_counter_next(&w, &boundary) && boundary == 11);
	CHECK_STR(advance(11), "a:1");
	CHECK_STR(advance(12), "a:0!");
	CHECK(!sliding_window_counter_next(&w, &boundary));
	CHECK(add("b", 1000000));
	CHECK(sliding_window_counter_next(&w, &boundary) &&
	    boundary == 1000001);
	sliding_window_counter_reach(&w, 500);
	sliding_window_counter_reach(&w, 400); /* is no news */
	CHECK(!add("a", 497));
	CHECK(add("a", 498));
	CHECK(sliding_window_counter_next(&w, &boundary) && boundary == 501);
	CHECK_STR(advance(501), "a:1");
	CHECK_STR(advance(502), "a:0!");
	CHECK(sliding_window_counter_next(&w, &boundary) &&
	    boundary == 1000001);
	CHECK_STR(advance(1000001), "b:1");
	sliding_window_counter_fini(&w);
}

int
main(void)
{
	hash_init();
	storm();
	golden();
	late_and_gaps();
	buffer_fini(&seen.text);
	return check_done("sliding_window_counter");
}
