/*
 * SPDX-License-Identifier: ISC
 */
#include "run/pipeline_turns.h"

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
	struct stream *best = NULL, *end = p->streams + p->nstreams;
	int64_t time = 0;

	if (p->bolt->time_of == NULL)
		return next_by_turns(p);
	for (struct stream *s = p->streams; s < end; s++)
		if (s->tuple != NULL &&
		    (s->tuple->time_ns < time || best == NULL)) {
			best = s;
			time = s->tuple->time_ns;
		}
	return best;
}

int64_t
pipeline_turns_end(const struct pipeline *p, const struct stream *s)
{
	const struct stream *end = p->streams + p->nstreams;
	int64_t first = INT64_MAX, time;

	if (p->bolt->time_of == NULL)
		return INT64_MIN;
	for (const struct stream *o = p->streams; o < end; o++) {
		if (o == s || o->ended)
			continue;
		if (o->tuple == NULL)
			return INT64_MIN;
		time = o->tuple->time_ns;
		/* Of two at one time, that of the first stream goes first. */
		time += o > s && time != INT64_MAX;
		first = time < first ? time : first;
	}
	return first;
}
