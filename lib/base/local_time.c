/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/local_time.h"
#include "base/timestamp.h"

bool
local_time_put(struct buffer *b, int64_t ms)
{
	time_t seconds = (time_t)floor_div(ms, 1000);
	int64_t rest = ms - floor_div(ms, 1000) * 1000;
	char text[64];
	struct tm tm;
	size_t n;

	tzset();
	if (localtime_r(&seconds, &tm) == NULL ||
	    (n = strftime(text, sizeof text - 8, "%Y-%m-%d %H:%M:%S", &tm)) ==
		0)
		return false;
	if (rest != 0)
		n += (size_t)snprintf(text + n, 8, ".%03d", (int)rest);
	buffer_put(b, (struct span){ text, n });
	return true;
}

/* Days from 1970 to a day of the Gregorian calendar. */
static int64_t
days_to(int64_t year, int month, int day)
{
	/* Years begin in March, so that the leap day is their last. */
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = floor_div(y, 400), of_era = y - era * 400;
	int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	    of_year - 719468;
}

int64_t
local_time_shift(int64_t ms)
{
	time_t seconds = (time_t)floor_div(ms, 1000);
	struct tm tm;

	tzset();
	if (localtime_r(&seconds, &tm) == NULL)
		return ms;
	return (((days_to(tm.tm_year + INT64_C(1900), tm.tm_mon + 1,
		      tm.tm_mday) *
			 24 +
		     tm.tm_hour) *
			60 +
		    tm.tm_min) *
		       60 +
		   tm.tm_sec) *
	    1000 +
	    ms - floor_div(ms, 1000) * 1000;
}
