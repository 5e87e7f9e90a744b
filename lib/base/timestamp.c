/*
 * SPDX-License-Identifier: ISC
 */
#include <stdbool.h>
#include <string.h>

#include "base/calendar.h"
#include "base/date_text.h"
#include "base/digits.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/word.h"

const char *const time_unit_names[] = { "auto", "s", "ms", "us", "ns", NULL };

/* Two digits at p, or -1. */
static int
two(const char *p)
{
	unsigned a = (unsigned)(p[0] - '0'), b = (unsigned)(p[1] - '0');

	return a > 9 || b > 9 ? -1 : (int)(a * 10 + b);
}

/*
 * Read what a date ends in, if that is not `Z`: `+hh:mm`, `+hhmm` or nothing.
 * Returns where that begins, or NULL if it is not valid.
 */
static const char *
read_offset(struct span s, int64_t *seconds)
{
	const char *end = s.p + s.n, *p = end;
	int h, m;

	if (s.n >= 25 && end[-3] == ':')
		p = end - 6;
	else if (s.n >= 24 && (end[-5] == '+' || end[-5] == '-'))
		p = end - 5;
	else
		return p;
	h = two(p + 1);
	m = two(end - 2);
	if ((*p != '+' && *p != '-') || h < 0 || h > 23 || m < 0 || m > 59)
		return NULL;
	*seconds = (*p == '-' ? -1 : 1) * (h * 3600 + m * 60);
	return p;
}

/*
 * The second that parse_common has read last: the next is often near.  At first
 * it matches no text: no UTF-8 has the bytes of this date, and time and clock
 * differ in bytes that they share.
 */
static _Thread_local struct {
	uint64_t date, time;	/* the first and the second eight bytes */
	uint64_t clock;		/* those from the hour to the second */
	int64_t minute, second; /* when the minute began, and itself */
} last = { .date = UINT64_MAX, .clock = 1 };

/* Read `yyyy-mm-ddT`, of a year all of whose times can be had. */
static bool
read_day(const char *p, int64_t *seconds)
{
	const uint64_t model = word_load("0000-00-");
	uint64_t date = word_load(p) ^ model;
	int year, month, day;

	if (!digits_fit(date, model) || (p[10] != 'T' && p[10] != ' '))
		return false;
	date = digits_pairs(date);
	year = (int)(date & 0xff) * 100 + (int)(date >> 16 & 0xff);
	month = (int)(date >> 40 & 0xff);
	day = two(p + 8);
	if (year < 1678 || year > 2261 || !calendar_has(year, month, day))
		return false;
	*seconds = calendar_days(year, month, day) * 86400;
	return true;
}

/* Read `yyyy-mm-ddThh:mm`. */
static bool
read_minute(const char *p, uint64_t date, uint64_t time)
{
	int64_t day;
	int h, m;

	if (date == last.date && time == last.time)
		return true;
	h = two(p + 11);
	m = two(p + 14);
	if (!read_day(p, &day) || p[13] != ':' || h < 0 || h > 23 || m < 0 ||
	    m > 59)
		return false;
	last.date = date;
	last.time = time;
	last.minute = day + h * 3600 + m * 60;
	return true;
}

/* Read `yyyy-mm-ddThh:mm:ss`. */
static bool
read_second(const char *p, int64_t *seconds)
{
	uint64_t date = word_load(p), time = word_load(p + 8);
	uint64_t clock = word_load(p + 11);
	int sec;

	if (((date ^ last.date) | (time ^ last.time) | (clock ^ last.clock)) !=
	    0) {
		sec = two(p + 17);
		if (sec < 0 || sec > 60 || p[16] != ':' ||
		    !read_minute(p, date, time))
			return false;
		last.clock = clock;
		last.second = last.minute + sec;
	}
	*seconds = last.second;
	return true;
}

/*
 * Read the one to nine digits of a fraction from p to end; there are eight bytes
 * before its end.
 */
static bool
read_fraction(const char *p, const char *end, int64_t *ns)
{
	static const int64_t units[] = { 0, 100000000, 10000000, 1000000,
		100000, 10000, 1000, 100, 10, 1 };
	size_t n = (size_t)(end - p);
	uint64_t digits;
	int first = 0;

	if (n == 0 || n > 9)
		return false;
	digits = word_load(end - 8) ^ DIGITS_ZERO;
	if (n < 8)
		digits = digits >> (64 - 8 * n) << (64 - 8 * n);
	if (n == 9 && ((first = *p - '0') < 0 || first > 9))
		return false;
	*ns = ((int64_t)first * 100000000 + digits_value(digits)) * units[n];
	return digits_fit(digits, DIGITS_ZERO);
}

