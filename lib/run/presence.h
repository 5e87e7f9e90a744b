/*
 * presence - made-up events of people who enter and leave rooms: days of
 * stays between opening and closing, all events of a day shuffled.
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
	size_t at, n, cap; /* at: the event that is next */
	int64_t ndays;	   /* made so far */
};

/* Tell whether the events of the day have all been put, if there was one. */
static inline bool
presence_day_is_over(const struct presence *p)
{
	return p->at == p->n;
}

/*
 * Append the next event, an object that lacks its closing brace; after the
 * last one of a day comes the next day.
 *
 * Shape:  a zeroed p is ready for use; the same r in the same state gives the
 *         same events.
 */
void presence_put(struct presence *p, struct random *r, struct buffer *b);
void presence_fini(struct presence *p);

#endif
