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

static struct {
	struct field_range key, time, value;
	int64_t length, every, lateness;
	int time_unit;
	bool input_ticks, ticks, drain, no_zeros;
	const char *late;
} options;

/* LENGTH without -w, and EVERY without either. */
enum { LENGTH_MS = 300000, EVERY_MS = 60000 };

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, &options.key,
	    .help = "count by these fields", .required = true },
	{ 'w', "window", "LENGTH", OPTION_DURATION, &options.length,
	    .help = "length of the window, a multiple of EVERY (300s)" },
	{ 'e', "every", "EVERY", OPTION_DURATION, &options.every,
	    .help = "how often it advances (LENGTH; without -w 60s)" },
	{ 't', "time", "PATH", OPTION_FIELD, &options.time,
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(&options.lateness),
	{ 'v', "value", "PATH", OPTION_FIELD, &options.value,
	    .help = "add up this number instead of counting" },
	{ 'i', "input-ticks", NULL, OPTION_FLAG, &options.input_ticks,
	    .help = "take the time from the ticks of the input" },
	{ 'T', "ticks", NULL, OPTION_FLAG, &options.ticks,
	    .help = "write a tick after each batch" },
	{ .name = "drain",
	    .kind = OPTION_FLAG,
	    .to = &options.drain,
	    .changeable = true,
	    .help = "at the end go on until every key has left" },
	{ .name = "late",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.late,
	    .changeable = true,
	    .help = "keep late tuples in FILE" },
	{ .name = "no-zeros",
	    .kind = OPTION_FLAG,
	    .to = &options.no_zeros,
	    .help = "leave out the row of a key that has left" },
	OPTION_TIME_UNIT(&options.time_unit),
	{ 0 },
};

static struct projection projection;

static const struct command command = {
	.name = "rollcount",
	.synopsis = "-k FIELDS [-w LENGTH] [-e EVERY] [-t PATH] [-l D] "
		    "[-v PATH] [-iT] [--state FILE] [FILE...]",
	.purpose = "count tuples per key in a sliding window",
	.examples = "  rollcount -k user -t ts -w 1h -e 10m edits.ndjson\n"
		    "  tail -F access.ndjson | rollcount -k status -w 60s "
		    "-e 5s\n"
		    "  spout words | rollcount -k word -w 9s -e 3s -t ts -T |\n"
		    "      topn -n 5 -k word -v count\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
	.projection = &projection,
};

struct rollcount {
	enum mode mode;
	struct sliding_window_counter window;
	struct time_tracker tick_times;
	struct key key;
	struct keys_ahead ahead;
	struct collector *collector;
	struct buffer tail; /* what the rows of a batch end with */
	struct slot_times times;
	int64_t now_ms;		   /* the watermark, or the last tick */
	int64_t due_ms;		   /* when the next boundary is reached */
	bool started;		   /* now_ms is set */
	struct window_state state; /* with --state */
};

static void
emit_row(void *self, struct span spelling, struct total total, bool farewell)
{
	struct rollcount *r = self;
	struct buffer *row;

	if (farewell && options.no_zeros)
		return;
	row = collector_row(r->collector);
	buffer_byte(row, '{');
	key_put(row, projection.fields + options.key.first, options.key.n,
	    spelling);
	buffer_put(row, SPAN(",\"count\":"));
	sum_put(&r->window.counter.sums, row, total);
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
	if (options.ticks)
		collector_tick(r->collector, end_ms);
}

