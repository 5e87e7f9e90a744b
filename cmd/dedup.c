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
#include "join/repeats.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "state/known_keys.h"
#include "state/repeat_state.h"

struct dedup {
	struct interleave interleave; /* first */
	struct {
		struct field_range key, time;
		int64_t length;
		struct time_options times;
		struct key_limit limit;
		const char *dropped;
	} options;
	struct repeats repeats;	     /* with -w */
	struct hash_map once;	     /* without */
	struct known_keys known;     /* without, with --state */
	const struct hash_map *keys; /* of the one that is in use */
	struct repeat_state state;
	const struct field *fields; /* of the key */
	struct key scratch;
	struct keys_ahead ahead;
	/* With -w: to each of these keys, and to scratch. */
	struct repeats_near near[TUPLE_AHEAD + 1];
	const struct key *key; /* of a tuple that was read */
	struct collector *collector;
	bool stored; /* the keys are in a state */
	bool asks;   /* known, which answers in catch_up */
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
	struct key_limit *limit = key_limit_of(&d->options.limit);

	d->collector = context->collector;
	d->stored = context->has_state;
	d->fields = context->projection->fields + d->options.key.first;
	interleave_prepare(&d->interleave, context);
	if (d->options.length != 0) {
		repeats_init(&d->repeats, d->options.length,
		    d->options.times.lateness);
		d->repeats.limit = limit;
		d->keys = repeats_keys(&d->repeats);
	} else if (context->has_state) {
		d->asks = true;
		known_keys_init(&d->known, key_nparts(d->options.key.n), limit);
		d->keys = known_keys_held(&d->known);
	} else {
		hash_map_init(&d->once, 0);
		d->keys = &d->once;
	}
}

/* Make the key of a tuple: of its whole line, which a state has as text. */
static int
make_key(const struct dedup *d, struct key *k, const struct tuple *t,
    struct fault *f)
{
	struct field_range fields = d->options.key;

	if (fields.n != 0)
		return key_of(k, t, fields.first, fields.n, f);
	key_of_line(k, t->line, d->stored);
	return 0;
}

static void
look_ahead(void *self, struct tuple *const *tuples, size_t n)
{
	struct dedup *d = self;
	struct field_range fields = d->options.key;
	bool within = d->options.length != 0;

	if (!within && fields.n != 0) {
		keys_look_ahead(&d->ahead, d->keys, tuples, n, fields.first,
		    fields.n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tuple *t = tuples[i];
		struct key *k = &d->ahead.keys[i];

		if ((within && !t->timed) || make_key(d, k, t, NULL) < 0)
			continue;
		t->key = k;
		if (within)
			repeats_look(&d->repeats, &d->near[i], k->bytes,
			    ns_to_ms(t->time_ns));
		else
			hash_map_prefetch(d->keys, k->hash);
	}
	if (!within)
		keys_find_ahead(d->ahead.keys, n, d->keys);
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

	if (d->asks)
		known_keys_answer(&d->known, settle, d);
}

/* What is near to the tuple that was read: as looked for ahead, or now. */
static const struct repeats_near *
near_to(struct dedup *d, int64_t time_ms)
{
	struct repeats_near *near = &d->near[TUPLE_AHEAD];

	if (d->key != &d->scratch)
		return &d->near[d->key - d->ahead.keys];
	repeats_look(&d->repeats, near, d->key->bytes, time_ms);
	return near;
}

/* Tell whether a tuple's key is new, or has been forgotten. */
static bool
passes(struct dedup *d, int64_t time_ms)
{
	const struct key *key = d->key;
	bool added;

	if (d->options.length != 0)
		return repeats_pass(&d->repeats, near_to(d, time_ms),
		    d->interleave.watermark.now);
	if (key_limit_refuses(key_limit_of(&d->options.limit), d->once.live,
		&d->once, key))
		return false;
	hash_map_put_hinted(&d->once, key->hint, key->bytes, key->bytes,
	    key->hash, &added);
	return added;
}

/* All but its time; see interleave.h. */
static int
read_key(void *self, const struct tuple *t, struct fault *f)
{
	struct dedup *d = self;

	d->key = t->key;
	if (d->key != NULL)
		return 0;
	d->key = &d->scratch;
	return make_key(d, &d->scratch, t, f);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct dedup *d = self;
	int64_t time_ms = t->now_ms;
	bool known = false;

	if (read_key(d, t, f) < 0)
		return -1;
	if (d->options.time.n != 0 &&
	    interleave_time(&d->interleave, t, &time_ms, f) < 0)
		return -1;
	if (d->options.length != 0 || d->options.time.n != 0)
		watermark_see(&d->interleave.watermark, t->stream, time_ms);
	if (d->asks)
		known_keys_ask(&d->known, d->key, t->id, t->line);
	else
		known = !passes(d, time_ms);
	if (key_limit_check(&d->options.limit, f) < 0)
		return -1;
	if (!d->asks)
		settle(d, t->id, t->line, known);
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

	if (d->options.length != 0)
		repeats_fini(&d->repeats);
	else if (d->asks)
		known_keys_fini(&d->known);
	else
		hash_map_fini(&d->once);
	repeat_state_fini(&d->state);
	interleave_fini(&d->interleave);
	key_fini(&d->scratch);
	keys_ahead_fini(&d->ahead);
	for (size_t i = 0; i < TUPLE_AHEAD + 1; i++)
		repeats_near_fini(&d->near[i]);
}

static void
count(const void *self, struct counters *c)
{
	const struct dedup *d = self;

	c->live_keys = d->keys->live;
	interleave_count(&d->interleave, &d->repeats.behind, c);
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
	uint64_t n = d->repeats.nlate;
	int64_t by;

	if (i != 0)
		return false;
	if (n == 0 || d->options.time.n == 0)
		return true;
	by = d->options.times.lateness + d->repeats.max_late;
	buffer_put(text, SPAN("warning: "));
	buffer_int(text, (int64_t)n);
	buffer_put(text, n == 1 ? SPAN(" late tuple") : SPAN(" late tuples"));
	buffer_put(text,
	    SPAN(" passed, repeats or not, as what came "
		 "before them was forgotten; -l "));
	duration_put_lateness(text, by);
	buffer_put(text, SPAN(" remembers it long enough"));
	return true;
}

static void
restore(void *self, struct store *store)
{
	struct dedup *d = self;
	struct span *names = field_plain_names(d->fields, d->options.key.n, 1);

	if (d->options.key.n == 0)
		names[0] = SPAN("_hash");
	if (d->options.length != 0) {
		d->state = (struct repeat_state){ .repeats = &d->repeats,
			.watermark = &d->interleave.watermark,
			.several = d->options.times.interleave,
			.nkeys = key_nparts(d->options.key.n) };
		repeat_state_open(&d->state, store, names);
		interleave_restore(&d->interleave, store);
	} else {
		known_keys_restore(&d->known, store, names);
	}
	free(names);
}

static void
save(void *self, struct store *store)
{
	struct dedup *d = self;

	if (d->options.length != 0) {
		repeat_state_save(&d->state, store);
		interleave_save(&d->interleave, store);
	} else {
		known_keys_save(&d->known, store);
	}
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
