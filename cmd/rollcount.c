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
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "state/window_state.h"
#include "window/sliding_window_counter.h"
#include "window/slot_times.h"
#include "window/time_tracker.h"

#include <math.h>
#include <stdlib.h>

/* Where time comes from. */
enum mode {
	EVENT_TIME,   /* -t */
	EVENT_HELD,   /* -t -l all */
	EVENT_TICKS,  /* -t -i */
	ARRIVAL_TIME, /* neither */
	TICKS,	      /* -i */
};

static const char *
add_aggregates(void *to, struct projection *p, const char *text)
{
	return aggregates_add(to, p, text);
}

/* LENGTH without -w, and EVERY without either. */
enum { LENGTH_MS = 300000, EVERY_MS = 60000 };

struct rollcount {
	struct {
		struct field_range key, time, value;
		struct aggregates aggregates;
		const char *align;
		int64_t length, every, lateness;
		int time_unit;
		bool input_ticks, ticks, drain, no_zeros;
		const char *late;
	} options;
	enum mode mode;
	int64_t align_ms;
	struct sliding_window_counter window;
	struct time_tracker tick_times;
	struct key key;
	struct keys_ahead ahead;
	const struct field *fields; /* of the key */
	struct collector *collector;
	struct buffer tail; /* what the rows of a batch end with */
	struct slot_times times;
	int64_t now_ms;		   /* the watermark, or the last tick */
	int64_t due_ms;		   /* when the next boundary is reached */
	bool started;		   /* now_ms is set */
	struct window_state state; /* with --state */
};

#define AT(option) offsetof(struct rollcount, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "count by these fields; without, all tuples" },
	{ 'a', "aggregate", "AGG", OPTION_LIST, AT(aggregates),
	    .add = add_aggregates, .help = AGGREGATES_HELP },
	{ 'w', "window", "LENGTH", OPTION_DURATION, AT(length),
	    .help = "length of the window, a multiple of EVERY (300s)" },
	{ 'e', "every", "EVERY", OPTION_DURATION, AT(every),
	    .help = "how often it advances (LENGTH; without -w 60s)" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(lateness)),
	{ 'v', "value", "PATH", OPTION_FIELD, AT(value),
	    .help = "add up this number instead of counting" },
	{ 'i', "input-ticks", NULL, OPTION_FLAG, AT(input_ticks),
	    .help = "take the time from the ticks of the input" },
	{ 'T', "ticks", NULL, OPTION_FLAG, AT(ticks),
	    .help = "write a tick after each batch" },
	{ .name = "align",
	    .arg = "TIME",
	    .kind = OPTION_TEXT,
	    .to = AT(align),
	    .help = "count slots from this time, not from the epoch" },
	{ .name = "drain",
	    .kind = OPTION_FLAG,
	    .to = AT(drain),
	    .changeable = true,
	    .help = "at the end go on until every key has left" },
	{ .name = "late",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = AT(late),
	    .changeable = true,
	    .help = "keep late tuples in FILE" },
	{ .name = "no-zeros",
	    .kind = OPTION_FLAG,
	    .to = AT(no_zeros),
	    .help = "leave out the row of a key that has left" },
	OPTION_TIME_UNIT(AT(time_unit)),
	{ 0 },
};

static const struct command command = {
	.name = "rollcount",
	.synopsis = "[-k FIELDS] [-a AGG,... | -v PATH] [-w LENGTH] "
		    "[-e EVERY] [-t PATH] [-l D] [-iT] [--state FILE] "
		    "[FILE...]",
	.purpose = "count tuples per key in a sliding window",
	.examples = "  rollcount -a count,mean:ms,p95:ms,distinct:ip -k path "
		    "-w 5m access.ndjson\n"
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
		sliding_window_counter_put_total(&r->window, row,
		    total);
	}
	buffer_put(row, buffer_span(&r->tail));
	collector_emit(r->collector, NULL, 0);
}

/* Emit the window that ends at a boundary, and its tick. */
static void
emit_batch(struct rollcount *r, int64_t boundary, int64_t end_ms,
    int64_t length_ms)
{
	r->tail.n = 0;
	buffer_put(&r->tail, SPAN(",\"window_end\":"));
	buffer_int(&r->tail, end_ms);
	buffer_put(&r->tail, SPAN(",\"window_seconds\":"));
	buffer_seconds(&r->tail, length_ms < 0 ? 0 : length_ms);
	buffer_byte(&r->tail, '}');
	sliding_window_counter_advance(&r->window, boundary, emit_row, r);
	if (r->options.ticks)
		collector_tick(r->collector, end_ms);
}

/* How much of the window has passed at a boundary. */
static int64_t
length_at(const struct rollcount *r, int64_t boundary)
{
	if (r->mode == ARRIVAL_TIME && boundary < r->window.nslots)
		return boundary * r->options.every;
	return r->options.length;
}

