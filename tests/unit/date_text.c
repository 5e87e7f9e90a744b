/*
 * date_text, time_format - times as people write them, and by formats.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <time.h>

#include "base/fault.h"
#include "base/random.h"
#include "base/time_format.h"
#include "check.h"

enum { FORM = TIMESTAMP_FORM, RANGE = TIMESTAMP_RANGE };

#define S INT64_C(1000000000)

/* 2024-10-01T11:55:36Z */
#define OCTOBER (1727783736 * S)

struct row {
	const char *text;
	int result;
	int64_t ns;
	const char *format;
};

static bool
check_format(const char *format)
{
	struct fault fault = { 0 };
	bool can = time_format_check(format, &fault) == 0;

	CHECK(can == (fault.kind == FAULT_NONE));
	return can;
}

/* musl reads fewer formats; those are refused, not read as something else. */
static bool
is_read(const char *format)
{
#ifdef __GLIBC__
	return CHECK(check_format(format));
#else
	return check_format(format);
#endif
}

static void
check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *r = &rows[i];
		struct span text = span_of(r->text);
		int64_t ns = 0;
		int got;

		if (r->format != NULL && !is_read(r->format))
			continue;
		got = r->format == NULL ?
		    timestamp_parse(text, TIME_UNIT_AUTO, &ns) :
		    time_format_parse(r->format, text, &ns);
		if (!CHECK(got == r->result && (got != 0 || ns == r->ns)))
			fprintf(stderr, "\t%s: got %d, %jd\n", r->text, got,
			    (intmax_t)ns);
	}
}

static const struct row texts[] = {
	{ "2024-10-01", 0, 1727740800 * S, 0 },
	{ "2024/10/01", 0, 1727740800 * S, 0 },
	{ "2024-10-01T11:55", 0, 1727783700 * S, 0 },
	{ "2024-10-01 11:55Z", 0, 1727783700 * S, 0 },
	{ "2024/10/01 13:55:36 +02", 0, OCTOBER, 0 },
	{ "2024-10-01t11:55:36 z", 0, OCTOBER, 0 },
	{ "2024-10-01 11:55:36,5", 0, OCTOBER + S / 2, 0 },
	{ "2024-10-01 11:55:36,123456789987 UTC", 0, OCTOBER + 123456789, 0 },
	{ "2024-10-01 11:55:36 UTC", 0, OCTOBER, 0 },
	{ "2024-10-01 11:55:36utc", 0, OCTOBER, 0 },
	{ "2024-10-01T13:55:36 +02:00", 0, OCTOBER, 0 },
	{ "2024-10-01T11:55:36 GMT", 0, OCTOBER, 0 },
	{ "01/Oct/2024:13:55:36 +0200", 0, OCTOBER, 0 },
	{ "01/oct/2024:11:55:36", 0, OCTOBER, 0 },
	{ "Tue, 01 Oct 2024 13:55:36 +0200", 0, OCTOBER, 0 },
	{ "Tue, 1 Oct 2024 13:55:36 +0200", 0, OCTOBER, 0 },
	{ "tue,  1  oct  2024  11:55:36 GMT", 0, OCTOBER, 0 },
	{ "Mon, 01 Oct 2024 11:55:36 GMT", 0, OCTOBER, 0 },
	{ "1 Oct 2024 11:55 UTC", 0, 1727783700 * S, 0 },
	{ "29 Feb 2024 00:00", 0, 1709164800 * S, 0 },
	{ "1677-09-21", RANGE, 0, 0 },
	{ "01/Jan/1500:00:00:00 +0000", RANGE, 0, 0 },
	/* None of these. */
	{ "2024-10/01", FORM, 0, 0 },
	{ "2024/10-01", FORM, 0, 0 },
	{ "2024-10-01 ", FORM, 0, 0 },
	{ "2024-10-01T", FORM, 0, 0 },
	{ "2024-10-01Z", FORM, 0, 0 },
	{ "2024-10-01 UTC", FORM, 0, 0 },
	{ "2024-10-01 11", FORM, 0, 0 },
	{ "2024-10-01 11:55 ", FORM, 0, 0 },
	{ "2024-10-01 11:55.5", FORM, 0, 0 },
	{ "2024-10-01 11:55:36  UTC", FORM, 0, 0 },
	{ "2024-10-01 11:55:36,", FORM, 0, 0 },
	{ "2024-10-01 11:55:36 CET", FORM, 0, 0 },
	{ "2024-10-01 11:55:36 +2", FORM, 0, 0 },
	{ "2024-10-01 11:55:36 +02:", FORM, 0, 0 },
	{ "2024-10-01 11:55:36 UTC+02", FORM, 0, 0 },
	{ "2024/02/30", FORM, 0, 0 },
	{ "10/10/2024", FORM, 0, 0 },
	{ "1/Oct/2024:13:55:36 +0200", FORM, 0, 0 },
	{ "32/Oct/2024:13:55:36 +0200", FORM, 0, 0 },
	{ "01/Okt/2024:13:55:36 +0200", FORM, 0, 0 },
	{ "01/Oct/2024 13:55:36 +0200", FORM, 0, 0 },
	{ "01/Oct/2024", FORM, 0, 0 },
	{ "Tue 01 Oct 2024 13:55:36 +0200", FORM, 0, 0 },
	{ "Tue,01 Oct 2024 13:55:36 +0200", FORM, 0, 0 },
	{ "Die, 01 Oct 2024 13:55:36 +0200", FORM, 0, 0 },
	{ "Tue, 01 Oct 24 13:55:36 +0200", FORM, 0, 0 },
	{ "Tue, 01 Oct 2024", FORM, 0, 0 },
	{ "Tue, ", FORM, 0, 0 },
	{ "Tue", FORM, 0, 0 },
	{ "1", 0, S, 0 },
};

