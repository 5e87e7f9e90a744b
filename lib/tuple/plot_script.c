/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base/display.h"
#include "tuple/plot_script.h"

enum {
	LABEL_COLUMNS = 32,
	TEXT_LABEL_COLUMNS = 16,
	AXIS_COLUMNS = 12, /* of text, besides the lines */
	DAY_S = 86400,
	PARTS = 2560, /* of the x axis: half a pixel of a PNG each */
};

/*
 * Colours that the colour-blind can tell apart, and on white from it; others
 * than the first seven are dashed.
 * Source: Okabe and Ito, Color Universal Design, 2008.
 */
static const char *const colors[] = { "#0072B2", "#D55E00", "#009E73",
	"#CC79A7", "#E69F00", "#56B4E9", "#000000" };

enum { NCOLORS = sizeof colors / sizeof colors[0] };

__attribute__((format(printf, 2, 3))) static void
put(struct buffer *b, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buffer_put(b, (struct span){ text, (size_t)n });
}

/* Not so a digit, which after a code would be part of it. */
static bool
is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' ||
	    c >= 0x80;
}

/*
 * Append a label as a string of gnuplot's, in double quotes: in single ones
 * 5.4 takes two quotes at the beginning for the end.
 */
static void
put_label(struct buffer *b, struct span label, size_t columns)
{
	struct buffer shown = { 0 }, cut = { 0 };

	display_put(&shown, label);
	display_put_cut(&cut, buffer_span(&shown), columns);
	buffer_byte(b, '"');
	for (size_t i = 0; i < cut.n; i++) {
		unsigned char c = (unsigned char)cut.p[i];

		if (is_plain(c))
			buffer_byte(b, cut.p[i]);
		else
			put(b, "\\%03o", c);
	}
	buffer_byte(b, '"');
	buffer_fini(&shown);
	buffer_fini(&cut);
}

/* Append a number with its thousands separated. */
static void
put_number(struct buffer *b, double v, int digits)
{
	char text[400];
	int n = snprintf(text, sizeof text, "%.*f", digits, v), whole;

	whole = n - (digits > 0 ? digits + 1 : 0);
	for (int i = 0; i < n; i++) {
		buffer_byte(b, text[i]);
		if (i + 1 < whole && (whole - i - 1) % 3 == 0 && text[i] != '-')
			buffer_byte(b, ',');
	}
}

