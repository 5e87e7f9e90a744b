/*
 * time_tracker - the last n times at which something was changed, and how
 * long ago the oldest of them is: the true length of a window of n slots
 * that are closed by hand.
 *
 * Source: NthLastModifiedTimeTracker of storm-starter, as it was up to
 *         2.6.0: to ask does not change the answer.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_TIME_TRACKER_H
#define WINDOW_TIME_TRACKER_H

#include <stddef.h>
#include <stdint.h>

struct time_tracker {
	int64_t *times; /* a ring once there are n, oldest at `at` */
	size_t n, len, cap, at;
	int64_t start;
};

/*
 * Shape:  n >= 1.
 * Units:  start is the time that stands for those not marked yet.
 */
void time_tracker_init(struct time_tracker *t, size_t n, int64_t start);
void time_tracker_fini(struct time_tracker *t);

/* Note that now is a time of change. */
void time_tracker_mark(struct time_tracker *t, int64_t now);

/* Mark i of those that count, 0 the oldest, i < len. */
int64_t time_tracker_mark_at(const struct time_tracker *t, size_t i);

/* The oldest of the last n times. */
int64_t time_tracker_oldest(const struct time_tracker *t);

#endif
