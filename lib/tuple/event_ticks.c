/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/event_ticks.h"
#include "base/calendar.h"

/* The last tick that is not after ms, or the n-th after that. */
static int64_t
tick_at(const struct event_ticks *e, int64_t ms, int64_t n)
{
	return (floor_div(ms - e->start_ms, e->every_ms) + n) * e->every_ms +
	    e->start_ms;
}

bool
event_ticks_reach(struct event_ticks *e, int64_t watermark_ms, int64_t *tick)
{
	*tick = tick_at(e, watermark_ms, 0);
	if (e->ticked && *tick <= e->tick_ms)
		return false;
	e->tick_ms = *tick;
	e->ticked = true;
	return true;
}

bool
event_ticks_end(const struct event_ticks *e, int64_t *tick)
{
	if (!e->started)
		return false;
	*tick = tick_at(e, e->max_ms, 1);
	return true;
}
