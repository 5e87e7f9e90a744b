/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "tuple/watermark.h"

void
watermark_init(struct watermark *w, size_t nstreams, int64_t lateness)
{
	*w = (struct watermark){
		.n = nstreams, .lateness = lateness, .now = INT64_MIN
	};
	w->streams = memory_new(nstreams, sizeof *w->streams);
}

void
watermark_fini(struct watermark *w)
{
	free(w->streams);
	*w = (struct watermark){ 0 };
}

static bool
update(struct watermark *w)
{
	int64_t least = INT64_MAX;
	bool any = false;

	if (w->lateness == INT64_MAX)
		return false;
	for (size_t i = 0; i < w->n; i++) {
		const struct watermark_stream *s = &w->streams[i];

		if (s->left_out)
			continue;
		if (!s->seen)
			return false;
		any = true;
		if (s->max < least)
			least = s->max;
	}
	if (!any || __builtin_sub_overflow(least, w->lateness, &least) ||
	    least <= w->now)
		return false;
	w->now = least;
	return true;
}

bool
watermark_advance(struct watermark *w, size_t stream, int64_t time)
{
	struct watermark_stream *s = &w->streams[stream];

	s->max = time;
	s->seen = true;
	return update(w);
}

bool
watermark_leave_out(struct watermark *w, size_t stream, bool out)
{
	w->streams[stream].left_out = out;
	return update(w);
}

void
watermark_go_on(struct watermark *w, int64_t by)
{
	if (w->now != INT64_MIN && __builtin_add_overflow(w->now, by, &w->now))
		w->now = INT64_MAX;
}
