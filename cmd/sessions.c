/*
 * sessions - put the tuples of a key that come close upon each other together.
 *
 * A session ends when nothing has come for longer than GAP: by the watermark
 * (-t), or by the clock.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>
#include <stdlib.h>

#include "bolt/interleave.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "state/session_state.h"
#include "window/sessions.h"

/* For sessions to end the clock is looked at ten times a GAP, or so often. */
enum { LOOK_MS = 1000 };

struct sessions_bolt {
	struct interleave interleave; /* first */
	struct {
		struct field_range key, time;
		struct aggregates aggregates;
		struct key_limit limit;
		int64_t gap;
		struct time_options times;
		const char *late;
	} options;
	struct sessions sessions;
	struct key scratch;
	struct keys_ahead ahead;
	const struct key *key;	    /* of a tuple that was read */
	const struct field *fields; /* of the key */
	struct collector *collector;
	int64_t now_ms;		    /* the watermark, or the clock's time */
	struct session_state state; /* with --state */
};

#define AT(option) offsetof(struct sessions_bolt, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "sessions of these fields; without, of all tuples" },
	{ 'g', "gap", "GAP", OPTION_DURATION, AT(gap), .standard = "30m",
	    .help = "longest time from one tuple to the next (30m)" },
	{ 'a', "aggregate", "AGG", OPTION_LIST, AT(aggregates),
	    .add = aggregates_add, .standard = "count",
	    .help = AGGREGATES_HELP },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(times)),
	OPTION_LIVE(AT(times)),
	OPTION_LATE(AT(late)),
	OPTION_MAX_KEYS(AT(limit), NULL),
	OPTIONS_INTERLEAVE(AT(times)),
	OPTIONS_TIME(AT(times)),
	{ 0 },
};

