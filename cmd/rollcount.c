/*
 * rollcount - count tuples per key in a sliding window.
 *
 * Slots are EVERY long and numbered from the epoch (event time) or from the
 * start (arrival time, ticks); the window that ends at boundary b is the
 * LENGTH/EVERY slots before b.  What moves time on is the watermark (-t),
 * the clock, or the ticks of the input (-i).  A key that has left the window
 * is reported once with count 0, then forgotten.
 *
 * Source: RollingCountBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "bolt/interleave.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "state/timed_window_state.h"
#include "window/timed_window.h"

/* LENGTH without -w, and EVERY without either. */
enum { LENGTH_MS = 300000, EVERY_MS = 60000 };

struct rollcount {
	struct interleave interleave; /* first */
	struct {
		struct field_range key, time, value;
		struct aggregates aggregates;
		struct key_limit limit;
		int64_t length, every;
		struct time_options times;
		bool input_ticks, ticks, drain, no_zeros;
		const char *late;
	} options;
	struct timed_window window;
	struct key scratch;
	struct keys_ahead ahead;
	const struct key *key;	    /* of a tuple that was read */
	struct number weight;	    /* of -v */
	const struct field *fields; /* of the key */
	struct collector *collector;
	struct buffer tail;		 /* what the rows of a batch end with */
	struct timed_window_state state; /* with --state */
	bool advises;			 /* of tuples that no tick followed */
};

#define AT(option) offsetof(struct rollcount, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "count by these fields; without, all tuples" },
	{ 'a', "aggregate", "AGG", OPTION_LIST, AT(aggregates),
	    .add = aggregates_add, .help = AGGREGATES_HELP, .excludes = "-v" },
	{ 'w', "window", "LENGTH", OPTION_DURATION, AT(length),
	    .help = "length of the window, a multiple of EVERY (300s)" },
	{ 'e', "every", "EVERY", OPTION_DURATION, AT(every),
	    .help = "how often it advances (LENGTH; without -w 60s)" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(times)),
	OPTION_LIVE(AT(times)),
	{ 'v', "value", "PATH", OPTION_FIELD, AT(value),
	    .help = "add up this number instead of counting" },
	{ 'i', "input-ticks", NULL, OPTION_FLAG, AT(input_ticks),
	    .help = "take the time from the ticks of the input",
	    .excludes = "-l --drain --live --interleave" },
	{ 'T', "ticks", NULL, OPTION_FLAG, AT(ticks),
	    .help = "write a tick after each batch" },
	OPTION_ALIGN(AT(times)),
	{ .name = "drain",
	    .kind = OPTION_FLAG,
	    .to = AT(drain),
	    .changeable = true,
	    .help = "at the end go on until every key has left" },
	OPTION_LATE(AT(late)),
	{ .name = "no-zeros",
	    .kind = OPTION_FLAG,
	    .to = AT(no_zeros),
	    .help = "leave out the row of a key that has left" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	OPTIONS_INTERLEAVE(AT(times)),
	OPTIONS_TIME(AT(times)),
	{ 0 },
};

