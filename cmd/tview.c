/*
 * tview - show tuples as tables, batch by batch.
 *
 * A batch ends with a tick, with another window_end, or with the input; with
 * --one only there.  On a terminal the latest one is redrawn in place, at most
 * ten times a second; in formats for other programs all are one table.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stddef.h>

#include "base/diagnostics.h"
#include "bolt/table_view.h"
#include "run/bolt_main.h"
#include "tuple/batch_value.h"

struct tview {
	struct {
		struct field_range key, bar;
		int64_t rows;
		bool one;
		int format;
		const char *color;
	} options;
	enum table_view_color color;
	struct table_view view;
	struct key key;
	struct batch_value window;
	struct collector *collector;
};

#define AT(option) offsetof(struct tview, options.option)

static const char *const formats[] = { "table", "csv", "tsv", "markdown",
	NULL };

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "a new row replaces the one with these fields" },
	{ 'n', "rows", "ROWS", OPTION_COUNT, AT(rows), 1, INT64_MAX,
	    .help = "show so many rows of each batch (all)" },
	{ .name = "one",
	    .kind = OPTION_FLAG,
	    .to = AT(one),
	    .help = "one table of all batches" },
	{ .name = "bar",
	    .arg = "FIELD",
	    .kind = OPTION_FIELD,
	    .to = AT(bar),
	    .help = "draw a bar of this number" },
	{ .name = "format",
	    .arg = "FORMAT",
	    .kind = OPTION_CHOICE,
	    .to = AT(format),
	    .choices = formats,
	    .help = "table (default), csv, tsv or markdown" },
	{ .name = "color",
	    .arg = "WHEN",
	    .kind = OPTION_OPTIONAL,
	    .to = AT(color),
	    .help = "auto (default), always or never" },
	{ 0 },
};

static const struct command command = {
	.name = "tview",
	.synopsis = "[-k FIELDS] [-n ROWS] [--one] [--bar FIELD] "
		    "[--format table | csv | tsv | markdown] [--color[=WHEN]] "
		    "[FILE...]",
	.purpose = "show tuples as tables",
	.examples =
	    "  tally -k path -a count,max:ms access.ndjson | tview\n"
	    "  tail -F access.ndjson | rollcount -k path -w 5m -e 1s -T |\n"
	    "      topn -k path -v count -T | tview --bar count\n"
	    "  tally -k path access.ndjson | tview --format csv\n",
	.options = specs,
	.common = bolt_main_options,
};

/* What --color says. */
static enum table_view_color
color_of(const char *when)
{
	static const char *const names[] = { "auto", "always", "never" };

	if (when == NULL)
		return TABLE_VIEW_COLOR_AUTO;
	if (when[0] == '\0')
		return TABLE_VIEW_COLOR_ALWAYS;
	for (int i = 0; i < 3; i++)
		if (strcmp(when, names[i]) == 0)
			return (enum table_view_color)i;
	options_misuse(&command,
	    "--color: expected one of auto, always, never, got '%s'", when);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct tview *v = self;

	v->collector = context->collector;
	table_view_init(&v->view, v->collector,
	    &(struct table_view_options){
		.format = (enum table_format)v->options.format,
		.rows = (size_t)v->options.rows,
		.bars = v->options.bar.n != 0,
		.color = v->color });
}

/* Read the number of a bar: NAN where there is none to be drawn. */
static int
read_bar(const struct tview *v, const struct tuple *t, double *number,
    struct fault *f)
{
	const struct value *bar;
	struct number x;

	*number = NAN;
	if (v->options.bar.n == 0)
		return 0;
	bar = tuple_field(t, v->options.bar.first);
	if (bar != NULL && bar->p[0] == 'n')
		return 0;
	if (tuple_double(t, v->options.bar.first, &x, f) < 0)
		return -1;
	*number = x.d;
	return 0;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct tview *v = self;
	double number;

	if ((v->options.key.n != 0 &&
		key_of(&v->key, t, v->options.key.first, v->options.key.n, f) <
		    0) ||
	    read_bar(v, t, &number, f) < 0)
		return -1;
	if (!v->options.one && batch_value_see_window(&v->window, t))
		table_view_end(&v->view);
	table_view_put(&v->view, v->options.key.n == 0 ? NULL : &v->key,
	    t->line, number);
	collector_ack(v->collector, t->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct tview *v = self;

	if (tick->source == TICK_INPUT && v->options.one)
		return;
	if (tick->source == TICK_INPUT) {
		table_view_end(&v->view);
		batch_value_end(&v->window);
	} else if (!tick->behind) {
		table_view_tick(&v->view);
	}
}

static void
finish(void *self, int64_t now_ms)
{
	struct tview *v = self;

	(void)now_ms;
	table_view_finish(&v->view);
}

static void
cleanup(void *self)
{
	struct tview *v = self;

	table_view_fini(&v->view);
	key_fini(&v->key);
	batch_value_fini(&v->window);
}

static void
count(const void *self, struct counters *c)
{
	const struct tview *v = self;

	c->live_keys = v->view.open->n;
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct tview *v = bolt->self;

	v->color = color_of(v->options.color);
	if (v->options.format == TABLE_TEXT)
		bolt->tick_every_ms = TABLE_VIEW_TICK_MS;
	if (!v->options.one)
		batch_value_by_window(&v->window, setup->projection);
}

int
main(int argc, char *argv[])
{
	struct tview v = { .options.rows = INT64_MAX };
	struct bolt bolt = { .self = &v,
		.waits_for_end = true,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count };

	return bolt_main(&command, &bolt, argc, argv);
}
