/*
 * keep - pass on the tuples for which a condition is true.
 *
 * Ticks pass, so that what counts batches behind it still can.
 *
 * Source: Filter.isKeep of Storm's Trident.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/diagnostics.h"
#include "run/pipeline_runner.h"
#include "tuple/condition.h"

static struct {
	bool invert;
} options;

static const struct option_spec specs[] = {
	{ 'v', "invert", NULL, OPTION_FLAG, &options.invert,
	    .help = "pass on those for which it is not true" },
	{ 0 },
};

static struct projection projection;

static const struct command command = {
	.name = "keep",
	.synopsis = "[-v] CONDITION [FILE...]",
	.purpose = "pass on the tuples that meet a condition",
	.examples = "  keep 'status >= 500' access.ndjson\n"
		    "  keep 'path =~ \"^/api/\" && !user' access.ndjson | "
		    "tally -k path\n"
		    "  tail -F access.ndjson | keep 'ms > 1000'\n",
	.options = specs,
	.common = pipeline_runner_options,
	.storm = pipeline_runner_storm_options,
	.projection = &projection,
};

struct keep {
	struct condition *condition;
	struct collector *collector;
};

static void
prepare(void *self, struct collector *c, int64_t now_ms)
{
	struct keep *k = self;

	(void)now_ms;
	k->collector = c;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct keep *k = self;

	(void)f;
	if (condition_holds(k->condition, t) != options.invert) {
		buffer_put(collector_row(k->collector), t->line);
		collector_emit(k->collector, &t->id, 1);
	}
	collector_ack(k->collector, t->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct keep *k = self;

	if (tick->source == TICK_INPUT)
		collector_tick(k->collector, tick->ms);
}

static void
finish(void *self, int64_t now_ms)
{
	(void)self;
	(void)now_ms;
}

static void
cleanup(void *self)
{
	struct keep *k = self;

	condition_free(k->condition);
}

static void
count(const void *self, struct counters *c)
{
	(void)self;
	(void)c;
}

int
main(int argc, char *argv[])
{
	struct keep k = { 0 };
	struct bolt bolt = { .self = &k,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count };
	struct pipeline_runner runner = { .command = &command, .bolt = &bolt };
	struct fault fault = { 0 };
	int first;

	diagnostics_init(argv[0]);
	projection_init(&projection);
	first = options_parse(&command, argc, argv);
	if (first == argc)
		options_misuse(&command, "a CONDITION is required");
	k.condition = condition_new(span_of(argv[first]), &projection, &fault);
	if (k.condition == NULL)
		die_at(span_of(argv[first]), fault.column, fault.message);
	first++;
	return pipeline_runner_run(&runner, argv + first,
	    (size_t)(argc - first));
}