static const struct command command = {
	.name = "rollcount",
	.synopsis = "[-k FIELDS] [-a AGG,... | -v PATH] [-w LENGTH] "
		    "[-e EVERY] [-t PATH] [-l D] [-iT] [--state FILE] "
		    "[FILE...]",
	.purpose = "count tuples per key in a sliding window",
	.examples = "  rollcount -k path -t ts -w 5m "
		    "-a count,mean:ms,p95:ms,distinct:ip \\\n"
		    "      access.ndjson\n"
		    "  rollcount -k user -t ts -w 1h -e 10m edits.ndjson\n"
		    "  tail -F access.ndjson | rollcount -k status -w 60s "
		    "-e 5s\n"
		    "  spout words | rollcount -k word -w 9s -e 3s -t ts -T |\n"
		    "      topn -n 5 -k word -v count\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
emit_row(void *self, struct span spelling, struct total total,
    const void *value, bool farewell)
{
	struct rollcount *r = self;
	struct buffer *row;

	if (farewell && r->options.no_zeros)
		return;
	row = collector_row(r->collector);
	key_start_row(row, r->fields, r->options.key.n, spelling);
	if (r->options.aggregates.n != 0) {
		aggregates_put(&r->options.aggregates, row, value);
	} else {
		buffer_put(row, SPAN("\"count\":"));
		sliding_window_counter_put_total(&r->window.counter, row,
		    total);
	}
	buffer_put(row, buffer_span(&r->tail));
	collector_emit(r->collector, NULL, 0);
}

/* Emit the window that ends at a boundary, and its tick. */
static void
emit_batch(void *self, int64_t boundary, int64_t end_ms, int64_t length_ms)
{
	struct rollcount *r = self;

	r->tail.n = 0;
	buffer_put(&r->tail, SPAN(",\"window_end\":"));
	buffer_int(&r->tail, end_ms);
	buffer_put(&r->tail, SPAN(",\"window_seconds\":"));
	buffer_seconds(&r->tail, length_ms < 0 ? 0 : length_ms);
	buffer_byte(&r->tail, '}');
	sliding_window_counter_advance(&r->window.counter, boundary, emit_row,
	    r);
	if (r->options.ticks)
		collector_tick(r->collector, end_ms);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct rollcount *r = self;

	r->fields = context->projection->fields + r->options.key.first;
	r->collector = context->collector;
	r->advises = context->advises && r->options.input_ticks &&
	    (context->final || !context->has_state);
	interleave_prepare(&r->interleave, context);
	timed_window_init(&r->window,
	    r->options.aggregates.n == 0 ? NULL : &r->options.aggregates,
	    context->now_ms);
	timed_window_set_limit(&r->window, key_limit_of(&r->options.limit));
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct rollcount *r = self;

	sliding_window_counter_look_ahead(&r->window.counter, &r->ahead, t, n,
	    r->options.key.first, r->options.key.n);
}

static void
move_time(void *self, int64_t ms)
{
	struct rollcount *r = self;

	timed_window_move(&r->window, ms);
}

/* All but its time; see interleave.h. */
static int
read_tuple(void *self, const struct tuple *t, struct fault *f)
{
	struct rollcount *r = self;

	r->key = key_of_tuple(&r->scratch, t, r->options.key.first,
	    r->options.key.n, f);
	if (r->key == NULL)
		return -1;
	if (r->options.value.n != 0 &&
	    tuple_double(t, r->options.value.first, &r->weight, f) < 0)
		return -1;
	return aggregates_check(&r->options.aggregates, t, f);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct rollcount *r = self;
	int64_t ms = 0, late_ms;

	if (read_tuple(r, t, f) < 0)
		return -1;
	if (r->options.time.n != 0) {
		if (interleave_time(&r->interleave, t, &ms, f) < 0)
			return -1;
		interleave_see(&r->interleave, t, ms);
		/* Read anew if the time was decoded in its place. */
		if (r->options.value.n != 0 &&
		    tuple_field(t, r->options.value.first)->escaped)
			tuple_double(t, r->options.value.first, &r->weight,
			    NULL);
	}
	if (timed_window_add(&r->window, r->key, ms,
		r->options.value.n != 0 ? &r->weight : NULL, &late_ms))
		collector_ack(r->collector, t->id);
	else if (key_limit_check(&r->options.limit, f) < 0)
		return -1;
	else
		collector_late(r->collector, t, late_ms);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct rollcount *r = self;
	struct timed_window *w = &r->window;
	bool told = true; /* a tick has been written for this one */

	if (tick->source == TICK_LIVE)
		interleave_go_on(&r->interleave, w->started, w->now_ms, tick);
	else if (tick->source == TICK_CLOCK)
		timed_window_move(w, tick->ms);
	else if (w->time == WINDOW_BY_TICKS ||
	    (w->time == WINDOW_BY_ARRIVAL && tick->source == TICK_ALARM))
		told = timed_window_close_slot(w, tick->ms);
	else if (r->options.input_ticks &&
	    (!w->started || tick->ms > w->now_ms))
		told = timed_window_move(w, tick->ms) == tick->ms;
	if (r->options.ticks && !told)
		collector_tick(r->collector, tick->ms);
}

static void
finish(void *self, int64_t now_ms)
{
	struct rollcount *r = self;

	if (!r->options.input_ticks)
		timed_window_finish(&r->window, now_ms, r->options.drain);
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct rollcount *r = self;

	if (i == 0 && r->advises && timed_window_lacks(&r->window))
		buffer_put(text,
		    SPAN("tuples after the last tick are in no row"));
	return i == 0;
}

static void
cleanup(void *self)
{
	struct rollcount *r = self;

	interleave_fini(&r->interleave);
	timed_window_fini(&r->window);
	aggregates_fini(&r->options.aggregates);
	key_fini(&r->scratch);
	keys_ahead_fini(&r->ahead);
	buffer_fini(&r->tail);
	timed_window_state_fini(&r->state);
}

static void
count(const void *self, struct counters *c)
{
	const struct rollcount *r = self;

	c->live_keys = sliding_window_counter_live(&r->window.counter);
	interleave_count(&r->interleave, &r->window.behind, c);
}

static void
save(void *self, struct store *s)
{
	struct rollcount *r = self;

	timed_window_state_save(&r->state, s);
	interleave_save(&r->interleave, s);
}

static void
restore(void *self, struct store *s)
{
	struct rollcount *r = self;
	struct span *names = stored_key_names(r->fields, r->options.key.n, 0);

	timed_window_state_open(&r->state, &r->window, s, names,
	    key_nparts(r->options.key.n), r->options.value.n != 0);
	interleave_restore(&r->interleave, s);
	free(names);
}

/* A window of which only the length is given tumbles. */
static void
set_window(struct rollcount *r)
{
	bool given = r->options.length != 0;

	if (r->options.every == 0)
		r->options.every = given ? r->options.length : EVERY_MS;
	if (!given)
		r->options.length = LENGTH_MS;
	options_check_multiple(&command, "-w", r->options.length,
	    given ? "" : " (the default)", "-e", r->options.every);
}

/* No member of a row may have the name of another. */
static void
check_names(const struct rollcount *r, const struct field *fields)
{
	const struct span others[] = { SPAN("window_end"),
		SPAN("window_seconds"), SPAN("count") };

	aggregates_check_names(&r->options.aggregates, &command, fields,
	    r->options.key.n, others, r->options.aggregates.n == 0 ? 3 : 2);
}

/* Where the options have time come from. */
static enum window_time
time_of_options(const struct rollcount *r)
{
	if (r->options.time.n == 0)
		return r->options.input_ticks ? WINDOW_BY_TICKS :
						WINDOW_BY_ARRIVAL;
	if (r->options.input_ticks || r->options.times.interleave)
		return WINDOW_BY_EVENTS_AND_TICKS;
	return r->options.times.lateness == LATENESS_ALL ?
	    WINDOW_BY_EVENTS_HELD :
	    WINDOW_BY_EVENTS;
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct rollcount *r = bolt->self;

	check_names(r, setup->projection->fields + r->options.key.first);
	set_window(r);
	r->interleave.move = move_time;
	r->interleave.read = read_tuple;
	r->interleave.held_ms = r->options.every;
	interleave_configure(&r->interleave, &r->options.times,
	    &r->options.time, bolt, setup);
	r->window.time = time_of_options(r);
	r->window.align_ms = time_options_start(&r->options.times, &command);
	r->window.length_ms = r->options.length;
	r->window.every_ms = r->options.every;
	r->window.lateness_ms = r->options.times.lateness;
	r->window.self = r;
	r->window.emit = emit_batch;
	bolt->by_clock = r->window.time == WINDOW_BY_ARRIVAL;
	if (bolt->by_clock)
		bolt->tick_every_ms = r->options.every;
	bolt->every_option = "-e";
	bolt->emits_at_ticks = r->options.input_ticks || r->options.time.n == 0;
	bolt->side = r->options.late;
	bolt->waits_for_ticks = r->options.input_ticks;
	bolt->lateness_helps = !r->options.input_ticks;
	bolt->behind = "windows had been written that lack";
}

int
main(int argc, char *argv[])
{
	struct rollcount r = { 0 };
	struct bolt bolt = { .self = &r,
		.tick_from_ms = &r.window.times.start_ms,
		.stays_open = true,
		.side_option = "--late",
		.configure = configure,
		.prepare = prepare,
		.look_ahead = look_ahead,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.hint = hint,
		.cleanup = cleanup,
		.count = count,
		.restore = restore,
		.save = save };

	return bolt_main(&command, &bolt, argc, argv);
}
