/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "run/pipeline_turns.h"

void
pipeline_turns_init(struct pipeline *p)
{
	p->without = memory_new(p->nstreams, sizeof *p->without);
	for (size_t i = 0; i < p->nstreams; i++)
		p->without[p->nwithout++] = &p->streams[i];
	least_init(&p->times, p->nstreams);
}

void
pipeline_turns_fini(struct pipeline *p)
{
	free(p->without);
	least_fini(&p->times);
}

/* Note the time of a stream's tuple, if there is one. */
static void
set_time(struct pipeline *p, const struct stream *s)
{
	if (p->bolt->time_of != NULL)
		least_set(&p->times, s->source.stream,
		    s->tuple != NULL ? s->tuple->time_ns : INT64_MAX);
}

void
pipeline_turns_refilled(struct pipeline *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nwithout; i++) {
		struct stream *s = p->without[i];

		if (s->tuple != NULL) {
			set_time(p, s);
			p->nwith++;
		} else if (!s->ended) {
			p->without[n++] = s;
		}
	}
	p->nwithout = n;
}

void
pipeline_turns_executed(struct pipeline *p, struct stream *s)
{
	size_t at = p->nwithout;

	set_time(p, s);
	if (s->tuple != NULL)
		return;
	p->nwith--;
	if (s->ended)
		return;
	for (; at > 0 && p->without[at - 1] > s; at--)
		p->without[at] = p->without[at - 1];
	p->without[at] = s;
	p->nwithout++;
}

bool
pipeline_turns_goes_first(const struct pipeline *p, const struct stream *s)
{
	return p->bolt->first != NULL && p->bolt->first[s->source.stream];
}

/* Of the streams that have a tuple, the one whose turn it is. */
static struct stream *
next_by_turns(struct pipeline *p)
{
	for (size_t i = 0; p->bolt->first != NULL && i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		if (s->tuple != NULL && pipeline_turns_goes_first(p, s) &&
		    !s->was_silent)
			return s;
	}
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[(p->turn + i) % p->nstreams];

		if (s->tuple != NULL) {
			p->turn = s->source.stream + 1;
			return s;
		}
	}
	return NULL;
}

struct stream *
pipeline_turns_next(struct pipeline *p)
{
	struct stream *s;

	if (p->nwith == 0)
		return NULL;
	if (p->bolt->time_of == NULL)
		return next_by_turns(p);
	s = &p->streams[least_place(&p->times)];
	/* The end of all times is like no time. */
	while (s->tuple == NULL)
		s++;
	return s;
}

int64_t
pipeline_turns_end(const struct pipeline *p, const struct stream *s)
{
	if (p->bolt->time_of == NULL || p->nwithout != 0)
		return INT64_MIN;
	return least_time_before(&p->times, s->source.stream);
}