/* Emit all that is due up to a boundary.  Returns the last one emitted. */
static int64_t
advance(struct rollcount *r, int64_t to)
{
	int64_t boundary, last = INT64_MIN;

	while (sliding_window_counter_next(&r->window, &boundary) &&
	    boundary <= to) {
		emit_batch(r, boundary, slot_times_start(&r->times, boundary),
		    length_at(r, boundary));
		last = boundary;
	}
	return last;
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct rollcount *r = self;

	r->fields = context->projection->fields + r->options.key.first;
	r->collector = context->collector;
	r->due_ms = INT64_MIN;
	r->times.every_ms = r->options.every;
	r->times.start_ms = r->align_ms;
	sliding_window_counter_init(&r->window,
	    r->options.length / r->options.every,
	    r->options.aggregates.n == 0 ? NULL : &r->options.aggregates);
	if (r->mode == ARRIVAL_TIME) {
		r->times.start_ms = context->now_ms;
		sliding_window_counter_reach(&r->window, 0);
	}
}

/* The watermark, or a tick, has come to ms. */
static int64_t
move_time(struct rollcount *r, int64_t ms)
{
	int64_t last = INT64_MIN, boundary;

	r->now_ms = ms;
	r->started = true;
	if (ms < r->due_ms)
		return last;
	boundary = slot_times_find(&r->times, ms);
	if (!r->window.started || boundary > r->window.reached) {
		last = advance(r, boundary);
		sliding_window_counter_reach(&r->window, boundary);
	}
	r->due_ms = slot_times_start(&r->times, r->window.reached + 1);
	return last;
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct rollcount *r = self;

	keys_look_ahead(&r->ahead, sliding_window_counter_keys(&r->window), t,
	    n, r->options.key.first, r->options.key.n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct rollcount *r = self;
	const struct key *key =
	    key_of_tuple(&r->key, t, r->options.key.first, r->options.key.n, f);
	struct number x;
	int64_t ms = 0, slot = r->window.reached;

	if (key == NULL)
		return -1;
	if (r->options.value.n != 0) {
		if (tuple_number(t, r->options.value.first, &x, f) < 0)
			return -1;
		if (isinf(x.d))
			return tuple_mismatch(t, r->options.value.first,
			    FAULT_RANGE, "a number that a double can hold", f);
	}
	if (aggregates_check(&r->options.aggregates, t, f) < 0)
		return -1;
	if (r->options.time.n != 0) {
		if (tuple_time(t, r->options.time.first,
			(enum time_unit)r->options.time_unit, &ms, f) < 0)
			return -1;
		ms = ns_to_ms(ms);
		slot = slot_times_find(&r->times, ms);
		if (r->mode == EVENT_TIME &&
		    (!r->started || ms - r->options.lateness > r->now_ms))
			move_time(r, ms - r->options.lateness);
	}
	if (sliding_window_counter_add(&r->window, key, slot,
		r->options.value.n != 0 ? &x : NULL))
		collector_ack(r->collector, t->id);
	else
		collector_late(r->collector, t,
		    r->now_ms + r->options.lateness - ms);
	return 0;
}

/* A tick closes a slot, however long it has been: -i, and Storm. */
static void
close_slot(struct rollcount *r, int64_t ms)
{
	int64_t boundary = r->window.reached + 1, next;

	if (!r->started)
		time_tracker_init(&r->tick_times, (size_t)r->window.nslots,
		    ms - r->options.every);
	r->started = true;
	if (sliding_window_counter_next(&r->window, &next) && next <= boundary)
		emit_batch(r, boundary, ms,
		    ms - time_tracker_oldest(&r->tick_times));
	else if (r->options.ticks)
		collector_tick(r->collector, ms);
	sliding_window_counter_reach(&r->window, boundary);
	time_tracker_mark(&r->tick_times, ms);
}

static void
tick(void *self, const struct tick *tick)
{
	struct rollcount *r = self;
	int64_t last;

	if (tick->source == TICK_CLOCK) {
		move_time(r, tick->ms);
	} else if (r->mode == TICKS ||
	    (r->mode == ARRIVAL_TIME && tick->source == TICK_ALARM)) {
		close_slot(r, tick->ms);
	} else if (r->mode == EVENT_TICKS &&
	    (!r->started || tick->ms > r->now_ms)) {
		last = move_time(r, tick->ms);
		if (r->options.ticks &&
		    (last == INT64_MIN ||
			slot_times_start(&r->times, last) != tick->ms))
			collector_tick(r->collector, tick->ms);
	}
}

static void
finish(void *self, int64_t now_ms)
{
	struct rollcount *r = self;
	int64_t next, passed;

	if (r->options.input_ticks)
		return;
	if (r->mode != ARRIVAL_TIME && r->window.any) {
		advance(r, r->window.last + 1);
	} else if (r->mode == ARRIVAL_TIME &&
	    sliding_window_counter_next(&r->window, &next)) {
		/* The slot that has begun counts as far as it has come. */
		passed =
		    now_ms - slot_times_start(&r->times, r->window.reached);
		emit_batch(r, next, now_ms,
		    length_at(r, next) - r->options.every + passed);
	}
	if (r->options.drain)
		advance(r, INT64_MAX);
}

static void
cleanup(void *self)
{
	struct rollcount *r = self;

	sliding_window_counter_fini(&r->window);
	aggregates_fini(&r->options.aggregates);
	time_tracker_fini(&r->tick_times);
	key_fini(&r->key);
	keys_ahead_fini(&r->ahead);
	buffer_fini(&r->tail);
	window_state_fini(&r->state);
}

static void
count(const void *self, struct counters *c)
{
	const struct rollcount *r = self;

	c->live_keys = sliding_window_counter_live(&r->window);
}

static void
save(void *self, struct store *s)
{
	struct rollcount *r = self;

	window_state_save(&r->state, s);
	store_put_int(s, "start", r->times.start_ms);
	store_put_int(s, "now", r->now_ms);
	store_put_int(s, "timed", r->started);
	if (r->mode == TICKS && r->started)
		window_state_save_ticks(s, &r->tick_times);
}

static void
load(struct rollcount *r, struct store *s)
{
	int64_t most = PACKED_MOST, least = -most;

	/* But for arrival time slots are where they always are. */
	if (r->mode != ARRIVAL_TIME)
		least = most = r->times.start_ms;
	r->times.start_ms = store_get_int_within(s, "start", least, most);
	r->now_ms = store_get_int_within(s, "now", -PACKED_MOST, PACKED_MOST);
	r->started = store_get_int_within(s, "timed", 0, 1) != 0;
	window_state_load(&r->state, s);
	if (r->mode == TICKS && r->started)
		window_state_load_ticks(s, &r->tick_times,
		    (size_t)r->window.nslots);
	else if (r->started &&
	    slot_times_find(&r->times, r->now_ms) > r->window.reached)
		store_damaged(s, "reached");
}

static void
restore(void *self, struct store *s)
{
	struct rollcount *r = self;
	struct span *names = stored_key_names(r->fields, r->options.key.n, 0);

	r->state = (struct window_state){ .window = &r->window,
		.nkeys = key_nparts(r->options.key.n),
		.times = &r->times,
		.sums = r->options.value.n != 0 };
	window_state_open(&r->state, s, names);
	free(names);
	if (!store_is_new(s))
		load(r, s);
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
	if (r->options.length % r->options.every != 0)
		options_misuse(&command,
		    "-w %.15gs%s must be a multiple of -e %.15gs",
		    (double)r->options.length / 1000,
		    given ? "" : " (the default)",
		    (double)r->options.every / 1000);
}

/* Slots are counted from --align. */
static void
set_start(struct rollcount *r)
{
	const char *align = r->options.align;
	int64_t ns;

	if (align == NULL)
		return;
	if (r->options.time.n == 0)
		options_misuse(&command, "--align needs -t");
	if (timestamp_parse(span_of(align),
		(enum time_unit)r->options.time_unit, &ns) != TIMESTAMP_OK)
		options_check(&command, "--align",
		    "expected a time from 1677 to 2262", align);
	r->align_ms = ns_to_ms(ns);
}

/* No member of a row may have the name of another. */
static void
check_names(const struct rollcount *r, const struct field *fields)
{
	size_t n = r->options.aggregates.n;
	struct span *names = memory_new(n + 3, sizeof *names);

	aggregates_names(&r->options.aggregates, names);
	names[n++] = SPAN("window_end");
	names[n++] = SPAN("window_seconds");
	if (r->options.aggregates.n == 0)
		names[n++] = SPAN("count");
	options_check_names(&command, fields, r->options.key.n, names, n);
	free(names);
}

/* Where the options have time come from. */
static enum mode
mode_of_options(const struct rollcount *r)
{
	if (r->options.time.n == 0)
		return r->options.input_ticks ? TICKS : ARRIVAL_TIME;
	if (r->options.input_ticks)
		return EVENT_TICKS;
	return r->options.lateness == LATENESS_ALL ? EVENT_HELD : EVENT_TIME;
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct rollcount *r = bolt->self;

	check_names(r, setup->projection->fields + r->options.key.first);
	if (r->options.aggregates.n != 0 && r->options.value.n != 0)
		options_misuse(&command, "-a and -v exclude each other");
	set_start(r);
	set_window(r);
	if (r->options.input_ticks && r->options.lateness != 0)
		options_misuse(&command, "-i and -l exclude each other");
	if (r->options.input_ticks && r->options.drain)
		options_misuse(&command, "-i and --drain exclude each other");
	if (r->options.lateness != 0 && r->options.time.n == 0)
		options_misuse(&command, "-l needs -t");
	r->mode = mode_of_options(r);
	if (r->mode == ARRIVAL_TIME)
		bolt->tick_every_ms = r->options.every;
	bolt->emits_at_ticks = r->options.input_ticks || r->options.time.n == 0;
	bolt->side = r->options.late;
	bolt->lateness_helps = !r->options.input_ticks;
}

int
main(int argc, char *argv[])
{
	struct rollcount r = { 0 };
	struct bolt bolt = { .self = &r,
		.tick_from_ms = &r.times.start_ms,
		.stays_open = true,
		.side_option = "--late",
		.configure = configure,
		.prepare = prepare,
		.look_ahead = look_ahead,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.restore = restore,
		.save = save };

	return bolt_main(&command, &bolt, argc, argv);
}
