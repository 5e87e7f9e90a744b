/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "window/time_tracker.h"

void
time_tracker_init(struct time_tracker *t, size_t n, int64_t start)
{
	*t = (struct time_tracker){ .n = n, .start = start };
}

void
time_tracker_fini(struct time_tracker *t)
{
	free(t->times);
	*t = (struct time_tracker){ 0 };
}

void
time_tracker_mark(struct time_tracker *t, int64_t now)
{
	if (t->len < t->n) {
		t->times = memory_grow(t->times, &t->cap, t->len + 1,
		    sizeof *t->times);
		t->times[t->len++] = now;
	} else {
		t->times[t->at] = now;
		t->at = (t->at + 1) % t->n;
	}
}

int64_t
time_tracker_mark_at(const struct time_tracker *t, size_t i)
{
	return t->times[(t->at + i) % t->len];
}

int64_t
time_tracker_oldest(const struct time_tracker *t)
{
	return t->len < t->n ? t->start : t->times[t->at];
}
