/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/event_ticks.h"
#include "base/calendar.h"
#include "tuple/options.h"

bool
event_ticks_see(struct event_ticks *e, int64_t ms, int64_t *tick)
{
	bool first = !e->started;

	if (!first && ms <= e->max_ms)
		return false;
	e->max_ms = ms;
	e->started = true;
	if (e->lateness_ms == LATENESS_ALL)
		return false;
	*tick = floor_div(ms - e->lateness_ms, e->every_ms) * e->every_ms;
	if (!first && *tick <= e->tick_ms)
		return false;
	e->tick_ms = *tick;
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