/* How much of the window has passed at a boundary. */
static int64_t
length_at(const struct rollcount *r, int64_t boundary)
{
	if (r->mode == ARRIVAL_TIME && boundary < r->window.nslots)
		return boundary * options.every;
	return options.length;
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

	r->collector = context->collector;
	r->due_ms = INT64_MIN;
	r->times.every_ms = options.every;
	sliding_window_counter_init(&r->window, options.length / options.every);
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

	keys_look_ahead(&r->ahead, &r->window.counter.keys, t, n,
	    options.key.first, options.key.n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct rollcount *r = self;
	const struct key *key =
	    key_of_tuple(&r->key, t, options.key.first, options.key.n, f);
	struct number x;
	int64_t ms = 0, slot = r->window.reached;

	if (key == NULL)
		return -1;
	if (options.value.n != 0) {
		if (tuple_number(t, options.value.first, &x, f) < 0)
			return -1;
		if (isinf(x.d))
			return tuple_mismatch(t, options.value.first,
			    FAULT_RANGE, "a number that a double can hold", f);
	}
	if (options.time.n != 0) {
		if (tuple_time(t, options.time.first,
			(enum time_unit)options.time_unit, &ms, f) < 0)
			return -1;
		ms = ns_to_ms(ms);
		slot = slot_times_find(&r->times, ms);
		if (r->mode == EVENT_TIME &&
		    (!r->started || ms - options.lateness > r->now_ms))
			move_time(r, ms - options.lateness);
	}
	if (sliding_window_counter_add(&r->window, key, slot,
		options.value.n != 0 ? &x : NULL))
		collector_ack(r->collector, t->id);
	else
		collector_late(r->collector, t,
		    r->now_ms + options.lateness - ms);
	return 0;
}

/* A tick closes a slot, however long it has been: -i, and Storm. */
static void
close_slot(struct rollcount *r, int64_t ms)
{
	int64_t boundary = r->window.reached + 1, next;

	if (!r->started)
		time_tracker_init(&r->tick_times, (size_t)r->window.nslots,
		    ms - options.every);
	r->started = true;
	if (sliding_window_counter_next(&r->window, &next) && next <= boundary)
		emit_batch(r, boundary, ms,
		    ms - time_tracker_oldest(&r->tick_times));
	else if (options.ticks)
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
		if (options.ticks &&
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

	if (options.input_ticks)
		return;
	if (r->mode != ARRIVAL_TIME && r->window.any) {
		advance(r, r->window.last + 1);
	} else if (r->mode == ARRIVAL_TIME &&
	    sliding_window_counter_next(&r->window, &next)) {
		/* The slot that has begun counts as far as it has come. */
		passed =
		    now_ms - slot_times_start(&r->times, r->window.reached);
		emit_batch(r, next, now_ms,
		    length_at(r, next) - options.every + passed);
	}
	if (options.drain)
		advance(r, INT64_MAX);
}

static void
cleanup(void *self)
{
	struct rollcount *r = self;

	sliding_window_counter_fini(&r->window);
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

	c->live_keys = r->window.counter.keys.live;
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
	size_t n = options.key.n;
	struct span *names =
	    field_plain_names(&projection.fields[options.key.first], n, 0);

	r->state = (struct window_state){ .window = &r->window,
		.nkeys = n,
		.times = &r->times,
		.sums = options.value.n != 0 };
	window_state_open(&r->state, s, names);
	free(names);
	if (!store_is_new(s))
		load(r, s);
}

/* A window of which only the length is given tumbles. */
static void
set_window(void)
{
	bool given = options.length != 0;

	if (options.every == 0)
		options.every = given ? options.length : EVERY_MS;
	if (!given)
		options.length = LENGTH_MS;
	if (options.length % options.every != 0)
		options_misuse(&command,
		    "-w %.15gs%s must be a multiple of -e %.15gs",
		    (double)options.length / 1000,
		    given ? "" : " (the default)",
		    (double)options.every / 1000);
}

/* Where the options have time come from. */
static enum mode
mode_of_options(void)
{
	if (options.time.n == 0)
		return options.input_ticks ? TICKS : ARRIVAL_TIME;
	if (options.input_ticks)
		return EVENT_TICKS;
	return options.lateness == LATENESS_ALL ? EVENT_HELD : EVENT_TIME;
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct rollcount *r = bolt->self;

	(void)setup;
	options_check_names(&command, options.key,
	    (struct span[]){
		SPAN("count"), SPAN("window_end"), SPAN("window_seconds") },
	    3);
	set_window();
	if (options.input_ticks && options.lateness != 0)
		options_misuse(&command, "-i and -l exclude each other");
	if (options.input_ticks && options.drain)
		options_misuse(&command, "-i and --drain exclude each other");
	if (options.lateness != 0 && options.time.n == 0)
		options_misuse(&command, "-l needs -t");
	r->mode = mode_of_options();
	if (r->mode == ARRIVAL_TIME)
		bolt->tick_every_ms = options.every;
	bolt->emits_at_ticks = options.input_ticks || options.time.n == 0;
	bolt->side = options.late;
	bolt->lateness_helps = !options.input_ticks;
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
