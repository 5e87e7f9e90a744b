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
#include <stdlib.h>

#include "bolt/join_bolt.h"
#include "bolt/time_options.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"

/* LENGTH without -w, and what stands for it until check_reach. */
enum { WINDOW_MS = 30000 };
#define NOT_GIVEN INT64_MIN

struct sjoin {
	struct join_bolt bolt; /* first */
	struct {
		const char *key, *time, *out, *also, *only, *split, *expired,
		    *table;
		struct duration_reach reach;
		int duplicates;
		struct time_options times;
		struct key_limit limit;
		bool many;
	} options;
};

#define AT(option) offsetof(struct sjoin, options.option)

static const char *const duplicate_names[] = { "fail", "replace", NULL };

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_NAMES, AT(key),
	    .help = "join on these fields; NAME:FIELD for one stream",
	    .required = true },
	{ 'w', "window", "LENGTH", OPTION_REACH, AT(reach),
	    .help = "how far apart times are (30s); -m: BEFORE..AFTER" },
	{ 't', "time", "PATH", OPTION_NAMES, AT(time),
	    .help = "event time; without it tuples have arrival time" },
	OPTION_LATENESS(AT(times)),
	OPTION_LIVE(AT(times)),
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
	    .help = "join many to many within the window", .excludes = "-d" },
	{ .name = "table",
	    .arg = "NAME",
	    .kind = OPTION_NAMES,
	    .to = AT(table),
	    .help = "a table: keeps the latest tuple of each key",
	    .excludes = "-m -d" },
	{ 's', "split", "PATH", OPTION_TEXT, AT(split),
	    .help = "one input, whose streams this string names" },
	{ .name = "expired",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(expired),
	    .changeable = true,
	    .help = "keep what does not join in FILE, with the reason" },
	{ .name = "idle",
	    .arg = "D",
	    .kind = OPTION_DURATION,
	    .to = AT(times.idle),
	    .changeable = true,
	    .help = "how long to wait for a silent stream (1s)" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	OPTIONS_TIME(AT(times)),
	{ 0 },
};

