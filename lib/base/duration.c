/*
 * SPDX-License-Identifier: ISC
 */
#include <stdbool.h>
#include <string.h>

#include "base/digits.h"
#include "base/duration.h"
#include "base/number.h"

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
	{ "ms", 1 },
	{ "s", 1000 },
	{ "m", 60 * 1000 },
	{ "h", 60 * 60 * 1000 },
	{ "d", 24 * 60 * 60 * 1000 },
	{ "w", 7 * 24 * 60 * 60 * 1000 },
};

enum { NUNITS = sizeof units / sizeof units[0], DAYS = 4, FRACTION_DIGITS = 9 };

/* The index of the unit that p starts with, NUNITS where there is none. */
static size_t
unit_at(const char *p)
{
	size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < NUNITS; i++)
		if (strlen(units[i].name) == n &&
		    strncmp(p, units[i].name, n) == 0)
			return i;
	return NUNITS;
}

/*
 * Add the number that starts at *pp, times its unit, to *total, which counts
 * in 10^-9 ms so that fractions stay exact.
 */
static const char *
term(const char **pp, int128 *total, unsigned *seen)
{
	static const char form[] = "expected " DURATION_FORM;
	const int128 max = (int128)DURATION_MAX_MS * 1000000000;
	const char *p = *pp;
	int128 v = 0;
	int fraction = 0;
	size_t unit;
	bool point = false, digits = false;

	for (; digits_is(*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		digits = true;
		if (point && ++fraction > FRACTION_DIGITS) {
			if (*p != '0')
				return "must be in whole milliseconds";
			continue;
		}
		v = v * 10 + (*p - '0');
		if (v > (int128)INT64_MAX * 1000000000)
			return "must be less than 292 years";
	}
	if (!digits || p[-1] == '.')
		return form;
	unit = *p == '\0' && *seen == 0 ? 1 : unit_at(p);
	if (unit == NUNITS || (*seen & 1U << unit) != 0)
		return form;
	*seen |= 1U << unit;
	for (; fraction < FRACTION_DIGITS; fraction++)
		v *= 10;
	if (v > max / units[unit].ms || (v *= units[unit].ms) > max - *total)
		return "must be less than 292 years";
	*total += v;
	*pp = *p == '\0' ? p : p + strlen(units[unit].name);
	return NULL;
}

const char *
duration_parse(const char *text, int64_t *ms)
{
	const char *p = text, *wrong;
	unsigned seen = 0;
	int128 total = 0;

	do
		if ((wrong = term(&p, &total, &seen)) != NULL)
			return wrong;
	while (*p != '\0');
	if (total % 1000000000 != 0)
		return "must be in whole milliseconds";
	*ms = (int64_t)(total / 1000000000);
	return NULL;
}

void
duration_put(struct buffer *b, int64_t ms)
{
	size_t from = b->n;

	for (size_t i = DAYS; i > 1; i--) {
		if (ms < units[i].ms)
			continue;
		buffer_int(b, ms / units[i].ms);
		buffer_put(b, span_of(units[i].name));
		ms %= units[i].ms;
	}
	if (ms < 1000 && ms != 0 && b->n == from) {
		buffer_int(b, ms);
		buffer_put(b, SPAN("ms"));
	} else if (ms != 0 || b->n == from) {
		buffer_seconds(b, ms);
		buffer_byte(b, 's');
	}
}

void
duration_put_lateness(struct buffer *b, int64_t ms)
{
	if (ms > DURATION_MAX_MS)
		buffer_put(b, SPAN("all"));
	else
		duration_put(b, ms);
}
