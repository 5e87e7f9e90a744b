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
 * the milliseconds where there are some.
 *
 * Units:  ms is milliseconds since 1970.
 * Errors: false where the calendar does not reach so far; b is unchanged.
 */
bool local_time_put(struct buffer *b, int64_t ms);

/*
 * The time at which the clocks of UTC show what local ones show at ms, for
 * what knows no time zones; ms itself where the calendar does not reach so far.
 */
int64_t local_time_shift(int64_t ms);

#endif