static const struct command command = {
	.name = "sjoin",
	.synopsis =
	    "-k FIELDS [-w LENGTH|BEFORE..AFTER] [-t PATH] [-l D] [-o LIST] "
	    "[-a NAME] [-v NAME] [-d replace] [-m] [--table NAME] "
	    "[--state FILE] NAME=FILE...\n"
	    "       sjoin ... -s PATH NAME...",
	.purpose = "join streams by key, with expiry",
	.examples = "  sjoin -k id -t ts -w 30s -o gender,age "
		    "gender=g.ndjson age=a.ndjson\n"
		    "  sjoin -k id -t ts -v req req=<(cat req) resp=<(cat "
		    "resp)\n"
		    "  sjoin -m -k flow_id -t timestamp -w 24h -l 24h "
		    "-s event_type alert flow\n",
	.options = specs,
	.state = checkpoint_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

/* Mark the streams that an option names. */
static void
mark(struct sjoin *s, const char *option, const char *list, bool *marks)
{
	const struct stream_names *names = &s->bolt.streams.names;
	struct buffer all = { 0 };
	struct span unknown;

	if (list == NULL || stream_names_mark(names, list, marks, &unknown))
		return;
	stream_names_put(names, &all);
	options_misuse(&command, "%s: expected one of %.*s, got '%.*s'", option,
	    (int)all.n, all.p, (int)unknown.n, unknown.p);
}

/* Mark the tables, which are all streams but one. */
static void
mark_tables(struct sjoin *s)
{
	size_t n = s->bolt.streams.names.n, ntables = 0;

	if (s->options.table == NULL)
		return;
	s->bolt.is_table = memory_new(n, sizeof *s->bolt.is_table);
	s->bolt.first = memory_new(n, sizeof *s->bolt.first);
	mark(s, "--table", s->options.table, s->bolt.is_table);
	for (size_t i = 0; i < n; i++)
		ntables += s->bolt.is_table[i];
	if (ntables != n - 1)
		options_misuse(&command,
		    "--table: expected all streams but one, got '%s'",
		    s->options.table);
}

/* Mark the streams of which what stays alone is wanted: no tables. */
static void
mark_alone(struct sjoin *s, const char *option, const char *list)
{
	struct join_bolt *b = &s->bolt;

	mark(s, option, list, b->results.alone);
	for (size_t i = 0; i < b->streams.names.n; i++)
		if (b->results.alone[i] && b->is_table != NULL &&
		    b->is_table[i])
			options_misuse(&command, "%s: '%.*s' is a table",
			    option, (int)b->streams.names.names[i].n,
			    b->streams.names.names[i].p);
}

/* Add the fields that options name for each stream. */
static void
add_fields(struct sjoin *s, struct projection *p)
{
	struct join_streams *t = &s->bolt.streams;
	const char *time = s->options.time, *split = s->options.split;
	size_t n;

	options_check(&command, "-k",
	    stream_fields_add(&t->key, &t->names, p, s->options.key, 0, NULL),
	    s->options.key);
	if (t->timed)
		options_check(&command, "-t",
		    stream_fields_add(&t->time, &t->names, p, time, 1,
			s->bolt.is_table),
		    time);
	if (t->split)
		options_check(&command, "-s",
		    projection_add_path(p, split, &t->split_field, &n), split);
	p->split = t->split;
	p->split_field = t->split_field;
	options_check(&command, "-o",
	    join_row_init(&s->bolt.results.row, &t->names, &t->key, p,
		s->options.out),
	    s->options.out);
}

/* A row has no member twice. */
static void
check_names(const struct sjoin *s, const struct projection *p)
{
	const struct field_range *key = &s->bolt.streams.key.ranges[0];
	size_t n;
	struct span *names = join_row_names(&s->bolt.results.row, &n);

	options_check_names(&command, p->fields + key->first,
	    s->options.out == NULL ? key->n : 0, names, n);
	free(names);
}

/* Make sense of the operands, and of options that name streams. */
static void
set_streams(struct sjoin *s, const struct bolt_setup *setup)
{
	struct join_streams *t = &s->bolt.streams;
	const char *wrong;

	t->split = s->options.split != NULL;
	t->timed = s->options.time != NULL;
	t->form = s->options.times.form;
	wrong = stream_names_init(&t->names, setup->operands, setup->noperands,
	    !t->split);
	if (wrong != NULL)
		options_misuse(&command, "%s", wrong);
	join_streams_init(t);
	s->bolt.results.alone =
	    memory_new(t->names.n, sizeof *s->bolt.results.alone);
	mark_tables(s);
	mark_alone(s, "-a", s->options.also);
	mark_alone(s, "-v", s->options.only);
}

/* Which tables have no times, and whether -w has some to go by. */
static void
check_tables(const struct sjoin *s)
{
	const struct join_bolt *b = &s->bolt;
	bool any_timed = false;

	for (size_t i = 0; i < b->streams.names.n; i++) {
		bool timed = join_streams_has_time(&b->streams, i);

		b->first[i] = b->is_table[i] && !timed;
		any_timed = any_timed || (b->is_table[i] && timed);
	}
	if (b->reach.before_ms != JOIN_BOLT_NO_BOUND && !any_timed)
		options_misuse(&command, "-w needs a table that has times");
}

/* Give -w what it is without, and see that it makes sense. */
static void
check_reach(struct sjoin *s)
{
	struct duration_reach *r = &s->options.reach;

	if (r->is_pair && !s->options.many)
		options_misuse(&command, "-w BEFORE..AFTER needs -m");
	if (r->is_pair && s->bolt.streams.names.n != 2)
		options_misuse(&command, "-w BEFORE..AFTER is for two streams");
	if (r->before_ms == NOT_GIVEN) {
		r->before_ms = r->after_ms =
		    s->bolt.is_table == NULL ? WINDOW_MS : JOIN_BOLT_NO_BOUND;
		return;
	}
	if (r->before_ms == -r->after_ms && !s->bolt.streams.timed)
		options_misuse(&command,
		    r->is_pair ? "-w of no length needs -t" : "-w 0 needs -t");
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct sjoin *s = bolt->self;
	struct join_streams *t = &s->bolt.streams;

	set_streams(s, setup);
	time_options_configure(&s->options.times, &command, bolt);
	check_reach(s);
	s->bolt.reach = s->options.reach;
	add_fields(s, setup->projection);
	if (s->bolt.is_table != NULL)
		check_tables(s);
	check_names(s, setup->projection);
	s->bolt.results.only_alone = s->options.only != NULL;
	s->bolt.lateness_ms = s->options.times.lateness;
	s->bolt.many = s->options.many;
	s->bolt.limit = s->options.limit;
	s->bolt.replace = s->options.duplicates == 1;
	join_bolt_configure(&s->bolt, bolt);
	bolt->side = s->options.expired;
	setup->operands = t->names.files;
	setup->noperands = t->split ? 0 : t->names.n;
}

int
main(int argc, char *argv[])
{
	struct sjoin s = { .options.reach.before_ms = NOT_GIVEN };
	struct bolt bolt = {
		.self = &s, .side_option = "--expired", .configure = configure
	};

	return bolt_main(&command, &bolt, argc, argv);
}
