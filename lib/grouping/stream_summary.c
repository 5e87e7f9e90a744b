/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "grouping/stream_summary.h"

#define NONE UINT32_MAX

void
stream_summary_init(struct stream_summary *s, uint32_t n)
{
	*s = (struct stream_summary){ .n = n,
		.order = memory_new(n, sizeof *s->order),
		.counters = memory_new(n, sizeof *s->counters),
		/* One more for the moment between making and freeing. */
		.buckets = memory_new((size_t)n + 1, sizeof *s->buckets),
		.free = 1 };
	for (uint32_t i = 0; i < n; i++) {
		s->order[i] = s->counters[i].place = i;
		s->buckets[i + 1].above = i + 2;
	}
	s->buckets[0] =
	    (struct stream_summary_bucket){ 0, 0, n - 1, NONE, NONE };
}

void
stream_summary_fini(struct stream_summary *s)
{
	free(s->order);
	free(s->counters);
	free(s->buckets);
	*s = (struct stream_summary){ 0 };
}

/* Let counter c trade places with the last of its bucket. */
static void
move_last(struct stream_summary *s, uint32_t c, uint32_t last)
{
	uint32_t other = s->order[last], place = s->counters[c].place;

	s->order[place] = other;
	s->counters[other].place = place;
	s->order[last] = c;
	s->counters[c].place = last;
}

/* Take the last place out of bucket b, and b away if it had no other. */
static void
shrink(struct stream_summary *s, uint32_t b)
{
	struct stream_summary_bucket *bucket = &s->buckets[b];

	if (bucket->last != bucket->first) {
		bucket->last--;
		return;
	}
	s->buckets[bucket->above].below = bucket->below;
	if (bucket->below != NONE)
		s->buckets[bucket->below].above = bucket->above;
	bucket->above = s->free;
	s->free = b;
}

void
stream_summary_add(struct stream_summary *s, uint32_t c)
{
	uint32_t b = s->counters[c].bucket, made;
	struct stream_summary_bucket *bucket = &s->buckets[b];
	uint32_t last = bucket->last, above = bucket->above;

	if (above != NONE && s->buckets[above].count == bucket->count + 1) {
		move_last(s, c, last);
		s->counters[c].bucket = above;
		s->buckets[above].first = last;
		shrink(s, b);
	} else if (bucket->first == last) {
		bucket->count++;
	} else {
		move_last(s, c, last);
		made = s->free;
		s->free = s->buckets[made].above;
		s->buckets[made] =
		    (struct stream_summary_bucket){ bucket->count + 1, last,
			    last, b, above };
		if (above != NONE)
			s->buckets[above].below = made;
		bucket->above = made;
		bucket->last--;
		s->counters[c].bucket = made;
	}
}
