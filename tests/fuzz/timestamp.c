/*
 * timestamp - any text at all as a time, in an allocation of exactly its length
 * and the one byte behind it, by itself or by a format: what is read as one
 * must be the same when it is written in full.
 *
 * The first byte tells the format.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/number.h"
#include "base/time_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const formats[] = { NULL, NULL, NULL, "%d/%b/%Y:%T %z",
	"%Y-%m-%d %H:%M:%S.%f%z", "%s.%f", "%a %b %e %I:%M:%S %p %y", "%c",
	"%G%V%u%U%W%w%j", "%C%D%R%%%n%h" };

static void
check(int64_t ns)
{
	const int64_t second = 1000000000;
	int64_t back, fraction = ns - floor_div(ns, second) * second;
	time_t t = (time_t)floor_div(ns, second);
	char date[40], text[60];
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text, sizeof text, "%s,%09" PRId64 " UTC", date, fraction);
	if (timestamp_parse(span_of(text), TIME_UNIT_AUTO, &back) != 0 ||
	    back != ns)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *format;
	enum timestamp_error error;
	int64_t ns;
	char *text;

	if (size == 0)
		return 0;
	format = formats[*data % (sizeof formats / sizeof *formats)];
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '"';
	error = format == NULL ?
	    timestamp_parse((struct span){ text, size - 1 }, TIME_UNIT_AUTO,
		&ns) :
	    time_format_parse(format, (struct span){ text, size - 1 }, &ns);
	free(text);
	if (error == TIMESTAMP_OK)
		check(ns);
	return 0;
}