/* The step between marks that divide a range into some six. */
static double
mark_step(double range, double marks)
{
	double power = pow(10, floor(log10(range / marks)));
	double rest = range / marks / power;

	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

/* Append the range of an axis and some marks, so far apart at least. */
static void
put_axis(struct buffer *b, char axis, double least, double most, double marks,
    double apart)
{
	double step = fmax(mark_step(most - least, marks), apart);
	int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
	double first = floor(least / step + 1e-9);
	double last = ceil(most / step - 1e-9);

	if (axis == 'x')
		put(b, "set xrange [%.17g:%.17g]\n", least, most);
	else
		put(b, "set yrange [%.17g:%.17g]\n", first * step, last * step);
	put(b, "set %ctics (", axis);
	/* Beyond 2^53 first + 1 may be first. */
	for (int i = 0; first + i <= last; i++) {
		double mark = (first + i) * step;

		if (axis == 'x' && (mark < least || mark > most))
			continue;
		buffer_put(b, b->p[b->n - 1] == '(' ? SPAN("'") : SPAN(", '"));
		/* Beyond what is read at a glance. */
		if (fabs(last * step) >= 1e15 || digits > 6)
			put(b, "%g", mark);
		else
			put_number(b, mark, digits);
		put(b, "' %.17g", mark);
	}
	buffer_put(b, SPAN(")\n"));
}

static void
put_terminal(struct buffer *b, const struct plot_options *o)
{
	switch (o->terminal) {
	case PLOT_SVG:
		put(b,
		    "set terminal svg size 960,540 noenhanced "
		    "font 'sans-serif,13' background '#ffffff'\n");
		break;
	case PLOT_PNG:
		put(b,
		    "set terminal pngcairo size 1280,720 noenhanced "
		    "font 'sans,13' background '#ffffff'\n");
		break;
	case PLOT_TEXT:
		put(b, "set terminal dumb noenhanced nofeed size %zu,%zu\n",
		    o->columns, o->lines);
		break;
	}
	put(b, "set encoding utf8\nset border 3\nset tics nomirror\n");
	if (o->terminal == PLOT_TEXT)
		put(b, "set key outside below\n");
	else
		put(b,
		    "set key outside right top Left reverse samplen 2\n"
		    "set grid ytics lc rgb '#dddddd' lt 1 lw 1\n");
	put(b, "set style fill solid 0.8 noborder\n");
}

/*
 * Have marks so far apart that what is written at them, of that width, does not
 * touch: gnuplot knows of no text how wide it is.
 */
static void
put_time_marks(struct buffer *b, double seconds, int width, size_t columns)
{
	static const int steps[] = { 1, 2, 5, 10, 20, 30, 60, 120, 300, 600,
		1200, 1800, 3600, 7200, 10800, 21600, 43200, DAY_S };
	double most = ((double)columns - AXIS_COLUMNS) / (width + 2);
	size_t i = 0;

	while (steps[i] < DAY_S && seconds / steps[i] > most)
		i++;
	put(b, "set xtics %d\n", steps[i]);
}

/* The axis of times: what is shown of one depends on how long it all is. */
static void
put_time_axis(struct buffer *b, const struct series *s, double pad,
    const struct plot_options *o)
{
	double seconds = (s->x_most - s->x_least) / 1000;
	const char *format = seconds <= 600 ? "%H:%M:%S" :
	    seconds <= 2 * DAY_S	    ? "%H:%M" :
	    seconds <= 300 * (double)DAY_S  ? "%m-%d" :
					      "%Y-%m";

	put(b, "set xdata time\nset timefmt '%%s'\nset format x '%s'\n",
	    format);
	put(b, "set xrange ['%.3f':'%.3f']\n", (s->x_least - pad) / 1000,
	    (s->x_most + pad) / 1000);
	if (o->terminal == PLOT_TEXT && seconds <= 2 * DAY_S)
		put_time_marks(b, seconds + 2 * pad / 1000,
		    seconds <= 600 ? 8 : 5, o->columns);
}

/* What the axis is called: the day, too, where marks do not have it. */
static void
put_x_label(struct buffer *b, const struct series *s,
    const struct plot_options *o)
{
	struct buffer label = { 0 };

	buffer_put(&label, o->x_label);
	if (o->times && s->x_most - s->x_least <= 2000.0 * DAY_S) {
		time_t t = (time_t)floor(s->x_least / 1000);
		char day[32];
		struct tm tm;

		if (gmtime_r(&t, &tm) != NULL &&
		    strftime(day, sizeof day, ", %Y-%m-%d", &tm) != 0)
			buffer_put(&label, span_of(day));
	}
	buffer_put(b, SPAN("set xlabel "));
	put_label(b, buffer_span(&label), 2 * LABEL_COLUMNS);
	buffer_put(b, SPAN("\nset ylabel "));
	put_label(b, o->y_label, LABEL_COLUMNS);
	buffer_byte(b, '\n');
	buffer_fini(&label);
}

/* The least distance of two neighbours on the x axis. */
static double
least_gap(const struct series *s)
{
	double gap = INFINITY;

	for (size_t i = 0; i <= s->nshown; i++) {
		const struct series_line *l =
		    i < s->nshown ? &s->lines[s->shown[i]] : &s->others;

		for (size_t j = 1; j < l->n; j++)
			gap = fmin(gap, l->points[j].x - l->points[j - 1].x);
	}
	return isinf(gap) ? fmax(s->x_most - s->x_least, 1) : gap;
}

/* Of the points from the i-th on, how many are in its column of that width. */
static size_t
in_column(const struct series *s, const struct series_line *l, size_t i,
    double width)
{
	double end = s->x_least +
	    (floor((l->points[i].x - s->x_least) / width) + 1) * width;
	size_t n = 1;

	while (width > 0 && i + n < l->n && l->points[i + n].x < end)
		n++;
	return n;
}

/*
 * Put the points of a line.  Of each column, a part of a pixel wide, the first,
 * the last, the least and the most are enough: the line looks the same.  Bars
 * are put all.
 *
 * Source: Jugel, Jerzak, Hackenbroich, Markl, M4: A Visualization-Oriented Time
 *         Series Data Aggregation, VLDB 2014.
 */
static void
put_data(struct buffer *b, const struct series *s, const struct series_line *l,
    double shift, const struct plot_options *o)
{
	double width =
	    o->type == PLOT_BAR ? 0 : (s->x_most - s->x_least) / PARTS;

	for (size_t i = 0, end; i < l->n; i = end) {
		size_t least = i, most = i;

		end = i + in_column(s, l, i, width);
		for (size_t j = i; j < end; j++) {
			if (l->points[j].y < l->points[least].y)
				least = j;
			if (l->points[j].y > l->points[most].y)
				most = j;
		}
		for (size_t j = i; j < end; j++) {
			double x = l->points[j].x + shift;

			if (j != i && j != least && j != most && j + 1 != end)
				continue;
			if (o->times)
				put(b, "%.3f %.17g\n", x / 1000,
				    l->points[j].y);
			else
				put(b, "%.17g %.17g\n", x, l->points[j].y);
		}
	}
}

static void
put_plot(struct buffer *b, const struct series *s, const struct plot_options *o,
    size_t i)
{
	static const char *const styles[] = { "lines", "steps", "boxes" };
	bool other = i == s->nshown;
	const struct series_line *l =
	    other ? &s->others : &s->lines[s->shown[i]];
	size_t columns =
	    o->terminal == PLOT_TEXT ? TEXT_LABEL_COLUMNS : LABEL_COLUMNS;
	char text[64];

	put(b, "%s$d%zu using 1:2 with %s", i == 0 ? "plot " : ", ", i,
	    l->n == 1 && o->type != PLOT_BAR ? "points pt 7" : styles[o->type]);
	if (o->terminal != PLOT_TEXT)
		put(b, " lc rgb '%s' lw 2 dt %d",
		    other ? "#999999" : colors[i % NCOLORS],
		    i < NCOLORS || other ? 1 : 2);
	if (!o->legend) {
		put(b, " notitle");
		return;
	}
	put(b, " title ");
	if (other) {
		snprintf(text, sizeof text, "%zu others", s->nothers);
		put_label(b, span_of(text), columns);
	} else {
		put_label(b, series_label(s, s->shown[i]), columns);
	}
}

void
plot_script_put(struct buffer *b, const struct series *s,
    const struct plot_options *o)
{
	size_t n = s->nshown + (s->others.n != 0);
	bool bars = o->type == PLOT_BAR;
	double gap = least_gap(s), width = gap * 0.8 / (double)n;
	double pad = bars	   ? gap / 2 :
	    s->x_least < s->x_most ? 0 :
	    o->times		   ? 30000 :
				     1;
	double least = fmin(s->y_least, 0), most = fmax(s->y_most, 0);

	put_terminal(b, o);
	put_x_label(b, s, o);
	if (o->times)
		put_time_axis(b, s, pad, o);
	else
		put_axis(b, 'x', s->x_least - pad, s->x_most + pad, 8,
		    bars ? gap : 0);
	put_axis(b, 'y', least, most > least ? most : least + 1,
	    o->terminal == PLOT_TEXT ? 4 : 6, 0);
	if (bars)
		put(b, "set boxwidth %.17g\n", o->times ? width / 1000 : width);
	for (size_t i = 0; i < n; i++) {
		put(b, "$d%zu << END\n", i);
		put_data(b, s,
		    i < s->nshown ? &s->lines[s->shown[i]] : &s->others,
		    bars ? ((double)i - (double)(n - 1) / 2) * width : 0, o);
		put(b, "END\n");
	}
	for (size_t i = 0; i < n; i++)
		put_plot(b, s, o, i);
	buffer_byte(b, '\n');
}
