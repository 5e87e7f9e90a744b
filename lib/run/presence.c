/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/presence.h"

/* 27 July 2013, 9 to 17 h in a place two hours ahead of UTC. */
static const int64_t OPENS_MS = 1374908400000;
static const int64_t OPEN_MS = 8 * 3600000, DAY_MS = 24 * 3600000;

/* One end of a stay in a room. */
struct presence_event {
	int64_t ms;
	uint64_t id[2]; /* of the stay */
	unsigned char user, room;
	bool leaves;
};

/* The stays of one person on a day: one starts minutes after the last. */
static void
stay(struct presence *p, struct random *r, unsigned char user, int64_t ms,
    int64_t closes)
{
	enum { LEAST_GAP = 180000, MOST_GAP = 600000, LONGEST = 2700000 };
	struct presence_event e = { .user = user };

	for (;;) {
		ms +=
		    LEAST_GAP + (int64_t)random_below(r, MOST_GAP - LEAST_GAP);
		if (ms >= closes)
			return;
		p->day = memory_grow(p->day, &p->cap, p->n + 2, sizeof *p->day);
		e.room = (unsigned char)random_below(r, 6);
		e.id[0] = random_next(r);
		e.id[1] = random_next(r);
		e.ms = ms;
		e.leaves = false;
		p->day[p->n++] = e;
		e.ms = ms += 1000 + (int64_t)random_below(r, LONGEST - 1000);
		e.leaves = true;
		p->day[p->n++] = e;
	}
}

static void
make_day(struct presence *p, struct random *r)
{
	enum { USERS = 120 };
	int64_t opens = OPENS_MS + p->ndays++ * DAY_MS;

	p->at = p->n = 0;
	for (int user = 0; user < USERS; user++)
		stay(p, r, (unsigned char)user, opens, opens + OPEN_MS);
	for (size_t i = p->n - 1; i > 0; i--) {
		size_t other = random_below(r, i + 1);
		struct presence_event e = p->day[i];

		p->day[i] = p->day[other];
		p->day[other] = e;
	}
}

static void
put_event(struct buffer *line, const struct presence_event *e)
{
	static const char *const names[] = { "Fred", "Jenny", "Marie", "Zoe",
		"Robert", "John" };
	static const char *const rooms[] = { "Conf1", "Conf2", "Cafetaria",
		"Lounge", "Hall", "Annex1" };
	char id[33];

	snprintf(id, sizeof id, "%016" PRIx64 "%016" PRIx64, e->id[0],
	    e->id[1]);
	buffer_put(line, SPAN("{\"eventType\":\""));
	buffer_put(line, e->leaves ? SPAN("LEAVE") : SPAN("ENTER"));
	buffer_put(line, SPAN("\",\"userId\":\""));
	buffer_put(line, span_of(names[e->user % 6]));
	buffer_byte(line, '_');
	buffer_int(line, e->user / 6);
	buffer_put(line, SPAN("\",\"time\":"));
	buffer_int(line, e->ms);
	buffer_put(line, SPAN(",\"roomId\":\""));
	buffer_put(line, span_of(rooms[e->room]));
	buffer_put(line, SPAN("\",\"id\":\""));
	buffer_put(line, span_of(id));
	buffer_put(line, e->leaves ? SPAN("B") : SPAN("A"));
	buffer_put(line, SPAN("\",\"corrId\":\""));
	buffer_put(line, span_of(id));
	buffer_byte(line, '"');
}

void
presence_put(struct presence *p, struct random *r, struct buffer *b)
{
	if (p->at == p->n)
		make_day(p, r);
	put_event(b, &p->day[p->at++]);
}

void
presence_fini(struct presence *p)
{
	free(p->day);
}
