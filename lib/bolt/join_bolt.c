/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "bolt/join_bolt.h"
#include "bolt/join_hints.h"

static bool
is_table(const struct join_bolt *b, size_t stream)
{
	return b->is_table != NULL && b->is_table[stream];
}

/* What -l says, in nanoseconds. */
static int64_t
lateness_ns(const struct join_bolt *b)
{
	return b->lateness_ms == LATENESS_ALL ? INT64_MAX :
						b->lateness_ms * 1000000;
}

/* Get ready for tables. */
static void
prepare_tables(struct join_bolt *b, const struct join_owner *owner)
{
	size_t n = b->streams.names.n;

	b->timed = memory_new(n, sizeof *b->timed);
	for (size_t i = 0; i < n; i++) {
		b->timed[i] = join_streams_has_time(&b->streams, i);
		if (!b->timed[i] && !b->streams.split)
			watermark_set_idle(&b->watermark, i, true);
	}
	b->tables.is_table = b->is_table;
	b->tables.timed = b->timed;
	table_join_init(&b->tables, owner, n, b->results.row.nfields,
	    b->reach.before_ms == JOIN_BOLT_NO_BOUND ?
		INT64_MAX :
		b->reach.before_ms * 1000000);
	b->tables.limit = key_limit_of(&b->limit);
}

static void
prepare_join(struct join_bolt *b, const struct join_owner *owner)
{
	join_init(&b->join, owner, b->streams.names.n, b->results.row.nfields,
	    join_bolt_length_ms(b) * 1000000, lateness_ns(b));
	b->join.before = b->reach.before_ms * 1000000;
	b->join.after = b->reach.after_ms * 1000000;
	b->join.many = b->many;
	b->join.replace = b->replace;
	b->join.any_order = join_results_count_alone(&b->results);
	b->join.limit = key_limit_of(&b->limit);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct join_bolt *b = self;
	struct join_owner owner =
	    join_results_owner(&b->results, context->collector, b->is_table);

	b->projection = context->projection;
	join_row_compiled(&b->results.row);
	b->collector = context->collector;
	b->advises = context->advises;
	watermark_init(&b->watermark, b->streams.split ? 1 : b->streams.names.n,
	    lateness_ns(b));
	if (b->is_table != NULL)
		prepare_tables(b, &owner);
	else
		prepare_join(b, &owner);
	b->fields_only = join_row_is_flat(&b->results.row) &&
	    !context->has_state && !collector_has_side(context->collector);
	b->goes_on = context->has_state && !context->final;
}

static struct time_field
time_field(const void *self, size_t stream)
{
	const struct join_bolt *b = self;

	return (struct time_field){ b->streams.time.ranges[stream],
		&b->streams.form };
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct join_bolt *b = self;

	if (b->is_table != NULL) {
		table_join_look_ahead(&b->tables, &b->streams, t, n);
		return;
	}
	join_streams_look_ahead(&b->streams, join_keys(&b->join), t, n);
	join_look_ahead(&b->join, t[0]->stream, t, n);
}

static int
time_of(void *self, const struct tuple *t, int64_t *ns, struct fault *f)
{
	struct join_bolt *b = self;

	return join_streams_look(&b->streams, t, ns, f);
}

/* The watermark is there. */
static inline void
move_time(struct join_bolt *b, int64_t now)
{
	if (b->is_table != NULL)
		table_join_advance(&b->tables, now);
	else
		join_expire(&b->join, now);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct join_bolt *b = self;
	struct join_part *part;
	const struct key *key;
	int64_t now;
	size_t stream;

	if (join_streams_find(&b->streams, t, &stream, f) < 0)
		return -1;
	if (stream == b->streams.names.n) {
		b->passed++;
		collector_ack(b->collector, t->id);
		return 0;
	}
	/* By event time, time_of has made the key. */
	if (!b->streams.timed &&
	    join_streams_key(&b->streams, t, stream, f) == NULL)
		return -1;
	part = join_row_take(&b->results.row, t, stream);
	part->order = b->order++;
	part->fields_only = b->fields_only;
	if (b->streams.timed) {
		part->time = t->time_ns;
		if (join_streams_has_time(&b->streams, stream))
			watermark_see(&b->watermark, t->stream, part->time);
		now = b->watermark.now;
	} else {
		now = t->now_ms * 1000000;
		part->time = is_table(b, stream) ? INT64_MIN : now;
	}
	move_time(b, now);
	key = join_streams_made_key(&b->streams, t);
	if (b->is_table != NULL)
		table_join_add(&b->tables, key, part, now);
	else
		join_add(&b->join, key, part, now);
	return key_limit_check(&b->limit, f);
}

static void
tick(void *self, const struct tick *tick)
{
	struct join_bolt *b = self;

	if (tick->source == TICK_CLOCK) {
		move_time(b, tick->ms * 1000000);
	} else if (tick->source == TICK_LIVE) {
		watermark_advance_by(&b->watermark, tick->ms * 1000000);
		move_time(b, b->watermark.now);
	}
}

static void
stream_changed(void *self, size_t stream, enum stream_state state)
{
	struct join_bolt *b = self;

	if (state == STREAM_ENDED && b->goes_on && !is_table(b, stream))
		return;
	if (join_streams_has_time(&b->streams, stream) &&
	    watermark_set_idle(&b->watermark, stream, state != STREAM_ACTIVE))
		move_time(b, b->watermark.now);
}

