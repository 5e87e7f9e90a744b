/*
 * slot_times - convert between times and the numbers of a window's slots.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SLOT_TIMES_H
#define WINDOW_SLOT_TIMES_H

#include <stdint.h>

#include "base/timestamp.h"

struct slot_times {
	int64_t every_ms; /* the length of each slot */
	int64_t start_ms; /* when slot 0 begins */
	/* The slot that was found last, and its times, to_ms excluded. */
	int64_t slot, from_ms, to_ms;
};

/*
 * When a slot begins, which is when the one before it ends.
 *
 * Errors: none; a time beyond int64_t becomes its least or greatest value.
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
 * The slot that a time is in; fast if it is the same as in the last call.
 *
 * Shape:  set every_ms and start_ms of a zeroed t before the first call.
 * Errors: none.
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
