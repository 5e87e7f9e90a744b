/*
 * tplot - draw tuples as a picture, by gnuplot.
 *
 * The picture is drawn anew while input comes, at most once a second, and at
 * the end.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stddef.h>

#include "base/display.h"
#include "base/local_time.h"
#include "io/gnuplot.h"
#include "run/bolt_main.h"
#include "tuple/plot_script.h"
#include "json/text.h"

enum { DRAW_MS = 1000 };

struct tplot {
	struct {
		struct field_range x, y, key;
		int type;
		int64_t slice;
		const char *file;
	} options;
	struct plot_options plot;
	struct series series;
	bool begun;   /* it is known what x is */
	bool changed; /* since it was drawn */
	bool live;    /* it is drawn on a terminal */
	struct key key;
	struct buffer label, script, text;
	const struct projection *projection;
	struct collector *collector;
};

#define AT(option) offsetof(struct tplot, options.option)

static const struct time_form any_form = { .unit = TIME_UNIT_AUTO };

static const char *const types[] = { "line", "step", "bar", NULL };

static const struct option_spec specs[] = {
	{ 'x', "x", "FIELD", OPTION_FIELD, AT(x),
	    .help = "what goes to the right: a number or a time",
	    .required = true },
	{ 'y', "y", "FIELD", OPTION_FIELD, AT(y),
	    .help = "what goes up: a number, or an array of them",
	    .required = true },
	{ 'k', "key", "FIELD", OPTION_FIELD, AT(key),
	    .help = "a line for each value of this field" },
	{ 'o', "output", "FILE", OPTION_TEXT, AT(file),
	    .help = "draw into FILE, .svg or .png (on the terminal)" },
	{ .name = "type",
	    .arg = "TYPE",
	    .kind = OPTION_CHOICE,
	    .to = AT(type),
	    .choices = types,
	    .help = "line (default), step or bar" },
	{ .name = "slice",
	    .arg = "LENGTH",
	    .kind = OPTION_DURATION,
	    .to = AT(slice),
	    .help = "the time that an array is spread over (1h)" },
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
	p->plot.legend = p->options.key.n != 0;
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

	p->live = collector_window(p->collector, &o->columns, &o->lines) &&
	    o->lines != 0;
	if (o->columns == 0)
		o->columns = 80;
	if (p->live && o->lines > 8)
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
	display_init();
	gnuplot_check();
	series_init(&p->series);
	p->plot.x_label = p->projection->fields[p->options.x.first].text;
	p->plot.y_label = p->projection->fields[p->options.y.first].text;
}

/* Tell whether a number is most probably a time: from 2001 to 2100. */
static bool
is_like_time(const struct tuple *t, size_t field)
{
	const int64_t second = 1000000000;
	struct fault ignored = { 0 };
	int64_t ns;

	return tuple_time(t, field, &any_form, &ns, &ignored) == 0 &&
	    ns >= second * second && ns / second < INT64_C(4102444800);
}

/* Read x, which is for all tuples what it is for the first one. */
static int
read_x(struct tplot *p, const struct tuple *t, double *x, struct fault *f)
{
	size_t field = p->options.x.first;
	struct fault ignored = { 0 }, no_time = { 0 };
	struct number number;
	int64_t ns;

	if (!p->begun)
		p->plot.times = is_like_time(t, field) ||
		    (tuple_field(t, field) != NULL &&
			tuple_number(t, field, &number, &ignored) < 0);
	if (!p->begun && p->plot.times &&
	    tuple_time(t, field, &any_form, &ns, &no_time) < 0 &&
	    no_time.kind == FAULT_TIME)
		return tuple_mismatch(t, field, FAULT_TYPE,
		    "a number or a time", f);
	if (!p->plot.times) {
		if (tuple_number(t, field, &number, f) < 0)
			return -1;
		*x = number.d;
		return 0;
	}
	if (tuple_time(t, field, &any_form, &ns, f) < 0)
		return -1;
	*x = (double)local_time_shift(ns_to_ms(ns));
	return 0;
}

/* Append what the legend calls a key: a string decoded. */
static void
put_label(struct buffer *b, const struct value *v)
{
	struct span raw = value_raw(v);

	if (raw.p[0] == '"')
		json_decode(b, (struct span){ raw.p + 1, raw.n - 2 });
	else
		buffer_put(b, raw);
}

