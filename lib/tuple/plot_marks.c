/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/calendar.h"
#include "tuple/plot_marks.h"

enum { DAY_MS = 86400000, MOST_MARKS = 9, PARTS = 8 };

/* The marks of an axis of numbers. */
struct marks {
	double step, first, last; /* the latter two in steps */
	int digits;		  /* behind the point; -1: as %g has it */
};

/* The step between marks that divide a range into some parts. */
static double
step_of(double range, double parts)
{
	double power = pow(10, floor(log10(range / parts)));
	double rest = range / parts / power;

	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static struct marks
marks_of(double least, double most, double parts, double apart)
{
	double step = fmax(step_of(most - least, parts), apart);
	struct marks m = { .step = step,
		.first = floor(least / step + 1e-9),
		.last = ceil(most / step - 1e-9) };

	m.digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
	/* Beyond what is read at a glance. */
	if (fmax(fabs(m.first * step), fabs(m.last * step)) >= 1e15 ||
	    m.digits > 6)
		m.digits = -1;
	return m;
}

/* Append what is written at a mark: its thousands are separated. */
static void
put_number(struct buffer *b, const struct marks *m, double mark)
{
	char text[64];
	int n, whole;

	if (m->digits < 0) {
		n = snprintf(text, sizeof text, "%g", mark);
		buffer_put(b, (struct span){ text, (size_t)n });
		return;
	}
	n = snprintf(text, sizeof text, "%.*f", m->digits, mark);
	whole = n - (m->digits > 0 ? m->digits + 1 : 0);
	for (int i = 0; i < n; i++) {
		buffer_byte(b, text[i]);
		if (i + 1 < whole && (whole - i - 1) % 3 == 0 && text[i] != '-')
			buffer_byte(b, ',');
	}
}

/* Append a double that reads back, between two texts. */
static void
put_double(struct buffer *b, struct span before, double v, struct span behind)
{
	buffer_put(b, before);
	buffer_double(b, v);
	buffer_put(b, behind);
}

static void
put_range(struct buffer *b, struct span before, double least, double most)
{
	put_double(b, before, least, SPAN(":"));
	put_double(b, SPAN(""), most, SPAN("]\n"));
}

/* Append the marks that are from least to most. */
static void
put_marks(struct buffer *b, struct span before, const struct marks *m,
    double least, double most)
{
	struct span comma = SPAN("");

	buffer_put(b, before);
	/* Beyond 2^53 first + 1 may be first. */
	for (int i = 0; m->first + i <= m->last; i++) {
		/* 6 * 0.05 is a little more than 0.3. */
		double mark = (m->first + i) * m->step, slack = m->step / 1e6;

		if (mark < least - slack || mark > most + slack)
			continue;
		mark = fmin(fmax(mark, least), most);
		buffer_put(b, comma);
		buffer_byte(b, '"');
		put_number(b, m, mark);
		put_double(b, SPAN("\" "), mark, SPAN(""));
		comma = SPAN(", ");
	}
	if (comma.n == 0) /* without any, gnuplot makes marks of its own */
		put_double(b, SPAN("\"\" "), least, SPAN(""));
	buffer_put(b, SPAN(")\n"));
}

void
plot_marks_put_y(struct buffer *b, double least, double most, double parts)
{
	struct marks m = marks_of(least, most, parts, 0);

	least = m.first * m.step;
	most = m.last * m.step;
	put_range(b, SPAN("set yrange ["), least, most);
	put_marks(b, SPAN("set ytics ("), &m, least, most);
}

/* Tell whether marks, of which the first and the last are widest, do not touch. */
static bool
marks_fit(const struct marks *m, double range, size_t columns)
{
	struct buffer text = { 0 };
	size_t width;

	put_number(&text, m, m->first * m->step);
	width = text.n;
	text.n = 0;
	put_number(&text, m, m->last * m->step);
	width = width > text.n ? width : text.n;
	buffer_fini(&text);
	return (range / m->step + 1) * (double)(width + 2) <= (double)columns;
}

void
plot_marks_put_numbers(struct buffer *b, double least, double most,
    double apart, size_t columns)
{
	double parts = PARTS;
	struct marks m = marks_of(least, most, parts, apart);

	while (parts > 1 && !marks_fit(&m, most - least, columns))
		m = marks_of(least, most, --parts, apart);
	put_range(b, SPAN("set xrange ["), least, most);
	put_marks(b, SPAN("set xtics ("), &m, least, most);
}

/* How far apart marks of time are, and what is written at them. */
struct time_step {
	double ms;  /* of months: at least */
	int months; /* 0: exactly ms */
	int digits; /* of the fraction of a second */
	const char *format, *lacks;
	size_t width; /* of what is written */
};

/* The i-th of the steps that there are, the shortest first. */
static struct time_step
time_step(size_t i)
{
	static const char day[] = ", %Y-%m-%d";
	static const int seconds[] = { 1, 2, 5, 10, 20, 30, 60, 120, 300, 600,
		1200, 1800, 3600, 7200, 10800, 21600, 43200 };
	static const int days[] = { 1, 2, 7, 14 };
	static const int months[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600,
		1200, 2400 };
	enum {
		FRACTIONS = 18, /* from a microsecond on */
		SECONDS = sizeof seconds / sizeof *seconds,
		DAYS = sizeof days / sizeof *days,
	};

	if (i < FRACTIONS) {
		int digits = 6 - (int)(i / 3);

		return (struct time_step){ (i % 3 == 0	      ? 1 :
						   i % 3 == 1 ? 2 :
								5) *
			    pow(10, 3 - digits),
			0, digits, "%H:%M:%S", day, 9 + (size_t)digits };
	}
	if ((i -= FRACTIONS) < SECONDS)
		return (struct time_step){ seconds[i] * 1000.0, 0, 0,
			seconds[i] < 60 ? "%H:%M:%S" : "%H:%M", day,
			seconds[i] < 60 ? 8 : 5 };
	if ((i -= SECONDS) < DAYS)
		return (struct time_step){ days[i] * (double)DAY_MS, 0, 0,
			"%m-%d", ", %Y", 5 };
	i -= DAYS;
	return (struct time_step){ months[i] * 28.0 * DAY_MS, months[i], 0,
		months[i] < 12 ? "%Y-%m" : "%Y", "", months[i] < 12 ? 7 : 4 };
}

/* The shortest step whose marks do not touch; beyond two days it is of days. */
static struct time_step
choose_step(double range, size_t columns)
{
	struct time_step step = time_step(0);

	for (size_t i = 1; step.months < 2400 &&
	     ((range > 2.0 * DAY_MS && step.ms < DAY_MS) ||
		 range / step.ms > MOST_MARKS ||
		 (range / step.ms + 1) * (double)(step.width + 2) >
		     (double)columns);
	     i++)
		step = time_step(i);
	return step;
}

/* The k-th mark since 1970, or of months since the year 0. */
static double
time_mark(const struct time_step *step, int64_t k)
{
	/* Weeks begin on Mondays; 1970 began on a Thursday. */
	double monday = step->ms >= 7.0 * DAY_MS ? 4.0 * DAY_MS : 0;

	if (step->months == 0)
		return (double)k * step->ms + monday;
	k *= step->months;
	return (double)calendar_days(k / 12, (int)(k % 12) + 1, 1) * DAY_MS;
}

/* The number of the last mark that is not after a time. */
static int64_t
last_mark(const struct time_step *step, double ms)
{
	time_t t = (time_t)floor(ms / 1000);
	int64_t k = (int64_t)floor(ms / step->ms);
	struct tm tm;

	if (step->months != 0 && gmtime_r(&t, &tm) != NULL)
		k = ((tm.tm_year + INT64_C(1900)) * 12 + tm.tm_mon) /
		    step->months;
	return time_mark(step, k) > ms ? k - 1 : k;
}

/* Append a time, between two texts: %s of gnuplot's knows no exponents. */
static void
put_seconds(struct buffer *b, struct span before, double ms, struct span behind)
{
	char text[64];
	int n = snprintf(text, sizeof text, "%.6f", ms / 1000);

	buffer_put(b, before);
	buffer_put(b, (struct span){ text, (size_t)n });
	buffer_put(b, behind);
}

/* Append what is written at a mark, and where it stands. */
static void
put_time_mark(struct buffer *b, const struct time_step *step, double ms)
{
	/* To a microsecond: a double has no more. */
	int64_t us = llround(ms * 1000), fraction = floor_mod(us, 1000000);
	time_t t = (time_t)floor_div(us, 1000000);
	char text[32];
	struct tm tm;
	int n;

	buffer_byte(b, '"');
	if (gmtime_r(&t, &tm) != NULL)
		buffer_put(b,
		    (struct span){
			text, strftime(text, sizeof text, step->format, &tm) });
	n = snprintf(text, sizeof text, ".%06" PRId64, fraction);
	if (step->digits != 0)
		buffer_put(b,
		    (struct span){ text, (size_t)(n - 6 + step->digits) });
	put_seconds(b, SPAN("\" \""), ms, SPAN("\""));
}

void
plot_marks_put_times(struct buffer *b, double least, double most,
    size_t columns)
{
	struct time_step step = choose_step(most - least, columns);
	struct span comma = SPAN("");
	double ms;

	buffer_put(b, SPAN("set xdata time\nset timefmt \"%s\"\n"));
	put_seconds(b, SPAN("set xrange [\""), least, SPAN("\":\""));
	put_seconds(b, SPAN(""), most, SPAN("\"]\nset xtics ("));
	for (int64_t k = last_mark(&step, least);
	     (ms = time_mark(&step, k)) <= most; k++) {
		if (ms < least)
			continue;
		buffer_put(b, comma);
		put_time_mark(b, &step, ms);
		comma = SPAN(", ");
	}
	if (comma.n == 0)
		put_seconds(b, SPAN("\"\" \""), least, SPAN("\""));
	buffer_put(b, SPAN(")\n"));
}

const char *
plot_marks_lack(double least, double most, size_t columns)
{
	return choose_step(most - least, columns).lacks;
}
