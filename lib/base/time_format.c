/*
 * SPDX-License-Identifier: ISC
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* tm_gmtoff, which POSIX has since 2024 */
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/calendar.h"
#include "base/digits.h"
#include "base/fault.h"
#include "base/number.h"
#include "base/time_format.h"

/* Where a conversion stands, such as `%f`, or else the end. */
static size_t
find(const char *format, char conversion)
{
	size_t at = 0;

	while (format[at] != '\0' &&
	    (format[at] != '%' || format[at + 1] != conversion))
		at += format[at] == '%' && format[at + 1] != '\0' ? 2 : 1;
	return at;
}

/*
 * Read the fraction that stands in the text behind what the format has before
 * `%f`, and take it out of both.
 */
static bool
take_fraction(char *format, char *text, int64_t *ns)
{
	char *at = format + find(format, 'f'), *digits;
	struct tm tm = { 0 };
	const char *end;

	if (*at == '\0')
		return true;
	*at = '\0';
	digits = strptime(text, format, &tm);
	if (digits == NULL || !digits_is(*digits))
		return false;
	end = digits_fraction(digits, digits + strlen(digits), ns);
	memmove(digits, end, strlen(end) + 1);
	memmove(at, at + 2, strlen(at + 2) + 1);
	return true;
}

/*
 * Tell whether what stands at `%Z`, if the format has it, is a name: strptime(3)
 * passes over any word, an offset too, and the time would be off by hours.
 */
static bool
names_zone(const char *format, const char *text)
{
	size_t n = find(format, 'Z');
	char before[TIME_FORMAT_MOST + 1];
	struct tm tm = { 0 };
	const char *zone;

	if (format[n] == '\0')
		return true;
	memcpy(before, format, n);
	before[n] = '\0';
	zone = strptime(text, before, &tm);
	if (zone == NULL)
		return false;
	zone += strspn(zone, " ");
	for (; *zone != '\0' && *zone != ' '; zone++)
		if ((*zone == '+' || *zone == '-') && digits_is(zone[1]))
			return false;
	return true;
}

/*
 * Replace the seconds since 1970 by those that stand at `%s`, if the format has
 * it.  strptime(3) makes a local time of them, and has no bound.
 *
 * Shape:  text fits the format.
 * Errors: false if they are out of range.
 */
static bool
read_seconds(const char *format, const char *text, int64_t *seconds)
{
	size_t n = find(format, 's');
	char before[TIME_FORMAT_MOST + 1];
	struct tm ignored = { 0 };

	if (format[n] == '\0')
		return true;
	memcpy(before, format, n);
	before[n] = '\0';
	text = strptime(text, before, &ignored);
	errno = 0;
	*seconds = strtoll(text, NULL, 10);
	return errno == 0;
}

enum timestamp_error
time_format_parse(const char *format, struct span text, int64_t *ns)
{
	char pattern[TIME_FORMAT_MOST + 1], copy[TIME_FORMAT_MOST + 1];
	struct tm tm = { .tm_year = 70, .tm_mday = 1 };
	int64_t fraction = 0, year, seconds;
	const char *end;
	int128 t;

	if (text.n > TIME_FORMAT_MOST || memchr(text.p, '\0', text.n) != NULL)
		return TIMESTAMP_FORM;
	strcpy(pattern, format);
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	if (!take_fraction(pattern, copy, &fraction) ||
	    !names_zone(pattern, copy))
		return TIMESTAMP_FORM;
	end = strptime(copy, pattern, &tm);
	year = (int64_t)tm.tm_year + 1900;
	if (end == NULL || *end != '\0' ||
	    !calendar_has(year, tm.tm_mon + 1, tm.tm_mday))
		return TIMESTAMP_FORM;
	seconds = calendar_days(year, tm.tm_mon + 1, tm.tm_mday) * 86400 +
	    tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec - tm.tm_gmtoff;
	if (!read_seconds(pattern, copy, &seconds))
		return TIMESTAMP_RANGE;
	t = (int128)seconds * NS_PER_S + fraction;
	if (t < INT64_MIN || t > INT64_MAX)
		return TIMESTAMP_RANGE;
	*ns = (int64_t)t;
	return TIMESTAMP_OK;
}

enum timestamp_error
time_form_parse(const struct time_form *form, struct span text, int64_t *ns)
{
	return form->format == NULL ?
	    timestamp_parse(text, (enum time_unit)form->unit, ns) :
	    time_format_parse(form->format, text, ns);
}

/* The conversion that begins at format: a %, and one letter or two. */
static void
take_conversion(const char *format, char conversion[4])
{
	size_t n = 2;

	if ((format[1] == 'E' || format[1] == 'O') && format[2] != '\0')
		n = 3;
	memcpy(conversion, format, n);
	conversion[n] = '\0';
}

/* Tell whether strptime(3) reads what strftime(3) writes. */
static bool
can_read(const char *conversion, const struct tm *tm)
{
	char text[64];
	struct tm read = { 0 };
	const char *end;

	if (strftime(text, sizeof text, conversion, tm) == 0)
		return false;
	end = strptime(text, conversion, &read);
	return end != NULL && *end == '\0';
}

/*
 * Tell whether a format that has a conversion reads it as what it says of the
 * date: strptime(3) passes over some, and others where the year is missing.
 */
static bool
can_tell_date(const char *format, const char *conversion, const struct tm *tm)
{
	char text[TIME_FORMAT_MOST * 16], says[64], reads[64];
	struct tm read;
	int64_t ns;
	time_t t;
	size_t n = strftime(text, sizeof text, format, tm);

	if (strchr("gGjUVW", conversion[strlen(conversion) - 1]) == NULL ||
	    format[find(format, 's')] != '\0' ||
	    time_format_parse(format, (struct span){ text, n }, &ns) != 0)
		return true;
	t = (time_t)(ns / NS_PER_S);
	gmtime_r(&t, &read);
	strftime(says, sizeof says, conversion, tm);
	strftime(reads, sizeof reads, conversion, &read);
	return strcmp(says, reads) == 0;
}

int
time_format_check(const char *format, struct fault *fault)
{
	/* A day whose parts are all others than on 1970-01-01. */
	const time_t example = 1700000000;
	char pattern[TIME_FORMAT_MOST + 1], conversion[4], *at;
	struct tm tm;

	if (*format == '\0' || strlen(format) > TIME_FORMAT_MOST)
		return fault_set(fault, FAULT_RANGE, 1,
		    "expected from 1 to 255 bytes");
	if (strchr(format, '%') == NULL)
		return fault_set(fault, FAULT_SYNTAX, 1,
		    "expected conversions, as in %%Y-%%m-%%d");
	strcpy(pattern, format);
	at = pattern + find(pattern, 'f');
	if (*at != '\0')
		memmove(at, at + 2, strlen(at + 2) + 1);
	if (pattern[find(pattern, 'f')] != '\0')
		return fault_set(fault, FAULT_SYNTAX, 1, "expected %%f once");
	gmtime_r(&example, &tm);
	for (at = pattern; (at = strchr(at, '%')) != NULL;
	     at += strlen(conversion)) {
		take_conversion(at, conversion);
		if (!can_read(conversion, &tm))
			return fault_set(fault, FAULT_SYNTAX, 1,
			    "expected no %s, which strptime(3) cannot read",
			    conversion);
		if (!can_tell_date(pattern, conversion, &tm))
			return fault_set(fault, FAULT_SYNTAX, 1,
			    "expected no %s, of which strptime(3) makes no "
			    "date",
			    conversion);
	}
	return 0;
}
