/*
 * sjoin - join streams by key, with expiry.
 *
 * A tuple waits at most LENGTH for its partners from the other streams.
 * When every stream has sent a key, one row is written and the key is
 * forgotten; with -m every combination within LENGTH is a row.  What does
 * not join is failed, with a reason.
 *
 * Source: SingleJoinBolt of storm-starter on its TimeCacheMap; for -m the
 *         windowed joins of Kafka Streams.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "join/join.h"
#include "join/row.h"
#include "join/stream_names.h"
#include "join/unmet_streams.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "state/join_state.h"
#include "tuple/watermark.h"

static const char *const duplicate_names[] = { "fail", "replace", NULL };
struct sjoin {
	struct {
		const char *key, *time, *out, *also, *only, *split, *expired;
		int64_t length, lateness, idle;
		int duplicates, time_unit;
		bool many;
	} options;
	struct stream_names names;
	struct stream_fields key, time;
	struct join_row row;
	size_t split; /* the field at -s */
	struct unmet_streams unmet;
	bool *also, *only;
	bool any_only;
	struct join join;
	struct watermark watermark;
	struct next_keys *next;	 /* of each input */
	struct join_state state; /* with --state */
	const struct projection *projection;
	struct collector *collector;
	struct buffer operands; /* the names, as a state keeps them */
	uint64_t *anchors;
	bool has_state; /* what waits keeps its line */
	bool goes_on;	/* in another run, so the end of a stream is none */
	bool reported;	/* what fails next was in a row of its own */
	uint64_t order, joined, passed, failed[JOIN_END + 1];
};

#define AT(option) offsetof(struct sjoin, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_NAMES, AT(key),
	    .help = "join on these fields; NAME:FIELD for one stream",
	    .required = true },
	{ 'w', "window", "LENGTH", OPTION_DURATION, AT(length),
	    .help = "how long a tuple waits for its partners (30s)" },
	{ 't', "time", "PATH", OPTION_NAMES, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(lateness)),
	{ 'o', "select", "LIST", OPTION_NAMES, AT(out),
	    .help = "flat rows of these: FIELD, NAME.FIELD, OUT=either" },
	{ 'a', "also", "NAME", OPTION_NAMES, AT(also),
	    .help = "also a row for what of this stream stays alone" },
	{ 'v', "only", "NAME", OPTION_NAMES, AT(only),
	    .help = "only a row for what of this stream stays alone" },
	{ 'd', "duplicates", "WHAT", OPTION_CHOICE, AT(duplicates),
	    .choices = duplicate_names,
	    .help = "a second tuple of a stream: fail or replace" },
	{ 'm', "many", NULL, OPTION_FLAG, AT(many),
	    .help = "join many to many within the window" },
	{ 's', "split", "PATH", OPTION_TEXT, AT(split),
	    .help = "one input, whose streams this string names" },
	{ .name = "expired",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = AT(expired),
	    .changeable = true,
	    .help = "keep what does not join in FILE, with the reason" },
	{ .name = "idle",
	    .arg = "D",
	    .kind = OPTION_DURATION,
	    .to = AT(idle),
	    .changeable = true,
	    .help = "how long to wait for a silent stream (1s)" },
	OPTION_TIME_UNIT(AT(time_unit)),
	{ 0 },
};

