/*
 * clock - the only module that asks the system for the time.  All others get
 * it as an argument.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Milliseconds since 1970, by a clock that does not jump: it is the wall clock
 * at the first call, and then counts on.  On Linux it counts a suspend too.
 *
 * Errors: none.
 */
int64_t clock_now_ms(void);

/*
 * Move clock_now_ms forward by ms.  This is its only jump.
 *
 * Errors: none.
 */
void clock_advance_ms(int64_t ms);

/* Nanoseconds, to measure how long something takes. */
int64_t clock_now_ns(void);

/*
 * The processor time that the calling thread has taken, in nanoseconds.  Each
 * call is a system call.
 *
 * Errors: none; 0 if the system does not know.
 */
int64_t clock_thread_ns(void);

/* Adds up the processor time of a part of the work, if it is on. */
struct stopwatch {
	bool on;
	int64_t ns;
};

static inline void
stopwatch_start(struct stopwatch *w)
{
	if (w->on)
		w->ns -= clock_thread_ns();
}

static inline void
stopwatch_stop(struct stopwatch *w)
{
	if (w->on)
		w->ns += clock_thread_ns();
}

#endif
