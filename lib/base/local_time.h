/*
 * local_time - times as people read them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_LOCAL_TIME_H
#define BASE_LOCAL_TIME_H

#include <stdint.h>

#include "base/buffer.h"

/*
 * Append a time as a date in the local time zone, `2026-03-01 12:05:00`, with
 * the milliseconds unless they are 0.
 *
 * Units:  ms is milliseconds since 1970.
 * Errors: false if the calendar does not reach so far; b is unchanged.
 */
bool local_time_put(struct buffer *b, int64_t ms);

/*
 * Shift ms so that, shown as UTC, it reads as local time; for programs without
 * time zones.
 *
 * Errors: ms itself if the calendar does not reach so far.
 */
int64_t local_time_shift(int64_t ms);

#endif
