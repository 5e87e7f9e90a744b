/*
 * time_tracker - the tables of Storm's NthLastModifiedTimeTrackerTest.
 *
 * SPDX-License-Identifier: ISC
 */
#include "window/time_tracker.h"
#include "check.h"

static void
unmarked(void)
{
	static const int64_t seconds[] = { 0, 1, 2, 3, 4, 5, 8, 10 };
	static const size_t sizes[] = { 1, 2, 3, 20 };
	struct time_tracker t;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++) {
			int64_t start = 1700000000000;

			time_tracker_init(&t, sizes[i], start);
			CHECK_EQ(start + seconds[k] * 1000 -
				time_tracker_oldest(&t),
			    seconds[k] * 1000);
			time_tracker_fini(&t);
		}
}

/* Go on by so much, mark, and read how long ago the oldest is. */
static void
marked(void)
{
	static const struct {
		size_t n;
		int64_t steps[8], wanted[8]; /* end in -1 */
	} rows[] = {
		{ 1, { 0, 1, -1 }, { 0, 0 } },
		{ 1, { 0, 2, -1 }, { 0, 0 } },
		{ 2, { 2, 2, -1 }, { 2, 2 } },
		{ 2, { 0, 4, -1 }, { 0, 4 } },
		{ 1, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 0 } },
		{ 1, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 0 } },
		{ 2, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 1, 1, 1, 1, 1, 1, 1 } },
		{ 2, { 2, 2, 2, 2, 2, 2, 2, -1 }, { 2, 2, 2, 2, 2, 2, 2 } },
		{ 2, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 1, 2, 3, 4, 5, 6, 7 } },
		{ 3, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 1, 2, 2, 2, 2, 2, 2 } },
		{ 3, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 1, 3, 5, 7, 9, 11, 13 } },
		{ 3, { 2, 2, 2, 2, 2, 2, 2, -1 }, { 2, 4, 4, 4, 4, 4, 4 } },
		{ 4, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 1, 2, 3, 3, 3, 3, 3 } },
		{ 4, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 1, 3, 6, 9, 12, 15, 18 } },
		{ 4, { 2, 2, 2, 2, 2, 2, 2, -1 }, { 2, 4, 6, 6, 6, 6, 6 } },
		{ 5, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 1, 2, 3, 4, 4, 4, 4 } },
		{ 5, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 1, 3, 6, 10, 14, 18, 22 } },
		{ 5, { 2, 2, 2, 2, 2, 2, 2, -1 }, { 2, 4, 6, 8, 8, 8, 8 } },
		{ 6, { 1, 1, 1, 1, 1, 1, 1, -1 }, { 1, 2, 3, 4, 5, 5, 5 } },
		{ 6, { 1, 2, 3, 4, 5, 6, 7, -1 }, { 1, 3, 6, 10, 15, 20, 25 } },
		{ 6, { 2, 2, 2, 2, 2, 2, 2, -1 }, { 2, 4, 6, 8, 10, 10, 10 } },
		{ 3, { 1, 2, 3, -1 }, { 1, 3, 5 } },
	};
	struct time_tracker t;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t now = 1000000;

		time_tracker_init(&t, rows[i].n, now);
		for (size_t k = 0; rows[i].steps[k] >= 0; k++) {
			now += rows[i].steps[k] * 1000;
			time_tracker_mark(&t, now);
			CHECK_EQ(now - time_tracker_oldest(&t),
			    rows[i].wanted[k] * 1000);
			/* To ask does not change the answer. */
			CHECK_EQ(now - time_tracker_oldest(&t),
			    rows[i].wanted[k] * 1000);
		}
		time_tracker_fini(&t);
	}
}

/* RollingCountBolt reads before it marks: 3, 6, 9, 9, ... for 9s by 3s. */
static void
as_the_bolt(void)
{
	static const int64_t wanted[] = { 3, 6, 9, 9, 9, 9, 9, 9 };
	struct time_tracker t;
	int64_t now = 0;

	time_tracker_init(&t, 3, now);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		now += 3;
		CHECK_EQ(now - time_tracker_oldest(&t), wanted[i]);
		time_tracker_mark(&t, now);
	}
	time_tracker_fini(&t);
}

/* The memory is for the times there are, not for all that there may be. */
static void
large(void)
{
	struct time_tracker t;

	time_tracker_init(&t, SIZE_MAX, 5);
	for (int64_t i = 6; i < 1000; i++)
		time_tracker_mark(&t, i);
	CHECK_EQ(time_tracker_oldest(&t), 5);
	CHECK(t.cap < 3000);
	time_tracker_fini(&t);
	time_tracker_init(&t, 1000, 0);
	for (int64_t i = 1; i <= 10500; i++) {
		time_tracker_mark(&t, i);
		CHECK_EQ(time_tracker_oldest(&t), i < 1000 ? 0 : i - 999);
	}
	time_tracker_fini(&t);
}

int
main(void)
{
	unmarked();
	marked();
	as_the_bolt();
	large();
	return check_done("time_tracker");
}
