/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/calendar.h"
#include "base/local_time.h"

/* tzset(3) looks at the file of the time zone each time; once is enough. */
static bool
local_time(int64_t ms, struct tm *tm)
{
	static bool is_set;
	time_t seconds = (time_t)floor_div(ms, 1000);

	if (!is_set)
		tzset();
	is_set = true;
	return localtime_r(&seconds, tm) != NULL;
}

bool
local_time_put(struct buffer *b, int64_t ms)
{
	int64_t rest = floor_mod(ms, 1000);
	char text[64];
	struct tm tm;
	size_t n;

	if (!local_time(ms, &tm) ||
	    (n = strftime(text, sizeof text - 8, "%Y-%m-%d %H:%M:%S", &tm)) ==
		0)
		return false;
	if (rest != 0)
		n += (size_t)snprintf(text + n, 8, ".%03d", (int)rest);
	buffer_put(b, (struct span){ text, n });
	return true;
}

int64_t
local_time_shift(int64_t ms)
{
	struct tm tm;

	if (!local_time(ms, &tm))
		return ms;
	return (((calendar_days(tm.tm_year + INT64_C(1900), tm.tm_mon + 1,
		      tm.tm_mday) *
			 24 +
		     tm.tm_hour) *
			60 +
		    tm.tm_min) *
		       60 +
		   tm.tm_sec) *
	    1000 +
	    floor_mod(ms, 1000);
}
