/*
 * timestamp - times in all their spellings, to the nanosecond.
 *
 * SPDX-License-Identifier: ISC
 */
#include <time.h>

#include "base/random.h"
#include "base/timestamp.h"
#include "check.h"

enum { FORM = TIMESTAMP_FORM, RANGE = TIMESTAMP_RANGE };

#define S INT64_C(1000000000)

static void
dates(void)
{
	static const struct {
		const char *text;
		int result;
		int64_t ns;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0, 0 },
		{ "1970-01-01t00:00:00z", 0, 0 },
		{ "1970-01-01 00:00:00", 0, 0 },
		{ "1970-01-01T00:00:00.5Z", 0, S / 2 },
		{ "1969-12-31T23:59:59.999999999Z", 0, -1 },
		{ "1969-12-31T23:59:59.9999999991Z", 0, -1 },
		{ "1970-01-01T00:00:00.0000000009Z", 0, 0 },
		{ "2023-11-14T22:13:20Z", 0, 1700000000 * S },
		{ "2023-11-15T03:43:20+05:30", 0, 1700000000 * S },
		{ "2023-11-15T03:43:20+0530", 0, 1700000000 * S },
		{ "2023-11-14T14:13:20-08", 0, 1700000000 * S },
		{ "2023-11-14T22:13:20+00:00", 0, 1700000000 * S },
		{ "2023-11-14T22:13:20-00:00", 0, 1700000000 * S },
		{ "2023-11-14T22:13:20.123456789012345+00", 0,
		    1700000000 * S + 123456789 },
		{ "1970-01-02T23:59:00+23:59", 0, 86400 * S },
		/* The first and the last nanosecond. */
		{ "1677-09-21T00:12:43.145224192Z", 0, INT64_MIN },
		{ "1677-09-21T00:12:43.1452241920Z", 0, INT64_MIN },
		{ "1677-09-21T00:12:43.145224191Z", RANGE, 0 },
		{ "1677-09-21T00:12:43.1452241919Z", RANGE, 0 },
		{ "2262-04-11T23:47:16.854775807Z", 0, INT64_MAX },
		{ "2262-04-11T23:47:16.8547758079Z", 0, INT64_MAX },
		{ "2262-04-11T23:47:16.854775808Z", RANGE, 0 },
		{ "2262-04-12T01:47:16.854775807+02:00", 0, INT64_MAX },
		{ "0000-01-01T00:00:00Z", RANGE, 0 },
		{ "9999-12-31T23:59:60Z", RANGE, 0 },
		/* Leap days, and second 60 is the next one. */
		{ "2000-02-29T00:00:00Z", 0, 951782400 * S },
		{ "2024-02-29T00:00:00Z", 0, 1709164800 * S },
		{ "2024-02-30T00:00:00Z", FORM, 0 },
		{ "2023-02-29T00:00:00Z", FORM, 0 },
		{ "1900-02-29T00:00:00Z", FORM, 0 },
		{ "2100-02-29T00:00:00Z", FORM, 0 },
		{ "2016-12-31T23:59:60Z", 0, 1483228800 * S },
		{ "2016-12-31T23:59:60.5Z", 0, 1483228800 * S + S / 2 },
		{ "2016-12-31T23:59:61Z", FORM, 0 },
		/* Out of what a clock or a calendar shows. */
		{ "2024-00-01T00:00:00Z", FORM, 0 },
		{ "2024-13-01T00:00:00Z", FORM, 0 },
		{ "2024-01-00T00:00:00Z", FORM, 0 },
		{ "2024-04-31T00:00:00Z", FORM, 0 },
		{ "2024-01-32T00:00:00Z", FORM, 0 },
		{ "2024-01-01T24:00:00Z", FORM, 0 },
		{ "2024-01-01T00:60:00Z", FORM, 0 },
		{ "2024-01-01T00:00:00+24:00", FORM, 0 },
		{ "2024-01-01T00:00:00+00:60", FORM, 0 },
		/* Other forms. */
		{ "", FORM, 0 },
		{ "2024", 0, 2024 * S }, /* a number of seconds */
		{ "2024-01", FORM, 0 },
		{ "2024-01-01T00:00:00.Z", FORM, 0 },
		{ "2024-01-01T00:00:00.", FORM, 0 },
		{ "2024-01-01T00:00:00Zx", FORM, 0 },
		{ "2024-01-01T00:00:00+", FORM, 0 },
		{ "2024-01-01T00:00:00+1", FORM, 0 },
		{ "2024-01-01T00:00:00+1:00", FORM, 0 },
		{ "2024-01-01T00:00:00+01:0", FORM, 0 },
		{ "2024-01-01T00:00:00+01:00:00", FORM, 0 },
		{ "2024-01-01T00:00:00+01-00", FORM, 0 },
		{ "2024-01-01_00:00:00Z", FORM, 0 },
		{ "20240101T000000Z", FORM, 0 },
		{ "24-01-01T00:00:00Z", FORM, 0 },
		{ "12024-01-01T00:00:00Z", FORM, 0 },
		{ "-024-01-01T00:00:00Z", FORM, 0 },
		{ "2024-1-01T00:00:00Z", FORM, 0 },
		{ "2024-01-01T00:00:0\xb2Z", FORM, 0 },
		{ " 2024-01-01T00:00:00Z", FORM, 0 },
		{ "now", FORM, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t ns = 0;
		int got =
		    timestamp_parse(span_of(rows[i].text), TIME_UNIT_AUTO, &ns);

		if (got != rows[i].result || (got == 0 && ns != rows[i].ns)) {
			CHECK_STR(rows[i].text, "as it should be");
			fprintf(stderr, "\tgot %d, %" PRId64 "\n", got, ns);
		} else {
			CHECK(true);
		}
	}
}

