/*
 * tplot - draw tuples as a picture, by gnuplot.
 *
 * The picture is drawn anew while input comes, at most once a second and for a
 * tenth of the time, and at the end.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "base/display.h"
#include "io/gnuplot.h"
#include "run/bolt_main.h"
#include "tuple/plot_points.h"
#include "tuple/plot_script.h"

enum {
	DRAW_MS = 1000,
	/* A pause is so many times as long as it took to draw. */
	REST = 9,
};

struct tplot {
	struct {
		int type;
		const char *file;
	} options;
	struct plot_options plot;
	struct plot_points points;
	bool changed;	 /* since it was drawn */
	bool live;	 /* it is drawn on a terminal */
	int64_t took_ms; /* to draw it */
	int64_t next_ms; /* not to be drawn before, but at the end */
	struct buffer script, text;
	const struct projection *projection;
	struct collector *collector;
};

#define AT(option) offsetof(struct tplot, option)

static const char *const types[] = { "line", "step", "bar", NULL };

static const struct option_spec specs[] = {
	{ 'x', "x", "FIELD", OPTION_FIELD, AT(points.x),
	    .help = "what goes to the right: a number or a time",
	    .required = true },
	{ 'y', "y", "FIELD", OPTION_FIELD, AT(points.y),
	    .help = "what goes up: a number, or an array of them",
	    .required = true },
	{ 'k', "key", "FIELD", OPTION_KEY, AT(points.key),
	    .help = "a line for each value of this field" },
	{ 'o', "output", "FILE", OPTION_FILE, AT(options.file),
	    .help = "draw into FILE, .svg or .png (on the terminal)" },
	{ .name = "type",
	    .arg = "TYPE",
	    .kind = OPTION_CHOICE,
	    .to = AT(options.type),
	    .choices = types,
	    .help = "line (default), step or bar" },
	{ .name = "slice",
	    .arg = "LENGTH",
	    .kind = OPTION_DURATION,
	    .to = AT(points.slice_ms),
	    .help = "the time that an array is spread over (1h)" },
	OPTIONS_TIME_FORM(AT(points.form), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "tplot",
	.synopsis = "-x FIELD -y FIELD [-k FIELD] [--type line | step | bar] "
		    "[--slice LENGTH] [-o FILE] [FILE...]",
	.purpose = "draw tuples as a picture",
	.examples =
	    "  rollcount -k path -t ts -w 5m -e 1m access.ndjson |\n"
	    "      tplot -x window_end -y count -k path -o paths.svg\n"
	    "  timeline -k roomId --from start --to end stays.ndjson |\n"
	    "      tplot -x sliceStartMillis -y occupancies -k roomId\n",
	.options = specs,
	.common = bolt_main_options,
};

static bool
ends_in(struct span text, struct span end)
{
	return text.n > end.n &&
	    memcmp(text.p + text.n - end.n, end.p, end.n) == 0;
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct tplot *p = bolt->self;
	const char *file = p->options.file;

	(void)setup;
	p->plot.type = (enum plot_type)p->options.type;
	p->plot.legend = p->points.key.n != 0;
	p->plot.terminal = file == NULL		 ? PLOT_TEXT :
	    ends_in(span_of(file), SPAN(".png")) ? PLOT_PNG :
						   PLOT_SVG;
	if (p->plot.terminal == PLOT_SVG &&
	    !ends_in(span_of(file), SPAN(".svg")))
		options_misuse(&command,
		    "-o: expected a name that ends in .svg or .png, got '%s'",
		    file);
	bolt->picture = file;
}

/* Ask how much room a picture of text has. */
static void
measure(struct tplot *p)
{
	struct plot_options *o = &p->plot;

	/* In place of the last one where there is room for a picture. */
	p->live = collector_screen_size(p->collector, &o->columns, &o->lines) &&
	    o->lines > 8;
	if (o->columns == 0)
		o->columns = 80;
	if (p->live)
		o->lines--; /* that of the cursor */
	else
		o->lines = 24;
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct tplot *p = self;

	p->collector = context->collector;
	p->projection = context->projection;
	p->points.advises = context->advises;
	display_init();
	gnuplot_check();
	plot_points_init(&p->points);
	p->plot.x_label = p->projection->fields[p->points.x.first].text;
	p->plot.y_label = p->projection->fields[p->points.y.first].text;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct tplot *p = self;

	if (plot_points_add(&p->points, t, f) < 0)
		return -1;
	p->changed = true;
	collector_ack(p->collector, t->id);
	return 0;
}

/* Measure, and tell whether a terminal has another size than its last picture. */
static bool
is_resized(struct tplot *p)
{
	size_t columns = p->plot.columns, lines = p->plot.lines;
	bool live = p->live;

	measure(p);
	return p->options.file == NULL && p->live &&
	    (!live || p->plot.columns != columns || p->plot.lines != lines);
}

/* Draw what there is.  False: there is nothing. */
static bool
draw(struct tplot *p)
{
	if (!series_sort(&p->points.series))
		return false;
	p->plot.times = p->points.times;
	measure(p);
	p->script.n = p->text.n = 0;
	plot_script_put(&p->script, &p->points.series, &p->plot);
	p->took_ms =
	    gnuplot_draw(buffer_span(&p->script), p->options.file, &p->text);
	p->changed = false;
	return true;
}

static void
tick(void *self, const struct tick *tick)
{
	struct tplot *p = self;
	const char *file = p->options.file;

	if (tick->source != TICK_CLOCK || tick->behind ||
	    tick->ms < p->next_ms || !(is_resized(p) || p->changed))
		return;
	if ((file != NULL ? gnuplot_replaces(file) : p->live) && draw(p) &&
	    file == NULL)
		collector_draw(p->collector, buffer_span(&p->text));
	p->next_ms = tick->ms + (1 + REST) * p->took_ms;
}

static void
finish(void *self, int64_t now_ms)
{
	struct tplot *p = self;
	const char *at, *end;

	(void)now_ms;
	if (!draw(p) || p->options.file != NULL)
		return;
	if (p->live)
		collector_erase(p->collector);
	at = p->text.p;
	for (size_t left = p->text.n; left != 0; at = end + 1) {
		end = memchr(at, '\n', left);
		buffer_put(collector_row(p->collector),
		    (struct span){ at, (size_t)(end - at) });
		collector_emit(p->collector, NULL, 0);
		left -= (size_t)(end + 1 - at);
	}
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct tplot *p = self;

	if (i != 0)
		return plot_points_hint(&p->points, i - 1, p->plot.x_label,
		    text);
	if (p->points.series.n == 0 && p->options.file != NULL) {
		buffer_put(text, SPAN("warning: there is nothing to draw; "));
		buffer_put(text, span_of(p->options.file));
		buffer_put(text, SPAN(" was not written"));
	}
	return true;
}

static void
cleanup(void *self)
{
	struct tplot *p = self;

	plot_points_fini(&p->points);
	buffer_fini(&p->script);
	buffer_fini(&p->text);
}

static void
count(const void *self, struct counters *c)
{
	const struct tplot *p = self;

	c->live_keys = p->points.series.n;
}

int
main(int argc, char *argv[])
{
	struct tplot p = { 0 };
	struct bolt bolt = { .self = &p,
		.tick_every_ms = DRAW_MS,
		.waits_for_end = true,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.hint = hint,
		.cleanup = cleanup,
		.count = count };

	return bolt_main(&command, &bolt, argc, argv);
}
