/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "tuple/watermark.h"

void
watermark_init(struct watermark *w, size_t nstreams, int64_t lateness)
{
	*w = (struct watermark){ .n = nstreams,
		.nactive = nstreams,
		.lateness = lateness,
		.now = INT64_MIN };
	w->streams = memory_new(nstreams, sizeof *w->streams);
	least_init(&w->least, nstreams);
	for (size_t i = 0; i < nstreams; i++) {
		w->streams[i].max = INT64_MIN;
		least_set(&w->least, i, INT64_MIN);
	}
}

void
watermark_fini(struct watermark *w)
{
	free(w->streams);
	least_fini(&w->least);
	*w = (struct watermark){ 0 };
}

/* Move to where a time lets it be, if that is later. */
static bool
move(struct watermark *w, int64_t time)
{
	int64_t now;

	if (w->lateness == INT64_MAX ||
	    __builtin_sub_overflow(time, w->lateness, &now) || now <= w->now)
		return false;
	w->now = now;
	return true;
}

bool
watermark_update(struct watermark *w)
{
	/* Not while one has no time yet. */
	return w->nactive != 0 && move(w, least_time(&w->least));
}

void
watermark_put_back(struct watermark *w, size_t stream, int64_t time)
{
	struct watermark_stream *s = &w->streams[stream];

	s->max = time;
	s->seen = true;
	if (!s->idle)
		least_set(&w->least, stream, time);
}

bool
watermark_advance(struct watermark *w, size_t stream, int64_t time)
{
	watermark_put_back(w, stream, time);
	return watermark_update(w);
}

bool
watermark_set_idle(struct watermark *w, size_t stream, bool idle)
{
	struct watermark_stream *s = &w->streams[stream];

	if (s->idle != idle) {
		s->idle = idle;
		w->nactive = idle ? w->nactive - 1 : w->nactive + 1;
		least_set(&w->least, stream, idle ? INT64_MAX : s->max);
	}
	return watermark_update(w);
}

/* The largest time of any stream. */
static int64_t
largest(const struct watermark *w)
{
	int64_t max = INT64_MIN;

	for (size_t i = 0; i < w->n; i++)
		if (w->streams[i].max > max)
			max = w->streams[i].max;
	return max;
}

bool
watermark_end(struct watermark *w)
{
	return move(w, largest(w));
}

int64_t
watermark_held_by(const struct watermark *w, size_t *stream)
{
	struct watermark caught_up = *w;
	int64_t by;

	if (w->nactive == 0 || !move(&caught_up, largest(w)))
		return 0;
	*stream = least_place(&w->least);
	if (!w->streams[*stream].seen ||
	    __builtin_sub_overflow(caught_up.now, w->now, &by))
		return INT64_MAX;
	return by;
}

void
watermark_advance_by(struct watermark *w, int64_t by)
{
	if (w->now != INT64_MIN && __builtin_add_overflow(w->now, by, &w->now))
		w->now = INT64_MAX;
}
