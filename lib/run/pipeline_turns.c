/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/descriptor.h"
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

/* Tell whether a stream is one of bolt->first. */
static bool
is_first(const struct pipeline *p, const struct stream *s)
{
	return p->bolt->first != NULL && p->bolt->first[s->source.stream];
}

bool
pipeline_turns_goes_first(const struct pipeline *p, const struct stream *s)
{
	return is_first(p, s) && !s->was_silent;
}

struct stream *
pipeline_turns_first(const struct pipeline *p)
{
	for (size_t i = 0; p->bolt->first != NULL && i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		if (s->tuple != NULL && pipeline_turns_goes_first(p, s))
			return s;
	}
	return NULL;
}

/* Of the streams that have a tuple, which some have, the one whose turn it is. */
static struct stream *
next_by_turns(struct pipeline *p)
{
	struct stream *s;

	do
		s = &p->streams[p->turn++ % p->nstreams];
	while (s->tuple == NULL);
	return s;
}

struct stream *
pipeline_turns_next(struct pipeline *p)
{
	struct stream *s = pipeline_turns_first(p);

	if (s != NULL || p->nready == 0)
		return s;
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
	if (pipeline_turns_goes_first(p, s))
		return INT64_MAX;
	if (p->bolt->time_of == NULL || p->nlacking != 0)
		return INT64_MIN;
	return least_time_before(&p->times, s->source.stream);
}

void
pipeline_turns_set_idle(struct pipeline *p, struct stream *s, bool idle)
{
	if (s->idle == idle)
		return;
	s->idle = idle;
	s->was_silent = s->was_silent || idle;
	pipeline_tell_stream(p, s, idle ? STREAM_IDLE : STREAM_ACTIVE);
}

/* Tell whether a stream that has no tuple is waited for. */
static bool
is_waited_for(const struct pipeline *p, const struct stream *s)
{
	if (s->idle)
		return false;
	return is_first(p, s) ? !s->was_silent : p->bolt->time_of != NULL;
}

/*
 * How long a silent stream is waited for.  After a signal what others have is to
 * be read, too, unless another run will go on, or its writer is ending, too.
 */
static int64_t
idle_of(const struct pipeline *p, const struct stream *s)
{
	int64_t usual = p->bolt->idle_ms, most = RUN_GRACE_MS / 2;
	bool hurries = p->run.ending_ms != 0 && p->checkpoint == NULL &&
	    !descriptor_will_end(tuple_source_reads(&s->source));

	return hurries && usual > most ? most : usual;
}

struct stream *
pipeline_turns_choose(struct pipeline *p, int64_t *until)
{
	struct stream *best = pipeline_turns_next(p);
	bool full = p->workers != NULL && workers_is_full(p->workers);

	*until = INT64_MAX;
	if (best == NULL || pipeline_turns_goes_first(p, best) ||
	    (p->bolt->time_of == NULL && p->bolt->first == NULL))
		return best;
	for (size_t i = 0; i < p->nlacking; i++) {
		struct stream *s = p->lacking[i];
		int64_t idle_ms;

		if (!is_waited_for(p, s))
			continue;
		/* It is not read, so it cannot be called silent. */
		if (full) {
			s->dry_ms = 0;
			*until = *until < INT64_MAX ? *until : INT64_MAX - 1;
			continue;
		}
		if (s->dry_ms == 0)
			s->dry_ms = p->now_ms = clock_now_ms();
		idle_ms = idle_of(p, s);
		/* A thread may be slow to read a file, which is not silent. */
		if (tuple_source_is_steady(&s->source))
			*until = *until < INT64_MAX ? *until : INT64_MAX - 1;
		else if (p->now_ms >= s->dry_ms + idle_ms)
			pipeline_turns_set_idle(p, s, true);
		else if (s->dry_ms + idle_ms < *until)
			*until = s->dry_ms + idle_ms;
	}
	return *until == INT64_MAX ? best : NULL;
}
