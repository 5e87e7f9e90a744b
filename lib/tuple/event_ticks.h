/*
 * event_ticks - the ticks that the times of tuples make: the multiples of EVERY
 * that the watermark reaches, of which one jump makes the last alone.
 *
 *	every 10, lateness 5	times      23 24    36    58
 *				ticks   10       30    50    60 at the end
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_EVENT_TICKS_H
#define TUPLE_EVENT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed one has seen no tuple. */
struct event_ticks {
	/* For the owner to set. */
	int64_t every_ms;
	int64_t lateness_ms; /* LATENESS_ALL: ticks come at the end alone */

	/* Its own. */
	int64_t max_ms, tick_ms; /* the latest time, the last tick */
	bool started;
};

/*
 * A tuple of this time comes: tell whether a tick is due before it.
 *
 * Shape:  *tick is set if it is.
 */
bool event_ticks_see(struct event_ticks *e, int64_t ms, int64_t *tick);

/*
 * The input has ended: tell whether a tick is due, the end of the last tuple's
 * slot.
 *
 * Shape:  *tick is set if it is.
 */
bool event_ticks_end(const struct event_ticks *e, int64_t *tick);

#endif