/* Read an element of an array: NAN where it is null.  False: it is neither. */
static bool
read_element(struct span value, double *y)
{
	struct number number;

	*y = NAN;
	if (value.p[0] == 'n')
		return true;
	if (!number_is(value) || number_parse(&number, value) < 0 ||
	    isinf(number.d))
		return false;
	*y = number.d;
	return true;
}

static int
add_array(struct tplot *p, const struct tuple *t, const struct key *key,
    double x, struct fault *f)
{
	struct span array = value_raw(tuple_field(t, p->options.y.first)), e;
	struct json_members it = json_elements(array);
	size_t n = 0, i = 0;
	double y;

	for (; json_elements_next(&it, &e); n++)
		if (!read_element(e, &y))
			return tuple_mismatch(t, p->options.y.first, FAULT_TYPE,
			    "an array of numbers", f);
	for (it = json_elements(array); json_elements_next(&it, &e); i++)
		if (read_element(e, &y) && !isnan(y))
			series_add(&p->series, key, buffer_span(&p->label),
			    x +
				(double)p->options.slice * (double)i /
				    (double)n,
			    y);
	return 0;
}

static int
add(struct tplot *p, const struct tuple *t, const struct key *key, double x,
    struct fault *f)
{
	const struct value *v = tuple_field(t, p->options.y.first);
	struct number number;

	if (v != NULL && v->p[0] == 'n')
		return 0;
	if (v != NULL && v->p[0] == '[') {
		if (!p->plot.times)
			return tuple_mismatch(t, p->options.x.first, FAULT_TYPE,
			    "a time, for an array,", f);
		return add_array(p, t, key, x, f);
	}
	if (tuple_number(t, p->options.y.first, &number, f) < 0)
		return -1;
	if (isinf(number.d))
		return tuple_mismatch(t, p->options.y.first, FAULT_RANGE,
		    "a number that a double can hold", f);
	series_add(&p->series, key, buffer_span(&p->label), x, number.d);
	return 0;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct tplot *p = self;
	const struct key *key = NULL;
	double x;

	if (p->options.key.n != 0) {
		if (key_of(&p->key, t, p->options.key.first, 1, f) < 0)
			return -1;
		key = &p->key;
		p->label.n = 0;
		put_label(&p->label, tuple_field(t, p->options.key.first));
	}
	if (read_x(p, t, &x, f) < 0)
		return -1;
	if (isinf(x))
		return tuple_mismatch(t, p->options.x.first, FAULT_RANGE,
		    "a number that a double can hold", f);
	p->begun = true;
	if (add(p, t, key, x, f) < 0)
		return -1;
	p->changed = true;
	collector_ack(p->collector, t->id);
	return 0;
}

/* Draw what there is.  False: there is nothing. */
static bool
draw(struct tplot *p)
{
	if (!series_sort(&p->series))
		return false;
	measure(p);
	p->script.n = p->text.n = 0;
	plot_script_put(&p->script, &p->series, &p->plot);
	gnuplot_draw(buffer_span(&p->script), p->options.file, &p->text);
	p->changed = false;
	return true;
}

static void
tick(void *self, const struct tick *tick)
{
	struct tplot *p = self;

	if (tick->source != TICK_CLOCK || tick->behind || !p->changed)
		return;
	measure(p);
	if ((p->options.file != NULL || p->live) && draw(p) &&
	    p->options.file == NULL)
		collector_draw(p->collector, buffer_span(&p->text));
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
		if (end == NULL)
			break;
		buffer_put(collector_row(p->collector),
		    (struct span){ at, (size_t)(end - at) });
		collector_emit(p->collector, NULL, 0);
		left -= (size_t)(end + 1 - at);
	}
}

static void
cleanup(void *self)
{
	struct tplot *p = self;

	series_fini(&p->series);
	key_fini(&p->key);
	buffer_fini(&p->label);
	buffer_fini(&p->script);
	buffer_fini(&p->text);
}

static void
count(const void *self, struct counters *c)
{
	const struct tplot *p = self;

	c->live_keys = p->series.n;
}

int
main(int argc, char *argv[])
{
	struct tplot p = { .options.slice = 3600000 };
	struct bolt bolt = { .self = &p,
		.tick_every_ms = DRAW_MS,
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