static void
numbers(void)
{
	static const struct {
		const char *text;
		enum time_unit unit;
		int result;
		int64_t ns;
	} rows[] = {
		{ "0", TIME_UNIT_AUTO, 0, 0 },
		{ "-0.0", TIME_UNIT_AUTO, 0, 0 },
		{ "1700000000", TIME_UNIT_AUTO, 0, 1700000000 * S },
		{ "1700000000.123456789", TIME_UNIT_AUTO, 0,
		    1700000000123456789 },
		{ "1.7e9", TIME_UNIT_AUTO, 0, 1700000000 * S },
		{ "1700000000123", TIME_UNIT_AUTO, 0, 1700000000123000000 },
		{ "1700000000123.5", TIME_UNIT_AUTO, 0, 1700000000123500000 },
		{ "1700000000123456", TIME_UNIT_AUTO, 0, 1700000000123456000 },
		{ "1700000000123456789", TIME_UNIT_AUTO, 0,
		    1700000000123456789 },
		/* Where one unit ends and the next begins. */
		{ "9223372036", TIME_UNIT_AUTO, 0, 9223372036 * S },
		{ "9223372037", TIME_UNIT_AUTO, RANGE, 0 },
		{ "99999999999", TIME_UNIT_AUTO, RANGE, 0 },
		{ "100000000000", TIME_UNIT_AUTO, 0, 100000000 * S },
		{ "1e11", TIME_UNIT_AUTO, 0, 100000000 * S },
		{ "-99999999999.9", TIME_UNIT_AUTO, RANGE, 0 },
		{ "-100000000000", TIME_UNIT_AUTO, 0, -100000000 * S },
		{ "99999999999999", TIME_UNIT_AUTO, RANGE, 0 },
		{ "9223372036854", TIME_UNIT_AUTO, 0, 9223372036854000000 },
		{ "100000000000000", TIME_UNIT_AUTO, 0, 100000000 * S },
		{ "9223372036854775", TIME_UNIT_AUTO, 0, 9223372036854775000 },
		{ "99999999999999999", TIME_UNIT_AUTO, RANGE, 0 },
		{ "100000000000000000", TIME_UNIT_AUTO, 0, 100000000 * S },
		{ "9223372036854775807", TIME_UNIT_AUTO, 0, INT64_MAX },
		{ "9223372036854775808", TIME_UNIT_AUTO, RANGE, 0 },
		{ "-9223372036854775808", TIME_UNIT_AUTO, 0, INT64_MIN },
		{ "1e400", TIME_UNIT_AUTO, RANGE, 0 },
		{ "1e9999999999999999999", TIME_UNIT_AUTO, RANGE, 0 },
		/* Towards the past. */
		{ "-0.5", TIME_UNIT_AUTO, 0, -S / 2 },
		{ "-0.0000000001", TIME_UNIT_AUTO, 0, -1 },
		{ "0.0000000019", TIME_UNIT_AUTO, 0, 1 },
		{ "-1.0000000001", TIME_UNIT_AUTO, 0, -S - 1 },
		{ "1e-400", TIME_UNIT_AUTO, 0, 0 },
		{ "-1e-400", TIME_UNIT_AUTO, 0, -1 },
		/* A unit that is given. */
		{ "1", TIME_UNIT_S, 0, S },
		{ "1", TIME_UNIT_MS, 0, 1000000 },
		{ "1.5", TIME_UNIT_US, 0, 1500 },
		{ "1.5", TIME_UNIT_NS, 0, 1 },
		{ "-1.5", TIME_UNIT_NS, 0, -2 },
		{ "1700000000000", TIME_UNIT_S, RANGE, 0 },
		{ "1700000000000", TIME_UNIT_NS, 0, 1700000000000 },
		{ "1970-01-01T00:00:01Z", TIME_UNIT_MS, 0, S },
		/* Numbers that look like dates, and things that are none. */
		{ "1.5e-3", TIME_UNIT_AUTO, 0, 1500000 },
		{ "150e-3", TIME_UNIT_AUTO, 0, 150000000 },
		{ "01", TIME_UNIT_AUTO, FORM, 0 },
		{ "+1", TIME_UNIT_AUTO, FORM, 0 },
		{ " 1", TIME_UNIT_AUTO, FORM, 0 },
		{ "1s", TIME_UNIT_AUTO, FORM, 0 },
		{ "0x1", TIME_UNIT_AUTO, FORM, 0 },
		{ "inf", TIME_UNIT_AUTO, FORM, 0 },
		{ "true", TIME_UNIT_AUTO, FORM, 0 },
		{ "-", TIME_UNIT_AUTO, FORM, 0 },
		{ "1e", TIME_UNIT_AUTO, FORM, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t ns = 0;
		int got =
		    timestamp_parse(span_of(rows[i].text), rows[i].unit, &ns);

		if (!CHECK(got == rows[i].result &&
			(got != 0 || ns == rows[i].ns)))
			fprintf(stderr, "\t%s: got %d, %" PRId64 "\n",
			    rows[i].text, got, ns);
	}
}

/* Seconds all over the range, as libc takes them apart. */
static void
against_libc(void)
{
	struct random rng = { 11 };

	for (int i = 0; i < 200000; i++) {
		time_t t =
		    (time_t)random_below(&rng, 2 * 9223372036ULL) - 9223372036;
		int64_t offset = (int64_t)random_below(&rng, 24 * 60 * 2 - 1) -
		    (24 * 60 - 1);
		int64_t fraction = (int64_t)random_below(&rng, 1000000000);
		int64_t away = offset < 0 ? -offset : offset, ns = 0;
		time_t local = t + offset * 60;
		struct tm tm;
		char text[80], zone[16];

		gmtime_r(&local, &tm);
		snprintf(zone, sizeof zone, "%c%02d%s%02d",
		    offset < 0 ? '-' : '+', (int)(away / 60) % 24,
		    i % 2 == 0 ? ":" : "", (int)(away % 60));
		snprintf(text, sizeof text,
		    "%04d-%02d-%02d%c%02d:%02d:%02d.%09d%s",
		    (int)(tm.tm_year + 1900) % 10000, (tm.tm_mon + 1) % 100,
		    tm.tm_mday % 100, "Tt "[i % 3], tm.tm_hour % 100,
		    tm.tm_min % 100, tm.tm_sec % 100, (int)fraction,
		    offset == 0 ? "Z" : zone);
		if (!CHECK(timestamp_parse(span_of(text), TIME_UNIT_AUTO,
			       &ns) == 0 &&
			ns == (int64_t)t * S + fraction))
			fprintf(stderr, "\t%s\n", text);
	}
}

/*
 * Common spellings are read several digits at a time.  The same in another
 * spelling is not: a small t for dates, an exponent of zero for numbers.
 */
static void
against_another_spelling(void)
{
	static const char *const shapes[] = { "2026-03-01T12:59:09Z",
		"2024-02-29 23:09:59.5Z", "1677-09-21T00:12:43.145224192Z",
		"2262-04-11T23:47:16.12345678+02:00", "1999-12-31T23:59:60Z",
		"2000-02-30T09:10:11.123Z", "1678-01-01T00:00:00-23:59",
		"2026-03-01T12:59:09.1234567890Z", "0000-01-31T19:00:00.12Z",
		"2026-03-01 12:59:09", "2026-03-01 12:59:09,123",
		"2017-07-22T17:33:16.661646-0500", "2026-03-01T12:59:09.5",
		"2026-03-01T12:59:09+0000", "2026-03-01T12:59:09.25+01" };
	static const char bytes[] = "0123456789:.-+TtZ /;\xb0\xff";
	struct random rng = { 5 };
	uint64_t read = 0;

	for (int i = 0; i < 300000; i++) {
		char text[48], other[48];
		int64_t ns = 0, same = 0;
		int got, expected;

		strcpy(text, shapes[random_below(&rng, 15)]);
		for (int k = i % 4; k > 0; k--)
			text[random_below(&rng, strlen(text))] =
			    bytes[random_below(&rng,
				i % 3 == 0 ? sizeof bytes - 1 : 10)];
		strcpy(other, text);
		if (other[10] == 'T' || other[10] == ' ')
			other[10] = 't';
		got = timestamp_parse(span_of(text), TIME_UNIT_AUTO, &ns);
		expected =
		    timestamp_parse(span_of(other), TIME_UNIT_AUTO, &same);
		read += got == 0;
		if (!CHECK(got == expected && (got != 0 || ns == same)))
			fprintf(stderr, "\t%s: %" PRId64 "\n", text, ns);
	}
	CHECK(read > 80000);
	for (int i = 0; i < 300000; i++) {
		char text[24], other[32];
		int64_t ns = 0, same = 0;
		int n = 1 + (int)random_below(&rng, 22), got, expected;
		enum time_unit unit = (enum time_unit)random_below(&rng, 5);

		for (int k = 0; k < n; k++)
			text[k] = (char)('0' + random_below(&rng, 10));
		if (i % 4 == 0)
			text[random_below(&rng, (uint64_t)n)] =
			    bytes[random_below(&rng, sizeof bytes - 1)];
		if (i % 4 == 1)
			text[random_below(&rng, (uint64_t)n)] = '.';
		text[n] = '\0';
		snprintf(other, sizeof other, "%se0", text);
		got = timestamp_parse(span_of(text), unit, &ns);
		expected = timestamp_parse(span_of(other), unit, &same);
		if (!CHECK(got == expected && (got != 0 || ns == same)))
			fprintf(stderr, "\t%s: %" PRId64 "\n", text, ns);
	}
}

static void
floors(void)
{
	CHECK_EQ(floor_div(7, 2), 3);
	CHECK_EQ(floor_div(-7, 2), -4);
	CHECK_EQ(floor_div(-8, 2), -4);
	CHECK_EQ(floor_div(-1, INT64_MAX), -1);
	CHECK_EQ(floor_div(INT64_MIN, 1), INT64_MIN);
	CHECK_EQ(ns_to_ms(999999), 0);
	CHECK_EQ(ns_to_ms(-1), -1);
	CHECK_EQ(ns_to_ms(INT64_MIN), -9223372036855);
}

/* The first text: there was none before that could be like it. */
static void
nothing(void)
{
	char text[] = "yyyy-mm-ddThh:mm:ss.5Z";
	int64_t ns;

	memset(text, 0, 19);
	CHECK_EQ(timestamp_parse((struct span){ text, sizeof text - 1 },
		     TIME_UNIT_AUTO, &ns),
	    FORM);
}

/* A text that comes again is what it was, and no other is. */
static void
again(void)
{
	static const struct {
		const char *text;
		int64_t ns; /* -1: no time */
	} rows[] = {
		{ "", -1 },
		{ "01/Jan/1970:00:00:01 +0000", S },
		{ "01/Jan/1970:00:00:01 +0000", S },
		{ "01/Jan/1970:00:00:02 +0000", 2 * S },
		{ "01/Jan/1970:00:00:02 +000x", -1 },
		{ "01/Jan/1970:00:00:02 +0000", 2 * S },
		{ "01/Jan/1970:00:00:02", 2 * S },
		{ "01/Jan/1970:00:00:03.00000000000000000000 +0000", 3 * S },
		{ "01/Jan/1970:00:00:04.00000000000000000000 +0000", 4 * S },
		{ "", -1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t ns = -1;

		timestamp_parse(span_of(rows[i].text), TIME_UNIT_AUTO, &ns);
		if (!CHECK(ns == rows[i].ns))
			fprintf(stderr, "\t%s: %" PRId64 "\n", rows[i].text,
			    ns);
	}
}

/* Those that are near others are what they are alone, or too late. */
static void
near_others(void)
{
	struct random rng = { 7 };
	struct timestamp_near near[] = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };
	char text[32] = "";
	size_t n = 13;

	for (int i = 0; i < 100000; i++) {
		struct span s;

		/* Mostly others of that length, with other last digits. */
		if (random_below(&rng, 8) == 0)
			n = 7 + random_below(&rng, 11);
		if (i == 0 || random_below(&rng, 4) == 0)
			for (size_t k = 0; k < sizeof text - 1; k++)
				text[k] = (char)('0' + random_below(&rng, 10));
		text[n - 1 - random_below(&rng, n)] =
		    (char)('0' + random_below(&rng, 10));
		s = (struct span){ text, n };
		for (int unit = TIME_UNIT_AUTO; unit <= TIME_UNIT_NS; unit++) {
			int64_t ns = 1, same = 1;
			bool good =
			    timestamp_of_digits(s, (enum time_unit)unit, &ns);

			CHECK_EQ(timestamp_of_digits_near(&near[unit], s,
				     (enum time_unit)unit, &same),
			    good);
			CHECK(!good || same == ns);
		}
	}
}

int
main(void)
{
	nothing();
	again();
	near_others();
	dates();
	numbers();
	against_libc();
	against_another_spelling();
	floors();
	return check_done("timestamp");
}
