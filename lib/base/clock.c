/*
 * SPDX-License-Identifier: ISC
 */
#include "base/linux.h"

#include <time.h>

#include "base/clock.h"

/* A clock that never jumps; if there is such, one that counts a suspend. */
#ifdef HAS_LINUX
#define STEADY_CLOCK CLOCK_BOOTTIME
#else
#define STEADY_CLOCK CLOCK_MONOTONIC
#endif

static int64_t
read_clock(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What clock_advance_ms was called for. */
static int64_t advance_ms;

int64_t
clock_now_ns(void)
{
	static int64_t offset;

	if (offset == 0)
		offset = read_clock(CLOCK_REALTIME) - read_clock(STEADY_CLOCK);
	return read_clock(STEADY_CLOCK) + offset;
}

void
clock_advance_ms(int64_t ms)
{
	advance_ms += ms;
}

int64_t
clock_now_ms(void)
{
	return clock_now_ns() / 1000000 + advance_ms;
}

int64_t
clock_thread_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
