/*
 * event_ticks - before which tuples a tick is due, and which.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/event_ticks.h"
#include "check.h"

enum { NONE = -1000 };

static struct event_ticks e;

/* A tuple, in order but for so much. */
static int64_t
see(int64_t ms, int64_t lateness)
{
	int64_t tick;

	event_ticks_see(&e, ms);
	return event_ticks_reach(&e, e.max_ms - lateness, &tick) ? tick : NONE;
}

static int64_t
end(void)
{
	int64_t tick;

	return event_ticks_end(&e, &tick) ? tick : NONE;
}

int
main(void)
{
	CHECK_EQ(end(), NONE);
	e = (struct event_ticks){ .every_ms = 10 };
	CHECK_EQ(end(), NONE);
	CHECK_EQ(see(23, 5), 10);
	CHECK_EQ(see(24, 5), NONE);
	CHECK_EQ(see(36, 5), 30);
	CHECK_EQ(see(12, 5), NONE); /* disorder */
	CHECK_EQ(see(44, 5), NONE);
	CHECK_EQ(see(45, 5), 40);
	CHECK_EQ(see(78, 5), 70);
	CHECK_EQ(end(), 80);

	/* A slot has its first time, not its last. */
	e = (struct event_ticks){ .every_ms = 10 };
	CHECK_EQ(see(-7, 0), -10);
	CHECK_EQ(end(), 0);
	CHECK_EQ(see(0, 0), 0);
	CHECK_EQ(end(), 10);

	/* Counted from another time than the epoch, before it and after. */
	e = (struct event_ticks){ .every_ms = 10, .start_ms = 2 };
	CHECK_EQ(see(23, 5), 12);
	CHECK_EQ(see(36, 5), 22);
	CHECK_EQ(see(58, 5), 52);
	CHECK_EQ(end(), 62);
	e = (struct event_ticks){ .every_ms = 10, .start_ms = 52 };
	CHECK_EQ(see(23, 0), 22);
	CHECK_EQ(end(), 32);

	/* Without a watermark there is but the last one. */
	e = (struct event_ticks){ .every_ms = 10 };
	event_ticks_see(&e, 99);
	event_ticks_see(&e, 50);
	CHECK_EQ(end(), 100);
	return check_done("event_ticks");
}
