/*
 * SPDX-License-Identifier: ISC
 */
#include <time.h>

#include "base/clock.h"

static int64_t
read_clock(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
clock_now_ns(void)
{
	static int64_t offset;

	if (offset == 0)
		offset =
		    read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
	return read_clock(CLOCK_MONOTONIC) + offset;
}

int64_t
clock_now_ms(void)
{
	return clock_now_ns() / 1000000;
}
