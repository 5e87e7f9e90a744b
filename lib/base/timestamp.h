/*
 * timestamp - read event times as nanoseconds since the epoch.
 *
 * In int64_t these reach from 1677-09-21 to 2262-04-11.  Times are never
 * converted to double, which would round today's to some 200 ns.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_TIMESTAMP_H
#define BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/calendar.h"
#include "base/digits.h"
#include "base/span.h"

/* The unit of numeric times; with AUTO the magnitude of each decides. */
enum time_unit {
	TIME_UNIT_AUTO,
	TIME_UNIT_S,
	TIME_UNIT_MS,
	TIME_UNIT_US,
	TIME_UNIT_NS,
};

/* Their names, in that order; ends in NULL. */
extern const char *const time_unit_names[];

/* How the times of an input are written, and which are taken. */
struct time_form {
	int unit;	    /* of enum time_unit */
	const char *format; /* see time_format; NULL: whatever can be read */
	/* How far a time may be ahead of when its tuple was read; 0: any. */
	int64_t max_ahead_ms;
};

/* The caller writes the message. */
enum timestamp_error {
	TIMESTAMP_OK = 0,
	TIMESTAMP_FORM = -1,
	TIMESTAMP_RANGE = -2,
};

/*
 * Read a time: a number, or a date as date_text_parse takes it, of which those
 * by RFC 3339 are the quickest.
 *
 * Shape:  text is what stands in the tuple, a string without its quotes; it
 *         is followed by a byte that is no part of a number.
 * Units:  *ns is nanoseconds since 1970, rounded towards the past.  AUTO takes
 *         numbers below 10^11, in magnitude, for seconds, below 10^14 for ms,
 *         below 10^17 for us, and others for ns.
 * Errors: TIMESTAMP_FORM: it is not a time.  TIMESTAMP_RANGE: it does not fit
 *         int64_t.  *ns is not set then.
 */
enum timestamp_error timestamp_parse(struct span text, enum time_unit unit,
    int64_t *ns);

/* How many nanoseconds the unit of an integer of n digits has. */
static inline int64_t
timestamp_factor(size_t n, enum time_unit unit)
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
	return factors[unit];
}

/*
 * Convert an integer of n digits to nanoseconds.
 *
 * Errors: false if it is out of range.
 */
static inline bool
timestamp_of_number(int64_t v, size_t n, enum time_unit unit, int64_t *ns)
{
	return !__builtin_mul_overflow(v, timestamp_factor(n, unit), ns);
}

/*
 * timestamp_parse for text that has only digits, faster.
 *
 * Errors: false if there are not 8 to 16 digits, or the time is out of range;
 *         the caller then calls timestamp_parse.
 */
static inline bool
timestamp_of_digits(struct span text, enum time_unit unit, int64_t *ns)
{
	return text.n >= 8 && text.n <= 16 &&
	    timestamp_of_number(digits_number(text.p, text.n), text.n, unit,
		ns);
}

/*
 * A cache of one time, for others of the same length and first digits, as the
 * next ones mostly are.
 */
struct timestamp_near {
	uint64_t first; /* its first eight digits */
	size_t n;	/* of its digits; 0: there is none */
	/* The time without its last eight digits; and their unit, in ns. */
	int64_t ns, factor;
};

/*
 * timestamp_of_digits for many, faster: near has an earlier one, of the same
 * unit, and is zeroed before the first.
 */
static inline bool
timestamp_of_digits_near(struct timestamp_near *near, struct span text,
    enum time_unit unit, int64_t *ns)
{
	int64_t last, most;

	if (text.n < 8 || text.n > 16)
		return false;
	last = digits_value(word_load(text.p + text.n - 8) ^ DIGITS_ZERO);
	if (text.n == near->n && word_load(text.p) == near->first) {
		*ns = near->ns + last * near->factor;
		return true;
	}
	if (!timestamp_of_digits(text, unit, ns))
		return false;
	near->factor = timestamp_factor(text.n, unit);
	near->ns = *ns - last * near->factor;
	near->first = word_load(text.p);
	/* No number with this beginning may overflow. */
	near->n =
	    __builtin_add_overflow(near->ns, 99999999 * near->factor, &most) ?
	    0 :
	    text.n;
	return true;
}

/* Nanoseconds to milliseconds, rounded towards the past. */
static inline int64_t
ns_to_ms(int64_t ns)
{
	return floor_div(ns, 1000000);
}

#endif
