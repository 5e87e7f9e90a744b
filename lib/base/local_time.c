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