static const struct command command = {
	.name = "sjoin",
	.synopsis = "-k FIELDS [-w LENGTH] [-t PATH] [-l D] [-o LIST] "
		    "[-a NAME] [-v NAME] [-d replace] [-m] "
		    "[--state FILE] NAME=FILE...\n"
		    "       sjoin ... -s PATH NAME...",
	.purpose = "join streams by key, with expiry",
	.examples = "  sjoin -k id -w 30s -o gender,age gender=g.ndjson "
		    "age=a.ndjson\n"
		    "  sjoin -k id -t ts -v req req=<(cat req) resp=<(cat "
		    "resp)\n"
		    "  sjoin -m -k flow_id -t timestamp -w 24h -l 24h "
		    "-s event_type alert flow\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

/* The keys of the tuples of an input: of the next one, or of some more. */
struct next_keys {
	struct key one;
	struct keys_ahead ahead;
};

/* Tell whether a row of what stayed alone is asked for. */
static bool
is_wanted(const struct sjoin *s, const struct join_part *const *parts)
{
	for (size_t i = 0; i < s->names.n; i++)
		if (parts[i] != NULL && (s->also[i] || s->only[i]))
			return true;
	return false;
}

static void
write_row(void *self, struct span key, const struct join_part *const *parts,
    bool alone)
{
	struct sjoin *s = self;
	size_t n = 0;

	s->reported = alone && is_wanted(s, parts);
	if (!alone)
		s->joined++;
	if (alone ? !s->reported : s->any_only)
		return;
	if (collector_is_reliable(s->collector))
		for (size_t i = 0; i < s->names.n; i++)
			if (parts[i] != NULL)
				s->anchors[n++] = parts[i]->id;
	join_row_put(&s->row, collector_row(s->collector), key, parts);
	collector_emit(s->collector, s->anchors, n);
}

static void
fail(void *self, const struct join_part *part, enum join_reason reason)
{
	struct sjoin *s = self;
	bool settled = s->reported && reason != JOIN_DUPLICATE;
	struct buffer line = { 0 };

	s->failed[reason]++;
	if (collector_has_side(s->collector)) {
		join_row_put_failed(&s->row, &line, part, reason);
		settled |=
		    collector_side(s->collector, part->id, buffer_span(&line));
	}
	/* What has been handed on need not come again. */
	if (settled)
		collector_ack(s->collector, part->id);
	else
		collector_fail(s->collector, part->id);
	buffer_fini(&line);
}

static void
done(void *self, const struct join_part *part)
{
	struct sjoin *s = self;

	collector_ack(s->collector, part->id);
}

/* What -l says, in nanoseconds. */
static int64_t
lateness(const struct sjoin *s)
{
	return s->options.lateness == LATENESS_ALL ?
	    INT64_MAX :
	    s->options.lateness * 1000000;
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct sjoin *s = self;
	struct join_owner owner = { s, write_row, fail,
		collector_is_reliable(context->collector) ? done : NULL };

	s->projection = context->projection;
	s->collector = context->collector;
	watermark_init(&s->watermark, s->options.split != NULL ? 1 : s->names.n,
	    lateness(s));
	join_init(&s->join, &owner, s->names.n, s->row.nfields,
	    s->options.length * 1000000, lateness(s));
	s->join.many = s->options.many;
	s->join.replace = s->options.duplicates == 1;
	s->has_state = context->has_state;
	s->goes_on = context->has_state && !context->final;
}

/*
 * Which stream a tuple belongs to: that of its file, or the one that it
 * names; names.n where that is none of ours.
 */
static int
stream_of(struct sjoin *s, const struct tuple *t, size_t *stream,
    struct fault *f)
{
	struct span name = { NULL, 0 };

	*stream = t->stream;
	if (s->options.split == NULL)
		return 0;
	if (tuple_string(t, s->split, &name, f) < 0)
		return -1;
	*stream = stream_names_find(&s->names, name);
	unmet_streams_note(&s->unmet, *stream, name);
	return 0;
}

/* Make the key of a tuple, unless it has one. */
static int
make_key(struct sjoin *s, const struct tuple *t, size_t stream, struct fault *f)
{
	const struct field_range *r = &s->key.ranges[stream];

	return t->key != NULL ?
	    0 :
	    key_of(&s->next[t->stream].one, t, r->first, r->n, f);
}

static inline int
read_time(const struct sjoin *s, const struct tuple *t, size_t stream,
    int64_t *ns, struct fault *f)
{
	return tuple_time(t, s->time.ranges[stream].first,
	    (enum time_unit)s->options.time_unit, ns, f);
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct sjoin *s = self;
	size_t stream = t[0]->stream;

	keys_look_ahead(&s->next[stream].ahead, join_keys(&s->join), t, n,
	    s->key.ranges[stream].first, s->key.ranges[stream].n);
	if (s->options.time != NULL)
		for (size_t i = 0; i < n; i++)
			t[i]->timed = t[i]->key != NULL &&
			    read_time(s, t[i], stream, &t[i]->time_ns, NULL) ==
				0;
	join_look_ahead(&s->join, stream, t, n);
}

/*
 * By event time the next tuple of a stream is looked at before it is its
 * turn, so all that can be bad about it must be found out here: a bad line
 * has no part in who goes first.
 */
static int
time_of(void *self, const struct tuple *t, int64_t *ns, struct fault *f)
{
	struct sjoin *s = self;
	size_t stream;

	if (stream_of(s, t, &stream, f) < 0)
		return -1;
	if (stream == s->names.n)
		return 0;
	if (make_key(s, t, stream, f) < 0)
		return -1;
	return read_time(s, t, stream, ns, f);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct sjoin *s = self;
	struct join_part part = { .line = t->line, .id = t->id };
	int64_t now;
	size_t stream;

	if (stream_of(s, t, &stream, f) < 0)
		return -1;
	if (stream == s->names.n) {
		s->passed++;
		collector_ack(s->collector, t->id);
		return 0;
	}
	if (s->options.time == NULL && make_key(s, t, stream, f) < 0)
		return -1;
	part.stream = (uint32_t)stream;
	part.order = s->order++;
	join_row_take(&s->row, t,
	    s->has_state || collector_has_side(s->collector), &part);
	if (s->options.time != NULL) {
		part.time = t->time_ns;
		watermark_see(&s->watermark, t->stream, part.time);
		now = s->watermark.now;
	} else {
		now = part.time = t->now_ms * 1000000;
	}
	join_expire(&s->join, now);
	join_add(&s->join, t->key != NULL ? t->key : &s->next[t->stream].one,
	    &part, now);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct sjoin *s = self;

	if (tick->source == TICK_CLOCK)
		join_expire(&s->join, tick->ms * 1000000);
}

static void
stream_changed(void *self, size_t stream, enum stream_state state)
{
	struct sjoin *s = self;

	if (state == STREAM_ENDED && s->goes_on)
		return;
	if (s->options.time != NULL &&
	    watermark_leave_out(&s->watermark, stream, state != STREAM_ACTIVE))
		join_expire(&s->join, s->watermark.now);
}

static void
finish(void *self, int64_t now_ms)
{
	struct sjoin *s = self;

	(void)now_ms;
	join_finish(&s->join);
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct sjoin *s = self;

	return s->options.split != NULL &&
	    unmet_streams_hint(&s->unmet, i, text);
}

static void
cleanup(void *self)
{
	struct sjoin *s = self;

	join_fini(&s->join);
	join_state_fini(&s->state);
	watermark_fini(&s->watermark);
	for (size_t i = 0; i < s->names.n; i++) {
		key_fini(&s->next[i].one);
		keys_ahead_fini(&s->next[i].ahead);
	}
	free(s->next);
	join_row_fini(&s->row);
	stream_fields_fini(&s->key);
	stream_fields_fini(&s->time);
	stream_names_fini(&s->names);
	unmet_streams_fini(&s->unmet);
	buffer_fini(&s->operands);
	free(s->also);
	free(s->only);
	free(s->anchors);
}

static void
count(const void *self, struct counters *c)
{
	const struct sjoin *s = self;

	c->live_keys = join_live(&s->join);
	c->late = s->join.nlate;
	if (c->late != 0) /* in milliseconds, rounded up */
		c->max_late_ms = s->options.lateness +
		    s->join.max_late / 1000000 +
		    (s->join.max_late % 1000000 != 0);
}

static void
report(const void *self, struct buffer *members)
{
	const struct sjoin *s = self;

	counters_put_more(members, "", "waiting", join_waiting(&s->join));
	counters_put_more(members, "", "joined", s->joined);
	counters_put_more(members, "", "passed", s->passed);
	for (int i = JOIN_TIMEOUT; i <= JOIN_END; i++)
		counters_put_more(members, "failed_", join_reason_names[i],
		    s->failed[i]);
}

static void
save(void *self, struct store *store)
{
	struct sjoin *s = self;

	join_state_save(&s->state, store);
}

/* Make of a tuple that waited what it was when it came. */
static bool
read_again(void *self, const struct tuple *t, struct key *key,
    struct join_part *part)
{
	struct sjoin *s = self;
	const struct field_range *r = &s->key.ranges[part->stream];
	size_t stream;
	int64_t ns;

	if (key_of(key, t, r->first, r->n, NULL) < 0)
		return false;
	if (s->options.split != NULL &&
	    (stream_of(s, t, &stream, NULL) < 0 || stream != part->stream))
		return false;
	if (s->options.time != NULL &&
	    (read_time(s, t, part->stream, &ns, NULL) < 0 || ns != part->time))
		return false;
	join_row_take(&s->row, t, true, part);
	return true;
}

static void
restore(void *self, struct store *store)
{
	struct sjoin *s = self;
	const struct field_range *key = &s->key.ranges[0];
	struct span *names =
	    field_plain_names(&s->projection->fields[key->first], key->n, 0);

	s->state = (struct join_state){ .join = &s->join,
		.watermark = &s->watermark,
		.names = &s->names,
		.nkeys = key->n,
		.projection = s->projection,
		.read = read_again,
		.self = s,
		.order = &s->order };
	join_state_open(&s->state, store, names);
	free(names);
}

/* Mark the streams that an option names. */
static void
mark(bool **marks, const struct stream_names *names, const char *option,
    const char *list)
{
	struct span unknown;

	*marks = memory_new(names->n, sizeof **marks);
	if (list != NULL && !stream_names_mark(names, list, *marks, &unknown))
		options_misuse(&command, "%s: no stream '%.*s'", option,
		    (int)unknown.n, unknown.p);
}

/* Make sense of the options once the streams are known. */
static void
understand(struct sjoin *s, struct projection *projection)
{
	struct field_range key = { 0 };
	struct span *names;
	size_t n;

	mark(&s->also, &s->names, "-a", s->options.also);
	mark(&s->only, &s->names, "-v", s->options.only);
	s->any_only = s->options.only != NULL;
	s->anchors = memory_new(s->names.n, sizeof *s->anchors);
	s->next = memory_new(s->names.n, sizeof *s->next);
	unmet_streams_init(&s->unmet, &s->names);
	if (s->options.lateness != 0 && s->options.time == NULL)
		options_misuse(&command, "-l needs -t");
	if (s->options.many && s->options.duplicates != 0)
		options_misuse(&command, "-m and -d exclude each other");
	options_check(&command, "-k",
	    stream_fields_add(&s->key, &s->names, projection, s->options.key,
		0),
	    s->options.key);
	if (s->options.time != NULL)
		options_check(&command, "-t",
		    stream_fields_add(&s->time, &s->names, projection,
			s->options.time, 1),
		    s->options.time);
	if (s->options.split != NULL)
		options_check(&command, "-s",
		    projection_add(projection, s->options.split, &s->split, &n),
		    s->options.split);
	options_check(&command, "-o",
	    join_row_init(&s->row, &s->names, &s->key, projection,
		s->options.out),
	    s->options.out);
	names = join_row_names(&s->row, &n);
	if (s->options.out == NULL)
		key = s->key.ranges[0];
	options_check_names(&command, projection->fields + key.first, key.n,
	    names, n);
	free(names);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct sjoin *s = bolt->self;
	bool split = s->options.split != NULL;
	const char *wrong = stream_names_init(&s->names, setup->operands,
	    setup->noperands, !split);

	if (wrong != NULL)
		options_misuse(&command, "%s", wrong);
	understand(s, setup->projection);
	if (!split) /* else each tuple may have another key */
		bolt->look_ahead = look_ahead;
	if (s->options.time != NULL)
		bolt->time_of = time_of;
	else /* a hundredth of LENGTH is how exact a wait is */
		bolt->tick_every_ms = s->options.length / 100 + 1;
	/* A state is to have the same ones each time. */
	stream_names_put(&s->names, &s->operands);
	buffer_byte(&s->operands, '\0');
	bolt->operands = s->operands.p;
	bolt->side = s->options.expired;
	bolt->streams = split ? NULL : s->names.names;
	bolt->idle_ms = s->options.idle;
	setup->operands = s->names.files;
	setup->noperands = split ? 0 : s->names.n;
}

int
main(int argc, char *argv[])
{
	struct sjoin s = { .options = { .length = 30000, .idle = 1000 } };
	struct bolt bolt = { .self = &s,
		.stays_open = true,
		.side_option = "--expired",
		.lateness_helps = true,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.report = report,
		.hint = hint,
		.stream = stream_changed,
		.restore = restore,
		.save = save };

	return bolt_main(&command, &bolt, argc, argv);
}
