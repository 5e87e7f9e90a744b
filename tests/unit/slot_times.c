/*
 * slot_times - slots before and after their start, those at the ends of time,
 * and random times against a division.
 *
 * SPDX-License-Identifier: ISC
 */
#include "window/slot_times.h"
#include "base/random.h"
#include "check.h"

enum { ROUNDS = 20000 };

static void
ends(void)
{
	struct slot_times t = { .every_ms = 10, .start_ms = 1003 };

	CHECK_EQ(slot_times_find(&t, 1003), 0);
	CHECK_EQ(slot_times_find(&t, 1012), 0);
	CHECK_EQ(slot_times_find(&t, 1013), 1);
	CHECK_EQ(slot_times_find(&t, 1002), -1);
	CHECK_EQ(slot_times_find(&t, 993), -1);
	CHECK_EQ(slot_times_find(&t, 992), -2);
	CHECK_EQ(slot_times_start(&t, 0), 1003);
	CHECK_EQ(slot_times_start(&t, -2), 983);
}

/* A slot may reach further than time does. */
static void
beyond_time(void)
{
	struct slot_times t = { .every_ms = INT64_MAX / 2 };

	CHECK_EQ(slot_times_find(&t, 5), 0);
	CHECK_EQ(slot_times_find(&t, INT64_MAX - 2), 1);
	CHECK_EQ(slot_times_find(&t, INT64_MAX - 1), 2);
	CHECK_EQ(slot_times_start(&t, 2), INT64_MAX - 1);
	CHECK_EQ(slot_times_start(&t, 3), INT64_MAX);
	CHECK_EQ(slot_times_start(&t, -3), INT64_MIN);
}

static void
random_times(void)
{
	struct random rng = { 7 };

	for (int every = 1; every < 2000; every = every * 3 + 1) {
		struct slot_times t = { .every_ms = every, .start_ms = -7 };

		for (int i = 0; i < ROUNDS; i++) {
			int64_t ms = (int64_t)random_below(&rng, 20000) - 10000;
			int64_t slot = slot_times_find(&t, ms);

			CHECK(slot * every - 7 <= ms);
			CHECK(ms < (slot + 1) * every - 7);
		}
	}
}

int
main(void)
{
	ends();
	beyond_time();
	random_times();
	return check_done("slot_times");
}
