/*
 * series - which points are shown, and as what labels become for gnuplot.
 *
 * SPDX-License-Identifier: ISC
 */
#include "check.h"
#include "tuple/plot_script.h"

static void
add(struct series *s, const char *name, double x, double y)
{
	struct span bytes = span_of(name);
	struct key key = { .bytes = bytes, .hash = hash_bytes(bytes) };

	series_add(s, &key, bytes, x, y);
}

static void
keeps_the_last_of_each_x(void)
{
	struct series s;

	series_init(&s);
	CHECK(!series_sort(&s));
	add(&s, "a", 2, 5);
	add(&s, "a", 1, 3);
	add(&s, "a", 2, 7);
	CHECK(series_sort(&s));
	CHECK_EQ(s.lines[0].n, 2);
	CHECK_EQ(s.lines[0].points[0].y, 3);
	CHECK_EQ(s.lines[0].points[1].y, 7);
	CHECK_EQ(s.lines[0].sum, 10);
	CHECK_EQ(s.x_least, 1);
	CHECK_EQ(s.y_least, 3);
	/* Then more come, and one again. */
	add(&s, "a", 1, 4);
	add(&s, "a", 0, -1);
	CHECK(series_sort(&s));
	CHECK_EQ(s.lines[0].n, 3);
	CHECK_EQ(s.lines[0].points[1].y, 4);
	CHECK_EQ(s.x_least, 0);
	CHECK_EQ(s.y_least, -1);
	CHECK_EQ(s.y_most, 7);
	series_fini(&s);
}

static void
adds_up_the_others(void)
{
	struct series s;
	char name[8];

	series_init(&s);
	for (int i = 0; i < 13; i++) {
		snprintf(name, sizeof name, "k%d", i);
		add(&s, name, 0, i + 1);
		add(&s, name, 1 + i % 2, i + 1);
	}
	add(&s, "k0", 0.25, 1);
	CHECK(series_sort(&s));
	CHECK(series_sort(&s)); /* as when more has come */
	CHECK_EQ(s.nshown, SERIES_MOST);
	CHECK_EQ(s.nothers, 3);
	CHECK_EQ(s.shown[0], 12);
	CHECK_EQ(s.shown[9], 3);
	CHECK_EQ(s.others.n, 4);
	CHECK_EQ(s.others.points[0].y, 1 + 2 + 3);
	CHECK_EQ(s.others.points[1].y, 1);
	CHECK_EQ(s.others.points[2].y, 1 + 3);
	CHECK_EQ(s.others.points[3].y, 2);
	CHECK(series_least_gap(&s) == 0.25);
	series_fini(&s);
}

/* Of equal ones the first to come. */
static void
the_largest_come_first(void)
{
	static const struct {
		const char *name;
		double y;
	} points[] = { { "a", 5 }, { "b", 9 }, { "c", -1 }, { "d", 9 },
		{ "e", 7 }, { "f", 5 } };
	static const size_t order[] = { 1, 3, 4, 0, 5, 2 };
	struct series s;

	series_init(&s);
	for (size_t i = 0; i < 6; i++)
		add(&s, points[i].name, -4, points[i].y);
	CHECK(series_sort(&s));
	CHECK_EQ(s.x_most, -4);
	CHECK_EQ(s.nshown, 6);
	for (size_t i = 0; i < 6; i++)
		CHECK_EQ(s.shown[i], order[i]);
	CHECK_EQ(s.others.n, 0);
	series_fini(&s);
}

/*
 * All of it is a string.  A date came out as 2023i1i4: gnuplot takes digits
 * behind a code for a part of it, however many there are.
 */
static void
labels_are_no_commands(void)
{
	static const char label[] = "'\"`touch x`\"'\\ @a $b\n!x %s \x01";
	struct buffer b = { 0 };
	struct series s;
	const char *title;

	series_init(&s);
	add(&s, label, 0, 1);
	CHECK(series_sort(&s));
	plot_script_put(&b, &s,
	    &(struct plot_options){
		.x_label = SPAN("x"), .y_label = SPAN("`y`"), .legend = true });
	buffer_byte(&b, '\0');
	title = strstr(b.p, "title ");
	CHECK(title != NULL);
	CHECK_STR(title,
	    "title \"\\047\\042\\140touch x\\140\\042\\047\\134 \\100a "
	    "\\044b\\134n\\041x \\045s \\134x\\060\\061\"\n");
	CHECK(strchr(b.p, '`') == NULL);
	CHECK(strstr(b.p, "set ylabel \"\\140y\\140\"\n") != NULL);
	buffer_fini(&b);
	series_fini(&s);
}

int
main(void)
{
	hash_init();
	keeps_the_last_of_each_x();
	adds_up_the_others();
	the_largest_come_first();
	labels_are_no_commands();
	return check_done("series");
}