static const struct command command = {
	.name = "sessions",
	.synopsis = "[-k FIELDS] [-g GAP] [-a AGG,...] [-t PATH] [-l D] "
		    "[--state FILE] [FILE...]",
	.purpose = "put tuples that come close upon each other together",
	.examples = "  sessions -k user -t ts -g 30m access.ndjson\n"
		    "  sessions -k ip -t ts -a count,sum:bytes,last:path "
		    "access.ndjson\n"
		    "  tail -F access.ndjson | sessions -k user -g 5m\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
emit_row(void *self, struct span spelling, const struct session *session)
{
	struct sessions_bolt *b = self;
	struct buffer *row = collector_row(b->collector);

	key_start_row(row, b->fields, b->options.key.n, spelling);
	aggregates_put(&b->options.aggregates, row, session->value);
	buffer_put(row, SPAN(",\"session_start\":"));
	buffer_int(row, session->start);
	buffer_put(row, SPAN(",\"session_end\":"));
	buffer_int(row, session->end);
	buffer_put(row, SPAN(",\"session_seconds\":"));
	buffer_seconds(row, session->end - session->start);
	buffer_byte(row, '}');
	collector_emit(b->collector, NULL, 0);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct sessions_bolt *b = self;

	b->fields = context->projection->fields + b->options.key.first;
	b->collector = context->collector;
	b->now_ms = -PACKED_MOST;
	interleave_prepare(&b->interleave, context);
	sessions_init(&b->sessions, b->options.gap, &b->options.aggregates);
	b->sessions.limit = key_limit_of(&b->options.limit);
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct sessions_bolt *b = self;

	keys_look_ahead(&b->ahead, &b->sessions.keys, t, n,
	    b->options.key.first, b->options.key.n);
}

static bool
has_event_time(const struct sessions_bolt *b)
{
	return b->options.time.n != 0;
}

/* The watermark, or the clock, has come to ms. */
static void
move_time(void *self, int64_t ms)
{
	struct sessions_bolt *b = self;

	if (ms <= b->now_ms)
		return;
	b->now_ms = ms;
	sessions_close(&b->sessions, ms, emit_row, b);
}

/* All but its time; see interleave.h. */
static int
read_tuple(void *self, const struct tuple *t, struct fault *f)
{
	struct sessions_bolt *b = self;

	b->key = key_of_tuple(&b->scratch, t, b->options.key.first,
	    b->options.key.n, f);
	return b->key == NULL ? -1 :
				aggregates_check(&b->options.aggregates, t, f);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct sessions_bolt *b = self;
	int64_t ms = t->now_ms;

	if (read_tuple(b, t, f) < 0)
		return -1;
	if (has_event_time(b)) {
		if (interleave_time(&b->interleave, t, &ms, f) < 0)
			return -1;
		interleave_see(&b->interleave, t, ms);
		if (!b->options.times.interleave &&
		    b->options.times.lateness != LATENESS_ALL)
			move_time(b, ms - b->options.times.lateness);
	} else {
		move_time(b, ms);
		ms = b->now_ms; /* which a clock put back may be behind */
	}
	if (sessions_add(&b->sessions, b->key, ms, b->now_ms))
		collector_ack(b->collector, t->id);
	else if (key_limit_check(&b->options.limit, f) < 0)
		return -1;
	else
		collector_late(b->collector, t,
		    b->now_ms + b->options.times.lateness - ms);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct sessions_bolt *b = self;

	if (tick->source == TICK_LIVE)
		interleave_go_on(&b->interleave, b->now_ms != -PACKED_MOST,
		    b->now_ms, tick);
	else if (tick->source != TICK_INPUT && !has_event_time(b))
		move_time(b, tick->ms);
}

static void
finish(void *self, int64_t now_ms)
{
	struct sessions_bolt *b = self;

	(void)now_ms;
	sessions_close_all(&b->sessions, emit_row, b);
}

static void
cleanup(void *self)
{
	struct sessions_bolt *b = self;

	interleave_fini(&b->interleave);
	sessions_fini(&b->sessions);
	session_state_fini(&b->state);
	aggregates_fini(&b->options.aggregates);
	key_fini(&b->scratch);
	keys_ahead_fini(&b->ahead);
}

static void
count(const void *self, struct counters *c)
{
	const struct sessions_bolt *b = self;

	c->live_keys = b->sessions.keys.live;
	interleave_count(&b->interleave, &b->sessions.behind, c);
}

static void
save(void *self, struct store *s)
{
	struct sessions_bolt *b = self;

	session_state_save(&b->state, s);
	store_put_int(s, "now", b->now_ms);
	interleave_save(&b->interleave, s);
}

static void
restore(void *self, struct store *s)
{
	struct sessions_bolt *b = self;
	struct span *names = stored_key_names(b->fields, b->options.key.n, 0);

	b->state = (struct session_state){ .sessions = &b->sessions,
		.nkeys = key_nparts(b->options.key.n) };
	session_state_open(&b->state, s, names);
	free(names);
	interleave_restore(&b->interleave, s);
	if (!store_is_new(s))
		b->now_ms =
		    store_get_int_within(s, "now", -PACKED_MOST, PACKED_MOST);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct sessions_bolt *b = bolt->self;
	const struct span others[] = { SPAN("session_start"),
		SPAN("session_end"), SPAN("session_seconds") };

	aggregates_check_names(&b->options.aggregates, &command,
	    setup->projection->fields + b->options.key.first, b->options.key.n,
	    others, 3);
	b->interleave.move = move_time;
	b->interleave.read = read_tuple;
	b->interleave.held_ms = b->options.gap;
	interleave_configure(&b->interleave, &b->options.times,
	    &b->options.time, bolt, setup);
	bolt->by_clock = !has_event_time(b);
	if (bolt->by_clock) {
		bolt->tick_every_ms = b->options.gap / 10 + 1;
		if (bolt->tick_every_ms > LOOK_MS)
			bolt->tick_every_ms = LOOK_MS;
		bolt->emits_at_ticks = true;
	}
	bolt->side = b->options.late;
	bolt->lateness_helps = has_event_time(b);
	bolt->behind = "sessions had been written that may lack";
}

int
main(int argc, char *argv[])
{
	struct sessions_bolt b = { 0 };
	struct bolt bolt = { .self = &b,
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
