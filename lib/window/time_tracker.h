/*
 * time_tracker - remember the last n times at which a slot was closed.  The
 * time since the oldest of them is the true length of a window of n slots that
 * ticks close.
 *
 * Source: NthLastModifiedTimeTracker of storm-starter, as it was up to 2.6.0:
 *         asking does not change the answer.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_TIME_TRACKER_H
#define WINDOW_TIME_TRACKER_H

#include <stddef.h>
#include <stdint.h>

struct time_tracker {
	int64_t *times; /* len of them; when len is n, a ring from `at` on */
	size_t n, len, cap, at;
	int64_t start;
};

/*
 * Begin, with no times; start stands for those before the first.
 *
 * Shape:  n >= 1.
 * Errors: none.
 */
void time_tracker_init(struct time_tracker *t, size_t n, int64_t start);
void time_tracker_fini(struct time_tracker *t);

/* Remember a time. */
void time_tracker_mark(struct time_tracker *t, int64_t now);

/* The i-th of the times, from 0 for the oldest; i < len. */
int64_t time_tracker_mark_at(const struct time_tracker *t, size_t i);

/* The oldest of the last n times; start, if there are fewer. */
int64_t time_tracker_oldest(const struct time_tracker *t);

#endif