/* A date with a clock, as nearly all are.  False: look closer. */
static bool
parse_common(struct span s, int64_t *ns)
{
	const char *p = s.p, *end = p + s.n - 1; /* where the zone is */
	int64_t seconds, fraction = 0, offset = 0;

	if (s.n < 19)
		return false;
	if (*end != 'Z' && (end = read_offset(s, &offset)) == NULL)
		return false;
	if (!read_second(p, &seconds))
		return false;
	if (end != p + 19 &&
	    ((p[19] != '.' && p[19] != ',') ||
		!read_fraction(p + 20, end, &fraction)))
		return false;
	*ns = (seconds - offset) * NS_PER_S + fraction;
	return true;
}

/* Read one to nineteen digits.  False: there is more to it. */
static bool
whole_number(struct span text, int64_t *v)
{
	int64_t first = 0;

	if (text.n == 0 || text.n > 19 || (*text.p == '0' && text.n > 1))
		return false;
	for (; text.n > 16 || (text.n != 0 && text.n < 8); text.p++, text.n--) {
		if (!digits_is(*text.p))
			return false;
		first = first * 10 + (*text.p - '0');
	}
	*v = first;
	if (text.n == 0)
		return true;
	if (!digits_fit(word_load(text.p) ^ DIGITS_ZERO, DIGITS_ZERO) ||
	    !digits_fit(word_load(text.p + text.n - 8) ^ DIGITS_ZERO,
		DIGITS_ZERO))
		return false;
	/* Digits were taken off the front only where 16 follow, or none. */
	return !__builtin_mul_overflow(first, 10000000000000000, v) &&
	    !__builtin_add_overflow(*v, digits_number(text.p, text.n), v);
}

/* Whole numbers, which most numeric times are. */
static bool
parse_plain(struct span text, enum time_unit unit, int64_t *ns)
{
	int64_t v;

	return whole_number(text, &v) &&
	    timestamp_of_number(v, text.n, unit, ns);
}

/* Numbers with up to nine digits behind their point, none of them cut off. */
static bool
parse_decimal(struct span text, enum time_unit unit, int64_t *ns)
{
	int64_t whole, fraction, factor;
	size_t n = 0;

	while (n < text.n && digits_is(text.p[n]))
		n++;
	if (text.n < 8 || n == text.n || text.p[n] != '.' ||
	    !whole_number((struct span){ text.p, n }, &whole) ||
	    !read_fraction(text.p + n + 1, text.p + text.n, &fraction))
		return false;
	factor = timestamp_factor(n, unit);
	fraction *= factor;
	return fraction % NS_PER_S == 0 &&
	    !__builtin_mul_overflow(whole, factor, ns) &&
	    !__builtin_add_overflow(*ns, fraction / NS_PER_S, ns);
}

/*
 * date_text_parse, but for a text that it has read last: dates with whole
 * seconds, as web servers write them, come several times in a row.
 */
static enum timestamp_error
parse_text(struct span text, int64_t *ns)
{
	static _Thread_local struct {
		size_t n;
		int64_t ns;
		char text[40];
	} known = { .n = SIZE_MAX };
	enum timestamp_error error;

	if (text.n == known.n && memcmp(text.p, known.text, text.n) == 0) {
		*ns = known.ns;
		return TIMESTAMP_OK;
	}
	error = date_text_parse(text, ns);
	if (error == TIMESTAMP_OK && text.n <= sizeof known.text) {
		memcpy(known.text, text.p, text.n);
		known.n = text.n;
		known.ns = *ns;
	}
	return error;
}

enum timestamp_error
timestamp_parse(struct span text, enum time_unit unit, int64_t *ns)
{
	static const int shifts[] = { [TIME_UNIT_S] = 9,
		[TIME_UNIT_MS] = 6,
		[TIME_UNIT_US] = 3,
		[TIME_UNIT_NS] = 0 };
	struct decimal d;

	if (parse_plain(text, unit, ns) || parse_common(text, ns) ||
	    parse_decimal(text, unit, ns))
		return TIMESTAMP_OK;
	if (!number_is(text))
		return parse_text(text, ns);
	if (decimal_parse(&d, text) < 0)
		return TIMESTAMP_RANGE;
	if (unit == TIME_UNIT_AUTO)
		unit = d.n == 0 || d.point <= 11 ? TIME_UNIT_S :
		    d.point <= 14		 ? TIME_UNIT_MS :
		    d.point <= 17		 ? TIME_UNIT_US :
						   TIME_UNIT_NS;
	return decimal_scale(&d, shifts[unit], ns) < 0 ? TIMESTAMP_RANGE :
							 TIMESTAMP_OK;
}
