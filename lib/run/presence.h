/*
 * presence - make up events of people who enter and leave rooms during the day;
 * the events of a day are shuffled.
 *
 * Source: the spout of the room occupancy sample for Trident.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PRESENCE_H
#define RUN_PRESENCE_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/random.h"

struct presence_event;

struct presence {
	struct presence_event *day;
	size_t at, n, cap; /* at: the next event */
	int64_t ndays;	   /* made so far */
};

/* Tell whether no event of the current day is left. */
static inline bool
presence_day_is_over(const struct presence *p)
{
	return p->at == p->n;
}

/*
 * Append the next event, an object without its closing brace.  After the last
 * event of a day the next day begins.
 *
 * Shape:  a zeroed p is ready for use.  The same state of r gives the same
 *         events.
 * Errors: none.
 */
void presence_put(struct presence *p, struct random *r, struct buffer *b);
void presence_fini(struct presence *p);

#endif
