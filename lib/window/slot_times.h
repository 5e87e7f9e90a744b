/*
 * slot_times - when the slots of a window are: all of one length, and slot 0
 * from a start on.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_TIMES_H
#define WINDOW_SLOT_TIMES_H

#include <stdint.h>

#include "base/timestamp.h"

struct slot_times {
	int64_t every_ms; /* the length of a slot */
	int64_t start_ms; /* of slot 0 */
	/* The slot last found, whose times are from, but not to. */
	int64_t slot, from_ms, to_ms;
};

/*
 * When a slot begins, which is when the one before it ends.
 *
 * Shape:  what lies beyond int64_t is its end.
 */
static inline int64_t
slot_times_start(const struct slot_times *t, int64_t slot)
{
	int64_t ms;

	if (__builtin_mul_overflow(slot, t->every_ms, &ms) ||
	    __builtin_add_overflow(t->start_ms, ms, &ms))
		return slot < 0 ? INT64_MIN : INT64_MAX;
	return ms;
}

/*
 * The slot of a time, mostly that of the last one.
 *
 * Shape:  a zeroed t with every_ms > 0 is ready for use; start_ms may change
 *         only before the first time.
 */
static inline int64_t
slot_times_find(struct slot_times *t, int64_t ms)
{
	if (ms < t->from_ms || ms >= t->to_ms) {
		t->slot = floor_div(ms - t->start_ms, t->every_ms);
		t->from_ms = slot_times_start(t, t->slot);
		t->to_ms = slot_times_start(t, t->slot + 1);
	}
	return t->slot;
}

#endif
