/*
 * event_ticks - ticks by event time: one at each start + k * EVERY, with k of
 * either sign, that the watermark reaches.  If it passes several at once, only
 * the last is given.
 *
 *	every 10, lateness 5	times      23 24    36    58
 *	start 0			ticks   10       30    50    60 at the end
 *	start 2			ticks   12       22    52    62
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_EVENT_TICKS_H
#define TUPLE_EVENT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed one has seen no tuple. */
struct event_ticks {
	int64_t every_ms, start_ms; /* for the owner to set */

	/* Its own. */
	int64_t max_ms, tick_ms; /* the latest time, the last tick */
	bool started, ticked;
};

/* A tuple of this time comes. */
static inline void
event_ticks_see(struct event_ticks *e, int64_t ms)
{
	if (!e->started || ms > e->max_ms)
		e->max_ms = ms;
	e->started = true;
}

/*
 * The watermark is at watermark_ms: tell whether a tick is due; write it before
 * the tuple that moved the watermark.
 *
 * Shape:  *tick is of use only if one is due.
 */
bool event_ticks_reach(struct event_ticks *e, int64_t watermark_ms,
    int64_t *tick);

/*
 * The input has ended: tell whether a tick is due, the end of the last tuple's
 * slot.
 *
 * Shape:  *tick is of use only if one is due.
 */
bool event_ticks_end(const struct event_ticks *e, int64_t *tick);

#endif
