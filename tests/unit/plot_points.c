/*
 * plot_points - what becomes a point, and of which line.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "check.h"
#include "padded.h"
#include "tuple/plot_points.h"

static struct scanned s;
static struct plot_points p;

static void
start(bool keyed)
{
	p = (struct plot_points){
		.x = { 0, 1 }, .y = { 1, 1 }, .slice_ms = 60
	};
	if (keyed)
		p.key = (struct field_range){ 2, 1 };
	plot_points_init(&p);
}

/* What is wrong with a tuple; NULL: nothing. */
static const char *
add(const char *line)
{
	CHECK(scanned_line(&s, span_of(line)) == 0);
	return plot_points_add(&p, &s.tuple, &s.fault) < 0 ? s.fault.message :
							     NULL;
}

/* The points of a line, `X,Y X,Y`. */
static const char *
line(size_t at)
{
	static char text[256];
	const struct series_line *l = &p.series.lines[at];
	int n = 0;

	CHECK(series_sort(&p.series));
	text[0] = '\0';
	for (size_t i = 0; i < l->n; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%.15g,%g",
		    i == 0 ? "" : " ", l->points[i].x, l->points[i].y);
	return text;
}

static void
numbers(void)
{
	start(false);
	CHECK_STR(add("{\"x\":1,\"y\":2}"), NULL);
	CHECK_STR(add("{\"x\":\"3\",\"y\":\"4.5\"}"), NULL);
	CHECK_STR(add("{\"x\":4,\"y\":null}"), NULL);
	CHECK(add("{\"x\":5,\"y\":1e999}") != NULL);
	CHECK(add("{\"x\":1e999,\"y\":1}") != NULL);
	CHECK(add("{\"x\":\"2024-05-01\",\"y\":1}") != NULL);
	CHECK(add("{\"x\":5,\"y\":[1]}") != NULL);
	CHECK(add("{\"x\":5}") != NULL);
	CHECK_STR(line(0), "1,2 3,4.5");
	plot_points_fini(&p);
}

/* Local time is that of Greenwich here. */
static void
times(void)
{
	start(false);
	CHECK(add("{\"y\":1}") != NULL); /* which decides nothing */
	CHECK_STR(add("{\"x\":\"1970-01-01T00:00:01Z\",\"y\":2}"), NULL);
	CHECK_STR(add("{\"x\":2,\"y\":[1,null,3]}"), NULL);
	CHECK(add("{\"x\":2,\"y\":[1,\"x\"]}") != NULL);
	/* The digits of the first were taken to go on in the second. */
	CHECK_STR(add("{\"x\":3,\"y\":[\"123456789\",\"12345678\"]}"), NULL);
	CHECK_STR(line(0),
	    "1000,2 2000,1 2040,3 3000,1.23457e+08 3030,1.23457e+07");
	plot_points_fini(&p);
	start(false);
	CHECK_STR(add("{\"x\":1000000000,\"y\":1}"), NULL);
	CHECK_STR(line(0), "1000000000000,1");
	plot_points_fini(&p);
	start(false);
	CHECK_STR(add("{\"x\":999999999,\"y\":1}"), NULL);
	CHECK_STR(line(0), "999999999,1");
	plot_points_fini(&p);
	start(false);
	CHECK_STR(add("{\"x\":4102444799,\"y\":1}"), NULL);
	CHECK_STR(line(0), "4102444799000,1");
	plot_points_fini(&p);
	start(false);
	CHECK_STR(add("{\"x\":4102444800,\"y\":1}"), NULL);
	CHECK_STR(line(0), "4102444800,1");
	plot_points_fini(&p);
}

static void
keys(void)
{
	start(true);
	CHECK_STR(add("{\"x\":1,\"y\":2,\"k\":\"\\u0061\"}"), NULL);
	CHECK_STR(add("{\"x\":1,\"y\":3,\"k\":7}"), NULL);
	CHECK_STR(add("{\"x\":2,\"y\":4,\"k\":\"a\"}"), NULL);
	CHECK(add("{\"x\":2,\"y\":4}") != NULL);
	CHECK_STR(line(0), "1,2 2,4");
	CHECK(span_eq(series_label(&p.series, 0), SPAN("a")));
	CHECK(span_eq(series_label(&p.series, 1), SPAN("7")));
	plot_points_fini(&p);
}

int
main(void)
{
	setenv("TZ", "UTC", 1);
	scanned_init(&s, "x,y,k");
	numbers();
	times();
	keys();
	scanned_fini(&s);
	return check_done("plot_points");
}
