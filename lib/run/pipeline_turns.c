/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "run/pipeline_turns.h"

void
pipeline_turns_init(struct pipeline *p)
{
	p->lacking = memory_new(p->nstreams, sizeof *p->lacking);
	for (size_t i = 0; i < p->nstreams; i++)
		p->lacking[p->nlacking++] = &p->streams[i];
	least_init(&p->times, p->nstreams);
}

void
pipeline_turns_fini(struct pipeline *p)
{
	free(p->lacking);
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

	for (size_t i = 0; i < p->nlacking; i++) {
		struct stream *s = p->lacking[i];

		if (s->tuple != NULL) {
			set_time(p, s);
			p->nready++;
		} else if (!s->ended) {
			p->lacking[n++] = s;
		}
	}
	p->nlacking = n;
}

void
pipeline_turns_executed(struct pipeline *p, struct stream *s)
{
	size_t at = p->nlacking;

	set_time(p, s);
	if (s->tuple != NULL)
		return;
	p->nready--;
	if (s->ended)
		return;
	/* In their order, so that their lines are read in that order, too. */
	for (; at > 0 && p->lacking[at - 1] > s; at--)
		p->lacking[at] = p->lacking[at - 1];
	p->lacking[at] = s;
	p->nlacking++;
}

bool
pipeline_turns_goes_first(const struct pipeline *p, const struct stream *s)
{
	return p->bolt->first != NULL && p->bolt->first[s->source.stream];
}

/* Of the streams that have a tuple, which some have, the one whose turn it is. */
static struct stream *
next_by_turns(struct pipeline *p)
{
	struct stream *s;

	for (size_t i = 0; p->bolt->first != NULL && i < p->nstreams; i++) {
		s = &p->streams[i];
		if (s->tuple != NULL && pipeline_turns_goes_first(p, s) &&
		    !s->was_silent)
			return s;
	}
	do
		s = &p->streams[p->turn++ % p->nstreams];
	while (s->tuple == NULL);
	return s;
}

struct stream *
pipeline_turns_next(struct pipeline *p)
{
	struct stream *s;

	if (p->nready == 0)
		return NULL;
	if (p->bolt->time_of == NULL)
		return next_by_turns(p);
	s = &p->streams[least_place(&p->times)];
	/* Streams without one count as the last of all times; some have it. */
	while (s->tuple == NULL)
		s++;
	return s;
}

int64_t
pipeline_turns_end(const struct pipeline *p, const struct stream *s)
{
	if (p->bolt->time_of == NULL || p->nlacking != 0)
		return INT64_MIN;
	return least_time_before(&p->times, s->source.stream);
}
