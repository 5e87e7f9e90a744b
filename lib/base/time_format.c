/*
 * SPDX-License-Identifier: ISC
 */
#include <string.h>
#include <time.h>

#include "base/calendar.h"
#include "base/number.h"
#include "base/time_format.h"

static const int64_t NS_PER_S = 1000000000;

/* Where `%f` stands, or else the end. */
static size_t
find_fraction(const char *format)
{
	size_t at = 0;

	while (format[at] != '\0' &&
	    (format[at] != '%' || format[at + 1] != 'f'))
		at += format[at] == '%' ? 2 : 1;
	return at;
}

const char *
time_format_check(const char *format)
{
	static const char known[] = "%aAbBcCdDefgGhHIjklmMnpPrRsStTuUVwWxXyYzZ";
	int fractions = 0;

	if (*format == '\0' || strlen(format) > TIME_FORMAT_MOST)
		return "expected from 1 to 255 bytes";
	for (const char *p = format; (p = strchr(p, '%')) != NULL; p++) {
		p++;
		if ((*p == 'E' || *p == 'O') && p[1] != 'f')
			p++;
		if (*p == '\0' || strchr(known, *p) == NULL)
			return "expected letters that strptime(3) knows after "
			       "%, or f";
		fractions += *p == 'f';
	}
	return fractions > 1 ? "expected %f once" : NULL;
}

/*
 * Read the fraction that stands in the text behind what the format has before
 * `%f`, and take it out of both.
 */
static bool
take_fraction(char *format, char *text, int64_t *ns)
{
	char *at = format + find_fraction(format), *digits, *p;
	int64_t unit = NS_PER_S;
	struct tm tm = { 0 };

	if (*at == '\0')
		return true;
	*at = '\0';
	digits = strptime(text, format, &tm);
	if (digits == NULL || !digits_is(*digits))
		return false;
	for (p = digits; digits_is(*p); p++)
		if ((unit /= 10) > 0)
			*ns += (*p - '0') * unit;
	memmove(digits, p, strlen(p) + 1);
	memmove(at, at + 2, strlen(at + 2) + 1);
	return true;
}

enum timestamp_error
time_format_parse(const char *format, struct span text, int64_t *ns)
{
	char pattern[TIME_FORMAT_MOST + 1], copy[TIME_FORMAT_MOST + 1];
	struct tm tm = { .tm_year = 70, .tm_mday = 1 };
	int64_t fraction = 0, year;
	const char *end;
	int128 t;

	if (text.n > TIME_FORMAT_MOST || memchr(text.p, '\0', text.n) != NULL)
		return TIMESTAMP_FORM;
	strcpy(pattern, format);
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	if (!take_fraction(pattern, copy, &fraction))
		return TIMESTAMP_FORM;
	end = strptime(copy, pattern, &tm);
	year = (int64_t)tm.tm_year + 1900;
	if (end == NULL || *end != '\0' ||
	    !calendar_has(year, tm.tm_mon + 1, tm.tm_mday))
		return TIMESTAMP_FORM;
	t = calendar_days(year, tm.tm_mon + 1, tm.tm_mday) * 86400 +
	    tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec - tm.tm_gmtoff;
	t = t * NS_PER_S + fraction;
	if (t < INT64_MIN || t > INT64_MAX)
		return TIMESTAMP_RANGE;
	*ns = (int64_t)t;
	return TIMESTAMP_OK;
}
