/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base/display.h"
#include "base/local_time.h"
#include "tuple/plot_marks.h"
#include "tuple/plot_script.h"

enum {
	LABEL_COLUMNS = 32,
	TEXT_LABEL_COLUMNS = 16,
	AXIS_COLUMNS = 12, /* beside the lines */
	/* Of a picture, as its fonts have them. */
	PICTURE_COLUMNS = 120,
	LEGEND_COLUMNS = 8, /* beside its labels */
	PARTS = 2560,	    /* of the x axis: half a pixel of a PNG each */
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

/*
 * Tell whether a byte is written as it is.  A digit is not: behind the code of
 * another byte it would be read as part of it.
 */
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
put_label(struct buffer *b, struct span label, size_t columns,
    const struct plot_options *o)
{
	struct buffer shown = { 0 }, cut = { 0 };

	display_put(&shown, label);
	display_put_cut(&cut, buffer_span(&shown), columns);
	buffer_byte(b, '"');
	for (size_t i = 0; i < cut.n; i++) {
		unsigned char c = (unsigned char)cut.p[i];

		/* XML has no `]]>` in a text: a joiner of no width parts it. */
		if (o->terminal == PLOT_SVG && c == '>' && i > 0 &&
		    cut.p[i - 1] == ']')
			buffer_put(b, SPAN("\xe2\x81\xa0"));
		if (is_plain(c))
			buffer_byte(b, cut.p[i]);
		else
			put(b, "\\%03o", c);
	}
	buffer_byte(b, '"');
	buffer_fini(&shown);
	buffer_fini(&cut);
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
	put(b, "set encoding utf8\nset border 3 back\nset tics nomirror\n");
	if (o->terminal == PLOT_TEXT)
		put(b, "set key outside below\n");
	else
		put(b,
		    "set key outside right top Left reverse samplen 2\n"
		    "set grid ytics lc rgb '#dddddd' lt 1 lw 1\n");
	put(b, "set style fill solid 0.8 noborder\n");
}

/* How many columns there are below the lines. */
static size_t
columns_of(const struct series *s, const struct plot_options *o)
{
	size_t columns = o->columns, legend = 0, width;
	struct buffer shown = { 0 };

	if (o->terminal != PLOT_TEXT) {
		columns = PICTURE_COLUMNS;
		legend = o->legend ? LEGEND_COLUMNS : 0;
	}
	for (size_t i = 0; legend != 0 && i < s->nshown; i++) {
		shown.n = 0;
		width = LEGEND_COLUMNS +
		    display_put(&shown, series_label(s, s->shown[i]));
		legend = width > legend ? width : legend;
	}
	buffer_fini(&shown);
	if (legend > LEGEND_COLUMNS + LABEL_COLUMNS)
		legend = LEGEND_COLUMNS + LABEL_COLUMNS;
	legend += AXIS_COLUMNS;
	return columns > legend ? columns - legend : 1;
}

/* What the axes are called: of time, what its marks lack, too. */
static void
put_names(struct buffer *b, double left, const char *lacks,
    const struct plot_options *o)
{
	struct buffer name = { 0 };
	/* A number that is no time may be too large for one. */
	time_t t = *lacks == '\0' ? 0 : (time_t)floor(left / 1000);
	char text[32];
	struct tm tm;

	buffer_put(&name, o->x_label);
	if (*lacks != '\0' && gmtime_r(&t, &tm) != NULL &&
	    strftime(text, sizeof text, lacks, &tm) != 0)
		buffer_put(&name, span_of(text));
	buffer_put(b, SPAN("set xlabel "));
	put_label(b, buffer_span(&name), 2 * LABEL_COLUMNS, o);
	buffer_fini(&name);
	if (o->terminal != PLOT_TEXT) {
		buffer_put(b, SPAN("\nset ylabel "));
		put_label(b, o->y_label, LABEL_COLUMNS, o);
		buffer_byte(b, '\n');
		return;
	}
	/* Beside the axis there is no room: it stands above. */
	buffer_put(b, SPAN("\nset tmargin 2\nset label 1 "));
	put_label(b, o->y_label, 2 * LABEL_COLUMNS, o);
	put(b, " at character 1, character %zu\n", o->lines - 1);
}

/* Where x stands on its axis: gnuplot knows no time zones. */
static double
place_of(double x, const struct plot_options *o)
{
	double whole = floor(x);

	return o->times ? (double)local_time_shift((int64_t)whole) + x - whole :
			  x;
}

/* The ends of the axis: clocks that are set back turn times around. */
static void
find_ends(const struct series *s, const struct plot_options *o, double *left,
    double *right)
{
	*left = INFINITY;
	*right = -INFINITY;
	for (size_t i = 0; i <= s->nshown; i++) {
		const struct series_line *l =
		    i < s->nshown ? &s->lines[s->shown[i]] : &s->others;

		for (size_t j = 0; j < l->n; j++) {
			double x = place_of(l->points[j].x, o);

			*left = fmin(*left, x);
			*right = fmax(*right, x);
		}
	}
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
			double x = place_of(l->points[j].x, o) + shift;

			if (j != i && j != least && j != most && j + 1 != end)
				continue;
			if (o->times)
				put(b, "%.6f %.17g\n", x / 1000,
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
		put_label(b, span_of(text), columns, o);
	} else {
		put_label(b, series_label(s, s->shown[i]), columns, o);
	}
}

/* About how many parts the y axis has: too few for marks to share a row. */
static int
text_parts(const struct plot_options *o)
{
	return o->lines >= 16 ? 4 : o->lines >= 12 ? 2 : 1;
}

void
plot_script_put(struct buffer *b, const struct series *s,
    const struct plot_options *o)
{
	size_t n = s->nshown + (s->others.n != 0), columns = columns_of(s, o);
	bool bars = o->type == PLOT_BAR;
	double gap = bars ? series_least_gap(s) : 0, width, left, right;
	double least = fmin(s->y_least, 0), most = fmax(s->y_most, 0);

	find_ends(s, o, &left, &right);
	if (gap == 0) /* of one x: what a double can tell from it */
		gap = fmax(o->times ? 60000 : 2, fabs(right) * 1e-9);
	width = gap * 0.8 / (double)n;
	if (bars || left == right) {
		left -= gap / 2;
		right += gap / 2;
	}
	put_terminal(b, o);
	put_names(b, left,
	    o->times ? plot_marks_lack(left, right, columns) : "", o);
	if (o->times)
		plot_marks_put_times(b, left, right, columns);
	else
		plot_marks_put_numbers(b, left, right, bars ? gap : 0, columns);
	plot_marks_put_y(b, least, most > least ? most : least + 1,
	    o->terminal == PLOT_TEXT ? text_parts(o) : 6);
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
