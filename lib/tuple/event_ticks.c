/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/event_ticks.h"
#include "base/calendar.h"

bool
event_ticks_reach(struct event_ticks *e, int64_t watermark_ms, int64_t *tick)
{
	*tick = floor_div(watermark_ms, e->every_ms) * e->every_ms;
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
	*tick = (floor_div(e->max_ms, e->every_ms) + 1) * e->every_ms;
	return true;
}
