/*
 * timestamp - event times, from decimal text to nanoseconds since the epoch.
 *
 * int64_t nanoseconds reach from 1677-09-21 to 2262-04-11.  No time ever
 * goes through a double, which keeps some 200 ns at today's epoch.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_TIMESTAMP_H
#define BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digits.h"
#include "base/span.h"

/* The unit of numeric times; AUTO decides by magnitude, each time anew. */
enum time_unit {
	TIME_UNIT_AUTO,
	TIME_UNIT_S,
	TIME_UNIT_MS,
	TIME_UNIT_US,
	TIME_UNIT_NS,
};

/* Their names, in that order; ends in NULL. */
extern const char *const time_unit_names[];

/* What went wrong, so that callers can word it. */
enum timestamp_error {
	TIMESTAMP_OK = 0,
	TIMESTAMP_FORM = -1,
	TIMESTAMP_RANGE = -2,
};

/*
 * Read a time: RFC 3339 (`T`, `t` or a blank between date and time; any
 * number of fraction digits; `Z`, `z`, `+hh:mm`, `+hhmm`, `+hh`, or nothing
 * for UTC; second 60 is the next one), or a number.
 *
 * Shape:  text is what stands in the tuple, a string without its quotes; it
 *         is followed by a byte that is no part of a number.
 * Units:  *ns is nanoseconds since 1970; digits past them are dropped
 *         towards the past.  AUTO takes numbers below 10^11 for seconds,
 *         10^14 ms, 10^17 us, else ns (by their magnitude).
 * Errors: TIMESTAMP_FORM or TIMESTAMP_RANGE; *ns is unset.
 */
enum timestamp_error timestamp_parse(struct span text, enum time_unit unit,
    int64_t *ns);

/* A whole number of n digits as nanoseconds; false: it is too large. */
static inline bool
timestamp_of_number(int64_t v, size_t n, enum time_unit unit, int64_t *ns)
{
	static const int64_t factors[] = { [TIME_UNIT_S] = 1000000000,
		[TIME_UNIT_MS] = 1000000,
		[TIME_UNIT_US] = 1000,
		[TIME_UNIT_NS] = 1 };

	if (unit == TIME_UNIT_AUTO)
		unit = n <= 11 ? TIME_UNIT_S :
		    n <= 14    ? TIME_UNIT_MS :
		    n <= 17    ? TIME_UNIT_US :
				 TIME_UNIT_NS;
	return !__builtin_mul_overflow(v, factors[unit], ns);
}

/*
 * timestamp_parse of what is known to be digits alone; false: they are too
 * few or too many to be read this way, or it is out of range.
 */
static inline bool
timestamp_of_digits(struct span text, enum time_unit unit, int64_t *ns)
{
	return text.n >= 8 && text.n <= 16 &&
	    timestamp_of_number(digits_number(text.p, text.n), text.n, unit,
		ns);
}

/* floor(a / b) for b > 0. */
static inline int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Nanoseconds to milliseconds, towards the past. */
static inline int64_t
ns_to_ms(int64_t ns)
{
	return floor_div(ns, 1000000);
}

#endif
