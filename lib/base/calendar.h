/*
 * calendar - days of the proleptic Gregorian calendar.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_CALENDAR_H
#define BASE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

static const int64_t NS_PER_S = 1000000000;

/* floor(a / b) for b > 0. */
static inline int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* What floor_div leaves, from 0 to b - 1. */
static inline int64_t
floor_mod(int64_t a, int64_t b)
{
	return a % b + (a % b < 0 ? b : 0);
}

/*
 * Days from 1970-01-01 to a date.
 *
 * Shape:  month is from 1 to 12.
 */
static inline int64_t
calendar_days(int64_t year, int month, int day)
{
	/* Years begin in March, so that the leap day is their last. */
	int64_t y = month > 2 ? year : year - 1;
	int64_t m = month > 2 ? month - 3 : month + 9;

	return y * 365 + floor_div(y, 4) - floor_div(y, 100) +
	    floor_div(y, 400) + (m * 153 + 2) / 5 + day - 1 - 719468;
}

/* Tell whether there is such a date. */
static inline bool
calendar_has(int64_t year, int month, int day)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month >= 1 && month <= 12 && day >= 1 &&
	    day <= days[month - 1] + (month == 2 && leap);
}

#endif
