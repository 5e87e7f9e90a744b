/*
 * clock - the only module that asks the system for the time.  All others get
 * it as an argument.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/*
 * Milliseconds since 1970, which never jump: the wall clock at the first call,
 * and after that as far as time has gone on, sleep of the machine included.
 *
 * Errors: none.
 */
int64_t clock_now_ms(void);

/* The same in nanoseconds, to measure how long something takes. */
int64_t clock_now_ns(void);

#endif
