/*
 * clock - the one module that asks what time it is.  All others are told.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/*
 * Milliseconds since 1970 that never step: the wall clock's time when the
 * program first asked, and from then on what the monotonic clock has run.
 *
 * Errors: none.
 */
int64_t clock_now_ms(void);

/* The same in nanoseconds, for measuring how long something took. */
int64_t clock_now_ns(void);

#endif