static void
finish(void *self, int64_t now_ms)
{
	struct join_bolt *b = self;

	(void)now_ms;
	if (b->is_table != NULL) {
		table_join_finish(&b->tables);
		return;
	}
	if (b->advises && b->results.joined == 0)
		key_kinds_look(&b->kinds, &b->join);
	/* Streams that all end at once do so in the order of the operands. */
	if (b->streams.timed && watermark_end(&b->watermark))
		join_expire(&b->join, b->watermark.now);
	join_finish(&b->join);
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct join_bolt *b = self;

	if (i == 0) {
		key_kinds_hint(&b->kinds, &b->streams.names, text);
		/* Keys of two kinds explain the rest, too. */
		if (text->n == 0)
			join_hints_put(b, text);
	}
	return i == 0 ||
	    (b->streams.split &&
		unmet_streams_hint(&b->streams.unmet, i - 1, text));
}

static void
cleanup(void *self)
{
	struct join_bolt *b = self;

	if (b->is_table != NULL)
		table_join_fini(&b->tables);
	else
		join_fini(&b->join);
	free(b->is_table);
	free(b->first);
	free(b->timed);
	join_state_fini(&b->state);
	join_state_fini(&b->table_state.base);
	watermark_fini(&b->watermark);
	join_results_fini(&b->results);
	join_streams_fini(&b->streams);
	buffer_fini(&b->operands);
}

static int64_t
ms_rounded_up(int64_t ns)
{
	return ns / 1000000 + (ns % 1000000 != 0);
}

static void
count(const void *self, struct counters *c)
{
	const struct join_bolt *b = self;
	bool tables = b->is_table != NULL;
	int64_t late = tables ? b->tables.max_late : b->join.max_late;
	const struct behind *behind =
	    tables ? &b->tables.behind : &b->join.behind;

	c->live_keys =
	    tables ? table_join_live(&b->tables) : join_live(&b->join);
	c->late = tables ? b->tables.nlate : b->join.nlate;
	if (c->late != 0)
		c->max_late_ms = b->lateness_ms + ms_rounded_up(late);
	c->behind = behind->n;
	if (behind->n != 0)
		c->max_behind_ms = b->lateness_ms + ms_rounded_up(behind->most);
	c->disorder_ms = ms_rounded_up(b->watermark.disorder);
}

static void
report(const void *self, struct buffer *members)
{
	const struct join_bolt *b = self;
	int last = b->is_table != NULL ? JOIN_UNMATCHED : JOIN_END;

	counters_put_more(members, "", "waiting",
	    b->is_table != NULL ? b->tables.parts.n : join_waiting(&b->join));
	counters_put_more(members, "", "joined", b->results.joined);
	counters_put_more(members, "", "passed", b->passed);
	for (int i = JOIN_TIMEOUT; i <= last; i++)
		counters_put_more(members, "failed_", join_reason_names[i],
		    b->results.failed[i]);
}

static void
save(void *self, struct store *store)
{
	struct join_bolt *b = self;

	if (b->is_table != NULL)
		table_state_save(&b->table_state, store);
	else
		join_state_save(&b->state, store);
}

/* Make of a tuple that waited what it was when it came. */
static struct join_part *
read_again(void *self, const struct tuple *t, size_t stream, int64_t time,
    struct key *key)
{
	struct join_bolt *b = self;
	struct join_part *part;

	if (!join_streams_read_again(&b->streams, t, stream, time, key))
		return NULL;
	part = join_row_take(&b->results.row, t, stream);
	part->time = time;
	part->stored = true;
	return part;
}

static void
restore(void *self, struct store *store)
{
	struct join_bolt *b = self;
	const struct field_range *key = &b->streams.key.ranges[0];
	struct span *names =
	    field_plain_names(&b->projection->fields[key->first], key->n, 0);
	struct join_state state = { .join = &b->join,
		.watermark = &b->watermark,
		.names = &b->streams.names,
		.nkeys = key->n,
		.projection = b->projection,
		.read = read_again,
		.self = b,
		.order = &b->order };

	if (b->is_table != NULL) {
		b->table_state =
		    (struct table_state){ .base = state, .join = &b->tables };
		table_state_open(&b->table_state, store, names);
	} else {
		b->state = state;
		join_state_open(&b->state, store, names);
	}
	free(names);
}

void
join_bolt_configure(struct join_bolt *b, struct bolt *bolt)
{
	bool split = b->streams.split;

	bolt->stays_open = true;
	bolt->by_clock = !b->streams.timed;
	bolt->lateness_helps = b->streams.timed;
	bolt->behind = b->is_table != NULL ?
	    "tuples had been joined that may need" :
	    "tuples had expired that may join";
	bolt->fields_by_stream = true;
	bolt->prepare = prepare;
	bolt->look_ahead = split ? NULL : look_ahead;
	bolt->execute = execute;
	bolt->tick = tick;
	bolt->finish = finish;
	bolt->cleanup = cleanup;
	bolt->count = count;
	bolt->report = report;
	bolt->hint = hint;
	bolt->stream = stream_changed;
	bolt->restore = restore;
	bolt->save = save;
	bolt->first = split ? NULL : b->first;
	if (b->streams.timed && !split)
		bolt->time_field = time_field;
	if (b->streams.timed)
		bolt->time_of = time_of;
	else if (b->is_table == NULL)
		/* Waits are exact to a hundredth of LENGTH. */
		bolt->tick_every_ms = join_bolt_length_ms(b) / 100 + 1;
	/* A state is to have the same ones each time. */
	stream_names_put(&b->streams.names, &b->operands);
	buffer_byte(&b->operands, '\0');
	bolt->operands = b->operands.p;
	bolt->streams = split ? NULL : b->streams.names.names;
}