static const struct row by_format[] = {
	{ "01.10.2024 11:55:36", 0, OCTOBER, "%d.%m.%Y %H:%M:%S" },
	{ "01.10.2024 11:55:36,25", 0, OCTOBER + S / 4, "%d.%m.%Y %T,%f" },
	{ "11:55:36.5 on 1.10.2024", 0, OCTOBER + S / 2, "%T.%f on %d.%m.%Y" },
	/* What follows the fraction still tells of what comes before it. */
	{ "10/01/24 01:55:36.000000001 PM +0200", 0, OCTOBER + 1,
	    "%D %I:%M:%S.%f %p %z" },
	{ "1727783736.75", 0, OCTOBER + 3 * S / 4, "%s.%f" },
	{ "Tue Oct  1 11:55:36 2024", 0, OCTOBER, "%a %b %e %T %Y" },
	{ "Tuesday October 1 11:55:36 2024", 0, OCTOBER, "%A %B %d %T %Y" },
	{ "2024-275T11:55:36", 0, OCTOBER, "%Y-%jT%T" },
	{ "24%10 01", 0, 1727740800 * S, "%y%%%m %d" },
	{ "00:00:07.0000000019", 0, 7 * S + 1, "%T.%f" },
	{ "2024-10-01T13:55:36+02:00", 0, OCTOBER, "%Y-%m-%dT%T%z" },
	{ "2024-10-01T11:55:36Z", 0, OCTOBER, "%Y-%m-%dT%T%z" },
	{ "%f 2024", 0, 1704067200 * S, "%%f %Y" },
	/* Nothing else then. */
	{ "1727783736", FORM, 0, "%Y-%m-%d" },
	{ "2024-10-01T11:55:36Z", FORM, 0, "%Y-%m-%d" },
	{ "2024-10-01", FORM, 0, "%Y-%m-%d %H" },
	{ "2024-02-30", FORM, 0, "%Y-%m-%d" },
	{ "2023-02-29", FORM, 0, "%Y-%m-%d" },
	{ "11:55:36.", FORM, 0, "%T.%f" },
	{ "11:55:36.x", FORM, 0, "%T.%f" },
	{ "", FORM, 0, "%Y" },
	{ "1500", RANGE, 0, "%Y" },
	{ "9999", RANGE, 0, "%Y" },
};

static void
check_formats(void)
{
	static const char *const used[] = { "%Y-%m-%d %H:%M:%S.%f %z%%", "%Od",
		"%f %%f", "%F %T", "%FT%T%z", "%D %R", "%c", "%s%f", "%a %H:%M",
		"%d %b %Y %I:%M:%S %p %Z", "%Y-%j", "%y%j", "%Y %U %w",
		"%Y week %W, %A", "%C%y", "%W %a", "%F %V" };
	/*
	 * The week of ISO 8601 was read and dropped, so that all times were on
	 * the first of January; so were weeks without a day.
	 */
	static const char *const refused[] = { "", "noon", "%", "%Y%", "%Q",
		"%Ef", "%f %f", "%-d", "%E", "%G-W%V-%u", "%g", "%Y-%V",
		"%Y %U", "%j", "%I %P" };
	int64_t ns;

	for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
		is_read(used[i]);
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		CHECK(!check_format(refused[i]));
	CHECK_EQ(time_format_parse("%Y",
		     SPAN("20\0"
			  "24"),
		     &ns),
	    FORM);
}

/* The same second in all ways. */
static void
check_alike(void)
{
	static const char *const formats[] = { "%Y-%m-%d %H:%M:%S UTC",
		"%Y/%m/%dT%H:%M:%S", "%d/%b/%Y:%H:%M:%S +0000",
		"%a, %d %b %Y %H:%M:%S GMT", "%d %b %Y %H:%M:%S Z" };
	struct random rng = { 3 };

	for (int i = 0; i < 100000; i++) {
		time_t t =
		    (time_t)random_below(&rng, 2 * 9223372036ULL) - 9223372036;
		const char *format = formats[i % 5];
		int64_t ns = 0, by = 0;
		struct tm tm;
		char text[60];

		gmtime_r(&t, &tm);
		strftime(text, sizeof text, format, &tm);
		if (!CHECK(timestamp_parse(span_of(text), TIME_UNIT_AUTO,
			       &ns) == 0 &&
			ns == (int64_t)t * S &&
			time_format_parse(format, span_of(text), &by) == 0 &&
			by == ns))
			fprintf(stderr, "\t%s\n", text);
	}
}

int
main(void)
{
	check_rows(texts, sizeof texts / sizeof *texts);
	check_rows(by_format, sizeof by_format / sizeof *by_format);
	check_formats();
	check_alike();
	return check_done("date_text");
}
