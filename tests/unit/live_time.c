/*
 * live_time - how far time goes on where no line comes; the time is told.
 *
 * SPDX-License-Identifier: ISC
 */
#include "bolt/live_time.h"
#include "check.h"

static struct live_time l;

/* By how much it goes on at a time, after so many lines and tuples. */
static int64_t
pass(uint64_t lines, uint64_t tuples, int64_t now_ms)
{
	return live_time_pass(&l, lines, tuples, now_ms);
}

int
main(void)
{
	/* Off. */
	live_time_init(&l, 0, 1000);
	CHECK_EQ(pass(0, 0, 100000), 0);
	CHECK_EQ(live_time_due(&l), INT64_MAX);

	/* From the start, and then from the tuple on. */
	live_time_init(&l, 2000, 1000);
	CHECK_EQ(live_time_due(&l), 3000);
	CHECK_EQ(pass(0, 0, 2999), 0);
	CHECK_EQ(pass(0, 0, 3100), 100);
	CHECK_EQ(pass(1, 1, 4000), 0);
	CHECK_EQ(live_time_due(&l), 6000);
	CHECK_EQ(pass(1, 1, 5999), 0);
	CHECK_EQ(pass(1, 1, 6000), 0);
	CHECK_EQ(live_time_due(&l), 6100);
	CHECK_EQ(pass(1, 1, 6100), 100);
	CHECK_EQ(pass(1, 1, 6150), 50);
	CHECK_EQ(pass(1, 1, 6150), 0);

	/* A line that is no tuple begins D anew, but not the time since. */
	CHECK_EQ(pass(2, 1, 6200), 0);
	CHECK_EQ(live_time_due(&l), 8200);
	CHECK_EQ(pass(2, 1, 8199), 0);
	CHECK_EQ(pass(2, 1, 8200), 2050);

	/* Another tuple does both. */
	CHECK_EQ(pass(4, 2, 9000), 0);
	CHECK_EQ(pass(4, 2, 10999), 0);
	CHECK_EQ(pass(4, 2, 11007), 7);
	return check_done("live_time");
}
