/*
 * rollagg - add up the partial counts that several sources hold of one key.
 *
 * What counts in N workers at once, each with a part of the stream, gives N
 * counts of a key.  The latest of each is kept, and their sum emitted when a
 * tick tells that all have reported.
 *
 * Source: RollingCountAggBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <math.h>

#include "base/diagnostics.h"
#include "run/bolt_main.h"
#include "tuple/field_path.h"
#include "window/partial_sums.h"

struct rollagg {
	struct {
		struct field_range key, value, source;
		bool ticks;
		struct key_limit limit;
	} options;
	struct partial_sums sums;
	struct key key, source;
	struct buffer row;
	struct collector *collector;
	struct span value; /* the name of its field */
	bool ticked;	   /* batches end with ticks */
	bool advises;	   /* as in struct bolt_context */
};

#define AT(option) offsetof(struct rollagg, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "add up by these fields", .required = true },
	{ 'v', "value", "PATH", OPTION_FIELD, AT(value),
	    .help = "the number to add up (count)" },
	{ 's', "source", "PATH", OPTION_FIELD, AT(source),
	    .help = "which source it comes from (task)" },
	{ 'T', "ticks", NULL, OPTION_FLAG, AT(ticks), .help = "pass ticks on" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "rollagg",
	.synopsis = "-k FIELDS [-v PATH] [-s PATH] [-T] [FILE...]",
	.purpose = "add up partial counts of several sources",
	.examples = "  pkgroup -n 4 -k word -t ts -e 3s --tag task -- \\\n"
		    "      rollcount -i -T -k word -t ts -w 9s -e 3s |\n"
		    "      rollagg -k word -T | topn -n 5 -k word -v count\n",
	.options = specs,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
emit_row(void *self, struct span before, struct total sum, struct span after)
{
	struct rollagg *r = self;
	struct buffer *row = collector_row(r->collector);

	buffer_put(row, before);
	partial_sums_put_sum(&r->sums, row, sum);
	buffer_put(row, after);
	collector_emit(r->collector, NULL, 0);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct rollagg *r = self;

	r->collector = context->collector;
	r->advises = context->advises;
	r->value = context->projection->fields[r->options.value.first].text;
	partial_sums_init(&r->sums);
	r->sums.limit = key_limit_of(&r->options.limit);
}

/* The tuple without its source, apart at the value. */
static void
split(struct rollagg *r, const struct tuple *t, struct span *before,
    struct span *after)
{
	struct span line = t->line, cut;
	struct span value = value_raw(tuple_field(t, r->options.value.first));
	struct span source = value_raw(tuple_field(t, r->options.source.first));
	const char *end = line.p + line.n, *from = value.p + value.n;
	size_t n;

	r->row.n = 0;
	*before = (struct span){ line.p, (size_t)(value.p - line.p) };
	*after = (struct span){ from, (size_t)(end - from) };
	if (!tuple_member_of(line, source, &cut) ||
	    (value.p >= cut.p && value.p < cut.p + cut.n))
		return;
	if (cut.p < value.p) {
		n = (size_t)(cut.p - line.p);
		buffer_put(&r->row, (struct span){ line.p, n });
		n += cut.n;
		buffer_put(&r->row, (struct span){ line.p + n, before->n - n });
		*before = buffer_span(&r->row);
	} else {
		n = (size_t)(cut.p - from);
		buffer_put(&r->row, (struct span){ from, n });
		n += cut.n;
		buffer_put(&r->row, (struct span){ from + n, after->n - n });
		*after = buffer_span(&r->row);
	}
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct rollagg *r = self;
	struct span before, after;
	struct number x;

	if (key_of(&r->key, t, r->options.key.first, r->options.key.n, f) < 0 ||
	    key_of(&r->source, t, r->options.source.first, 1, f) < 0 ||
	    tuple_number_or_null(t, r->options.value.first, &x, f) < 0)
		return -1;
	if (isinf(x.d))
		return tuple_mismatch(t, r->options.value.first, FAULT_RANGE,
		    "a number that a double can hold", f);
	split(r, t, &before, &after);
	if (!partial_sums_put(&r->sums, &r->key, &r->source, &x, before, after))
		return key_limit_check(&r->options.limit, f);
	collector_ack(r->collector, t->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct rollagg *r = self;

	r->ticked = true;
	partial_sums_report(&r->sums, emit_row, r);
	if (r->options.ticks)
		collector_tick(r->collector, tick->ms);
}

/* What came after the last tick may be half of a batch. */
static void
finish(void *self, int64_t now_ms)
{
	struct rollagg *r = self;
	size_t n = partial_sums_changed(&r->sums);

	(void)now_ms;
	if (!r->ticked)
		partial_sums_report(&r->sums, emit_row, r);
	else if (n != 0)
		warn_plain("warning: rows of %zu key%s after the last tick "
			   "are left out: no tick has ended their batch",
		    n, n == 1 ? "" : "s");
}

/* A mean, say, is of one source only, but looks like that of all. */
static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct rollagg *r = self;

	if (i != 0)
		return false;
	if (!r->advises || !r->sums.differ)
		return true;
	buffer_put(text, SPAN("only '"));
	buffer_put(text, r->value);
	buffer_put(text,
	    r->ticked ? SPAN("' is added up, but rows of a key differ in more: "
			     "what else is written is that of the last") :
			SPAN("' is added up, but rows of a key differ in more, "
			     "and no tick (-T) has ended their batches: what "
			     "else is written is that of the last"));
	return true;
}

static void
cleanup(void *self)
{
	struct rollagg *r = self;

	partial_sums_fini(&r->sums);
	key_fini(&r->key);
	key_fini(&r->source);
	buffer_fini(&r->row);
}

static void
count(const void *self, struct counters *c)
{
	const struct rollagg *r = self;

	c->live_keys = partial_sums_live(&r->sums);
}

/* Tell whether two fields are the same one, however they are written. */
static bool
are_same(struct span a, struct span b)
{
	struct field_path x = { 0 }, y = { 0 };
	bool same = field_path_parse(&x, a) == NULL &&
	    field_path_parse(&y, b) == NULL && x.n == y.n;

	for (size_t i = 0; same && i < x.n; i++)
		same = span_eq(x.steps[i].name, y.steps[i].name) &&
		    x.steps[i].index == y.steps[i].index;
	field_path_fini(&x);
	field_path_fini(&y);
	return same;
}

/*
 * A row has the sum in place of the count, and no source: so neither can be a
 * part of the key, nor the other.
 */
static void
refuse_fields(const struct rollagg *r, const struct bolt_setup *setup)
{
	const struct field *fields = setup->projection->fields;
	const struct field *source = &fields[r->options.source.first];
	const struct field *value = &fields[r->options.value.first];
	const struct field *key = &fields[r->options.key.first];
	const struct field *end = key + r->options.key.n;

	if (are_same(value->text, source->text))
		options_misuse(setup->command,
		    "-v: '%s' tells whose a count is (-s), so it is not added "
		    "up",
		    value->text.p);
	if (are_same(value->text, SPAN("__tick")))
		options_misuse(setup->command,
		    "no member can be named '__tick', as ticks are");
	for (; key < end; key++) {
		if (are_same(key->text, source->text))
			options_misuse(setup->command,
			    "-k: '%s' tells whose a count is (-s), so it is no "
			    "key",
			    key->text.p);
		if (are_same(key->text, value->text))
			options_misuse(setup->command,
			    "-k: '%s' is the count (-v), so it is no key",
			    key->text.p);
	}
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct rollagg *r = bolt->self;
	struct projection *p = setup->projection;

	if (r->options.value.n == 0)
		projection_add(p, "count", &r->options.value.first,
		    &r->options.value.n);
	if (r->options.source.n == 0)
		projection_add(p, "task", &r->options.source.first,
		    &r->options.source.n);
	refuse_fields(r, setup);
}

int
main(int argc, char *argv[])
{
	struct rollagg r = { 0 };
	struct bolt bolt = { .self = &r,
		.emits_at_ticks = true,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.hint = hint };

	return bolt_main(&command, &bolt, argc, argv);
}
