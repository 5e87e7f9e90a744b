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
 * Milliseconds since 1970, which do not jump: the wall clock at the first call,
 * and after that as far as time has gone on, sleep of the machine included.
 *
 * Errors: none.
 */
int64_t clock_now_ms(void);

/*
 * Let clock_now_ms be ahead by so much more from now on, which is the only jump
 * that it makes.
 *
 * Errors: none.
 */
void clock_advance_ms(int64_t ms);

/* Nanoseconds, to measure how long something takes. */
int64_t clock_now_ns(void);

/*
 * The processor time that the calling thread has taken, in nanoseconds.  A
 * question costs a call of the system.
 *
 * Errors: none; 0 where the system does not know.
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
