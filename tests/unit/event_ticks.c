/*
 * event_ticks - before which tuples a tick is due, and which.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/event_ticks.h"
#include "check.h"
#include "tuple/options.h"

enum { NONE = -1000 };

static struct event_ticks e;

static int64_t
see(int64_t ms)
{
	int64_t tick;

	return event_ticks_see(&e, ms, &tick) ? tick : NONE;
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
	e = (struct event_ticks){ .every_ms = 10, .lateness_ms = 5 };
	CHECK_EQ(end(), NONE);
	CHECK_EQ(see(23), 10);
	CHECK_EQ(see(24), NONE);
	CHECK_EQ(see(36), 30);
	CHECK_EQ(see(12), NONE); /* disorder */
	CHECK_EQ(see(44), NONE);
	CHECK_EQ(see(45), 40);
	CHECK_EQ(see(78), 70);
	CHECK_EQ(end(), 80);

	/* A slot has its first time, not its last. */
	e = (struct event_ticks){ .every_ms = 10 };
	CHECK_EQ(see(-7), -10);
	CHECK_EQ(end(), 0);
	CHECK_EQ(see(0), 0);
	CHECK_EQ(end(), 10);

	e = (struct event_ticks){ .every_ms = 10, .lateness_ms = LATENESS_ALL };
	CHECK_EQ(see(23), NONE);
	CHECK_EQ(see(99), NONE);
	CHECK_EQ(see(50), NONE);
	CHECK_EQ(end(), 100);
	return check_done("event_ticks");
}
