/*
 * SPDX-License-Identifier: ISC
 */
#include "base/date_text.h"
#include "base/calendar.h"
#include "base/number.h"

static const char months[][4] = { "jan", "feb", "mar", "apr", "may", "jun",
	"jul", "aug", "sep", "oct", "nov", "dec" };
static const char weekdays[][4] = { "mon", "tue", "wed", "thu", "fri", "sat",
	"sun" };
static const char zones[][4] = { "utc", "gmt" };

/* What is left of a text. */
struct rest {
	const char *p, *end;
};

struct moment {
	int year, month, day, hour, minute, second;
	int64_t fraction; /* in nanoseconds */
	int64_t offset;	  /* in seconds */
};

/* Pass over a byte that is one of these.  False: it is not. */
static bool
pass(struct rest *r, const char *wanted)
{
	if (r->p == r->end || *r->p == '\0' || strchr(wanted, *r->p) == NULL)
		return false;
	r->p++;
	return true;
}

/* Read n digits. */
static bool
read_digits(struct rest *r, int n, int *v)
{
	*v = 0;
	for (; n > 0; n--, r->p++) {
		if (r->p == r->end || !digits_is(*r->p))
			return false;
		*v = *v * 10 + (*r->p - '0');
	}
	return true;
}

/* Read one of n words of three letters: its place, from 1. */
static bool
read_word(struct rest *r, const char (*words)[4], int n, int *at)
{
	if (r->end - r->p < 3)
		return false;
	for (*at = 1; *at <= n; ++*at) {
		const char *word = words[*at - 1];

		if ((r->p[0] | 0x20) == word[0] &&
		    (r->p[1] | 0x20) == word[1] &&
		    (r->p[2] | 0x20) == word[2]) {
			r->p += 3;
			return true;
		}
	}
	return false;
}

/* Read the digits of a fraction; what is finer than nanoseconds is cut off. */
static bool
read_fraction(struct rest *r, int64_t *ns)
{
	const char *start = r->p;

	r->p = digits_fraction(start, r->end, ns);
	return r->p > start;
}

/* Read hh:mm, and seconds with a fraction. */
static bool
read_clock(struct rest *r, struct moment *m)
{
	if (!read_digits(r, 2, &m->hour) || !pass(r, ":") ||
	    !read_digits(r, 2, &m->minute))
		return false;
	if (!pass(r, ":"))
		return true;
	return read_digits(r, 2, &m->second) &&
	    (!pass(r, ".,") || read_fraction(r, &m->fraction));
}

/* Read what the clock is ahead of UTC, up to the end. */
static bool
read_zone(struct rest *r, int64_t *seconds)
{
	int word, h, m = 0, sign;

	if (r->p == r->end)
		return true;
	pass(r, " ");
	if (!read_word(r, zones, 2, &word) && !pass(r, "Zz")) {
		sign = r->p < r->end && *r->p == '-' ? -1 : 1;
		if (!pass(r, "+-") || !read_digits(r, 2, &h) || h > 23)
			return false;
		if ((pass(r, ":") || r->p < r->end) &&
		    (!read_digits(r, 2, &m) || m > 59))
			return false;
		*seconds = sign * (h * 3600 + m * 60);
	}
	return r->p == r->end;
}

/* Read yyyy-mm-dd, and a time where one follows. */
static bool
read_by_year(struct rest *r, struct moment *m)
{
	const char *between;

	if (!read_digits(r, 4, &m->year))
		return false;
	between = r->p < r->end && *r->p == '/' ? "/" : "-";
	if (!pass(r, between) || !read_digits(r, 2, &m->month) ||
	    !pass(r, between) || !read_digits(r, 2, &m->day))
		return false;
	if (r->p == r->end)
		return true;
	return pass(r, "Tt ") && read_clock(r, m) && read_zone(r, &m->offset);
}

/* Read dd/Mon/yyyy:hh:mm:ss. */
static bool
read_by_slashes(struct rest *r, struct moment *m)
{
	return read_digits(r, 2, &m->day) && pass(r, "/") &&
	    read_word(r, months, 12, &m->month) && pass(r, "/") &&
	    read_digits(r, 4, &m->year) && pass(r, ":") && read_clock(r, m) &&
	    read_zone(r, &m->offset);
}

static bool
pass_blanks(struct rest *r)
{
	bool any = pass(r, " ");

	while (pass(r, " "))
		;
	return any;
}

/* Read Day, d Mon yyyy hh:mm. */
static bool
read_by_blanks(struct rest *r, struct moment *m)
{
	int word;

	if (read_word(r, weekdays, 7, &word) &&
	    (!pass(r, ",") || !pass_blanks(r)))
		return false;
	if (r->end - r->p < 2 ||
	    !read_digits(r, r->p[1] == ' ' ? 1 : 2, &m->day))
		return false;
	return pass_blanks(r) && read_word(r, months, 12, &m->month) &&
	    pass_blanks(r) && read_digits(r, 4, &m->year) && pass_blanks(r) &&
	    read_clock(r, m) && read_zone(r, &m->offset);
}

enum timestamp_error
date_text_parse(struct span text, int64_t *ns)
{
	struct rest r = { text.p, text.p + text.n };
	struct moment m = { 0 };
	bool read;
	int128 t;

	if (text.n > 2 && text.p[2] == '/')
		read = read_by_slashes(&r, &m);
	else if (text.n > 3 && digits_is(text.p[3]))
		read = read_by_year(&r, &m);
	else
		read = read_by_blanks(&r, &m);
	if (!read || !calendar_has(m.year, m.month, m.day) || m.hour > 23 ||
	    m.minute > 59 || m.second > 60)
		return TIMESTAMP_FORM;
	t = calendar_days(m.year, m.month, m.day) * 86400 + m.hour * 3600 +
	    m.minute * 60 + m.second - m.offset;
	t = t * NS_PER_S + m.fraction;
	if (t < INT64_MIN || t > INT64_MAX)
		return TIMESTAMP_RANGE;
	*ns = (int64_t)t;
	return TIMESTAMP_OK;
}
