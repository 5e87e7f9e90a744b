/*
 * dedup - pass on the first tuple of each key, and drop its repeats.
 *
 * With -w a key is forgotten LENGTH after it was passed on; without, a key is
 * passed on once.  With --state the keys of all runs are in a file: it is
 * asked for those of many tuples at once, which wait for the answer.
 *
 * Source: the filter of duplicates that Flink and ksqlDB have recipes for.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "base/duration.h"
#include "bolt/interleave.h"
#include "bolt/seen_keys.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"

struct dedup {
	struct interleave interleave; /* first */
	struct {
		struct field_range key, time;
		int64_t length;
		struct time_options times;
		struct key_limit limit;
		const char *dropped;
	} options;
	struct seen_keys seen;
	struct collector *collector;
	uint64_t dropped;
};

#define AT(option) offsetof(struct dedup, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "the fields that tell what is the same (all of it)" },
	{ 'w', "window", "LENGTH", OPTION_DURATION, AT(length),
	    .help = "only those less than LENGTH apart are (ever)" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(times)),
	{ .name = "dropped",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(dropped),
	    .changeable = true,
	    .help = "keep the repeats in FILE" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	OPTIONS_INTERLEAVE(AT(times)),
	OPTIONS_TIME(AT(times)),
	{ 0 },
};

static const struct command command = {
	.name = "dedup",
	.synopsis = "[-k FIELDS] [-w LENGTH] [-t PATH] [-l D] [--state FILE] "
		    "[FILE...]",
	.purpose = "drop the repeats of a key",
	.examples = "  dedup -k id events.ndjson\n"
		    "  tail -F alerts.ndjson | dedup -k rule,host -w 10m\n"
		    "  dedup -k id -w 1h -t ts -l 5m --dropped twice.ndjson "
		    "events.ndjson\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
prepare(void *self, const struct bolt_context *context)
{
	struct dedup *d = self;

	d->collector = context->collector;
	interleave_prepare(&d->interleave, context);
	d->seen.key = d->options.key;
	d->seen.fields = context->projection->fields + d->options.key.first;
	d->seen.length_ms = d->options.length;
	d->seen.lateness_ms = d->options.times.lateness;
	d->seen.watermark = &d->interleave.watermark;
	d->seen.several = d->options.times.interleave;
	d->seen.stored = context->has_state;
	d->seen.limit = key_limit_of(&d->options.limit);
	seen_keys_init(&d->seen);
}

static void
look_ahead(void *self, struct tuple *const *tuples, size_t n)
{
	struct dedup *d = self;

	seen_keys_look_ahead(&d->seen, tuples, n);
}

/* Drop a tuple whose key is known, or pass it on. */
static void
settle(void *self, uint64_t id, struct span line, bool known)
{
	struct dedup *d = self;

	if (!known) {
		buffer_put(collector_row(d->collector), line);
		collector_emit(d->collector, &id, 1);
	} else {
		d->dropped++;
		if (collector_has_side(d->collector))
			collector_side(d->collector, id, line);
	}
	collector_ack(d->collector, id);
}

static void
catch_up(void *self)
{
	struct dedup *d = self;

	seen_keys_answer(&d->seen, settle, d);
}

/* All but its time; see interleave.h. */
static int
read_key(void *self, const struct tuple *t, struct fault *f)
{
	struct dedup *d = self;

	return seen_keys_read(&d->seen, t, f);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct dedup *d = self;
	int64_t time_ms = t->now_ms;
	enum seen seen;

	if (read_key(d, t, f) < 0)
		return -1;
	if (d->options.time.n != 0 &&
	    interleave_time(&d->interleave, t, &time_ms, f) < 0)
		return -1;
	if (d->options.length != 0 || d->options.time.n != 0)
		watermark_see(&d->interleave.watermark, t->stream, time_ms);
	seen = seen_keys_see(&d->seen, t, time_ms);
	if (key_limit_check(&d->options.limit, f) < 0)
		return -1;
	if (seen != SEEN_UNKNOWN)
		settle(d, t->id, t->line, seen == SEEN_BEFORE);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct dedup *d = self;

	if (tick->source != TICK_INPUT || d->options.times.interleave)
		return;
	catch_up(d);
	collector_tick(d->collector, tick->ms);
}

static void
cleanup(void *self)
{
	struct dedup *d = self;

	seen_keys_fini(&d->seen);
	interleave_fini(&d->interleave);
}

static void
count(const void *self, struct counters *c)
{
	const struct dedup *d = self;

	c->live_keys = seen_keys_live(&d->seen);
	interleave_count(&d->interleave, seen_keys_behind(&d->seen), c);
}

static void
report(const void *self, struct buffer *members)
{
	const struct dedup *d = self;

	counters_put_more(members, "", "dropped", d->dropped);
}

/* Warn of tuples that passed but may be repeats: the output does not tell. */
static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct dedup *d = self;
	int64_t by;
	uint64_t n = seen_keys_late(&d->seen, &by);

	if (i != 0)
		return false;
	if (n == 0 || d->options.time.n == 0)
		return true;
	buffer_put(text, SPAN("warning: "));
	buffer_int(text, (int64_t)n);
	buffer_put(text, n == 1 ? SPAN(" late tuple") : SPAN(" late tuples"));
	buffer_put(text,
	    SPAN(" passed, repeats or not, as what came "
		 "before them was forgotten; -l "));
	duration_put_lateness(text, d->options.times.lateness + by);
	buffer_put(text, SPAN(" remembers it long enough"));
	return true;
}

static void
restore(void *self, struct store *store)
{
	struct dedup *d = self;

	seen_keys_restore(&d->seen, store);
	if (d->options.length != 0)
		interleave_restore(&d->interleave, store);
}

static void
save(void *self, struct store *store)
{
	struct dedup *d = self;

	seen_keys_save(&d->seen, store);
	if (d->options.length != 0)
		interleave_save(&d->interleave, store);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct dedup *d = bolt->self;

	/* Arrival times are not known ahead. */
	if (d->options.length == 0 || d->options.time.n != 0)
		bolt->look_ahead = look_ahead;
	d->interleave.read = read_key;
	interleave_configure(&d->interleave, &d->options.times,
	    &d->options.time, bolt, setup);
	bolt->by_clock = d->options.length != 0 && d->options.time.n == 0;
	bolt->side = d->options.dropped;
	bolt->lateness_helps = d->options.time.n != 0;
	bolt->behind = "tuples had been forgotten that may equal";
}

int
main(int argc, char *argv[])
{
	struct dedup dedup = { 0 };
	struct bolt bolt = { .self = &dedup,
		.side_option = "--dropped",
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.catch_up = catch_up,
		.tick = tick,
		.cleanup = cleanup,
		.count = count,
		.report = report,
		.hint = hint,
		.hints_of_part = true,
		.restore = restore,
		.save = save };

	return bolt_main(&command, &bolt, argc, argv);
}
