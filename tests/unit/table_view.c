/*
 * table_view - when batches are drawn, and how they are fitted to a window.
 * The terminal is one that only remembers; time is the calls of _tick.
 *
 * SPDX-License-Identifier: ISC
 */
#include "bolt/table_view.h"
#include "check.h"

static struct terminal {
	struct collector collector;
	bool is_there;
	size_t columns, lines;
	struct buffer rows, picture; /* what was written, and drawn last */
	unsigned drawn, erased;
} terminal;

static bool
window(struct collector *c, size_t *columns, size_t *lines)
{
	(void)c;
	*columns = terminal.columns;
	*lines = terminal.lines;
	return terminal.is_there;
}

static void
draw(struct collector *c, struct span picture)
{
	(void)c;
	terminal.picture.n = 0;
	buffer_put(&terminal.picture, picture);
	terminal.drawn++;
}

static void
erase(struct collector *c)
{
	(void)c;
	terminal.erased++;
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	(void)anchors;
	(void)n;
	buffer_byte(c->rows, '\n');
}

static void
start(struct table_view *v, bool is_there, size_t columns, size_t lines)
{
	buffer_fini(&terminal.rows);
	buffer_fini(&terminal.picture);
	terminal = (struct terminal){ .collector = { .rows = &terminal.rows,
					  .emit = emit,
					  .screen_size = window,
					  .draw = draw,
					  .erase = erase },
		.is_there = is_there,
		.columns = columns,
		.lines = lines };
	table_view_init(v, &terminal.collector,
	    &(struct table_view_options){
		.rows = SIZE_MAX, .color = TABLE_VIEW_COLOR_NEVER });
}

static void
put(struct table_view *v, const char *line)
{
	table_view_put(v, NULL, span_of(line), 0);
}

static const char *
text_of(struct buffer *b)
{
	buffer_byte(b, '\0');
	b->n--;
	return b->p;
}

static void
draws_what_has_ended(void)
{
	struct table_view v;

	start(&v, true, 80, 24);
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 0);
	put(&v, "{\"a\":1}");
	table_view_end(&v);
	CHECK_EQ(terminal.drawn, 0);
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 1);
	CHECK_STR(text_of(&terminal.picture), "a\n1\n");
	/* Half of the next does not show while it comes. */
	put(&v, "{\"a\":2}");
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 1);
	/* Nothing more came. */
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 2);
	CHECK_STR(text_of(&terminal.picture), "a\n2\n");
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 2);
	put(&v, "{\"a\":3}");
	table_view_end(&v);
	table_view_tick(&v);
	CHECK_STR(text_of(&terminal.picture), "a\n2\n3\n");
	/* A batch without rows shows as one. */
	table_view_end(&v);
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 4);
	CHECK_STR(text_of(&terminal.picture), "a\n");
	CHECK_STR(text_of(&terminal.rows), "");
	table_view_finish(&v);
	CHECK_EQ(terminal.erased, 1);
	CHECK_STR(text_of(&terminal.rows), "a\n2\n3\n");
	table_view_fini(&v);
}

/* However many batches come between two ticks of the clock. */
static void
draws_once_a_tick(void)
{
	struct table_view v;
	char line[32];

	start(&v, true, 80, 24);
	for (int i = 1; i <= 1000; i++) {
		snprintf(line, sizeof line, "{\"a\":%d}", i);
		put(&v, line);
		table_view_end(&v);
		if (i % 100 == 0)
			table_view_tick(&v);
	}
	CHECK_EQ(terminal.drawn, 10);
	CHECK_STR(text_of(&terminal.picture), "   a\n1000\n");
	table_view_fini(&v);
}

/* What had no ticks, and never stopped for a tenth of a second, was not drawn. */
static void
draws_what_never_ends(void)
{
	struct table_view v;

	start(&v, true, 80, 24);
	put(&v, "{\"a\":1}");
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 1);
	put(&v, "{\"a\":2}");
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 2);
	CHECK_STR(text_of(&terminal.picture), "a\n1\n2\n");
	table_view_finish(&v);
	CHECK_STR(text_of(&terminal.rows), "a\n1\n2\n");
	table_view_fini(&v);
}

static void
fits_the_window(void)
{
	struct table_view v;

	start(&v, true, 20, 5);
	for (int i = 0; i < 1000; i++)
		put(&v, "{\"text\":\"a longer one than fits\",\"n\":123456}");
	table_view_end(&v);
	table_view_tick(&v);
	CHECK_STR(text_of(&terminal.picture),
	    "text               n\n"
	    "a longer on\xe2\x80\xa6  123456\n"
	    "a longer on\xe2\x80\xa6  123456\n"
	    "... 998 more\n");
	/* It is resized, and no row comes. */
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 1);
	terminal.columns = 8;
	terminal.lines = 4;
	table_view_tick(&v);
	CHECK_EQ(terminal.drawn, 2);
	CHECK_STR(text_of(&terminal.picture),
	    "te\xe2\x80\xa6    n\n"
	    "a \xe2\x80\xa6  12\xe2\x80\xa6\n"
	    "... 999\xe2\x80\xa6\n");
	terminal.columns = 4;
	table_view_tick(&v);
	CHECK_STR(text_of(&terminal.picture),
	    "te\xe2\x80\xa6\na \xe2\x80\xa6\n...\xe2\x80\xa6\n");
	/* At the end all are there. */
	terminal.columns = 80;
	table_view_finish(&v);
	CHECK_EQ(terminal.rows.n, 1001 * 31);
	table_view_fini(&v);
}

static void
writes_where_there_is_no_terminal(void)
{
	struct table_view v;

	start(&v, false, 0, 0);
	put(&v, "{\"a\":1}");
	table_view_end(&v);
	CHECK_STR(text_of(&terminal.rows), "a\n1\n");
	table_view_tick(&v);
	table_view_end(&v);
	put(&v, "{\"b\":1}");
	table_view_finish(&v);
	CHECK_STR(text_of(&terminal.rows), "a\n1\n\nb\n1\n");
	CHECK_EQ(terminal.drawn, 0);
	CHECK_EQ(terminal.erased, 0);
	table_view_fini(&v);
}

int
main(void)
{
	hash_init();
	draws_what_has_ended();
	draws_once_a_tick();
	draws_what_never_ends();
	fits_the_window();
	writes_where_there_is_no_terminal();
	buffer_fini(&terminal.rows);
	buffer_fini(&terminal.picture);
	return check_done("table_view");
}
