/*
 * tally - count, sum and otherwise aggregate the tuples of each key.
 *
 * Tuples are taken in batches.  With -c each batch reports the new values of
 * the keys that it touched, without it the end of the input reports all that
 * were touched since the last one.  With --state the values live in a file
 * and go on from run to run.
 *
 * Source: Trident's groupBy + persistentAggregate.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "bolt/persistent_bolt.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "window/aggregate.h"

struct tally {
	struct persistent_bolt bolt; /* first */
	struct {
		struct field_range key;
		struct aggregates aggregates;
		struct key_limit limit;
	} options;
	const struct projection *projection;
	struct persistent_type type;
	struct key key;
	struct keys_ahead ahead;
};

#define AT(option) offsetof(struct tally, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "aggregate by these fields; without, all tuples" },
	{ 'a', "aggregate", "AGG", OPTION_LIST, AT(aggregates),
	    .add = aggregates_add, .standard = "count",
	    .help = AGGREGATES_HELP },
	OPTIONS_PERSISTENT,
	OPTION_MAX_KEYS(AT(limit), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "tally",
	.synopsis = "[-k FIELDS] [-a AGG,...] [--state FILE] [--batch N] [-c] "
		    "[FILE...]",
	.purpose = "aggregate the tuples of each key",
	.examples = "  tally -k status access.ndjson\n"
		    "  tally -k host -a count,sum:bytes,max:ms access.ndjson\n"
		    "  tally -k host --state hosts.db /var/log/access.ndjson\n",
	.options = specs,
	.state = checkpoint_dump_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
save_value(void *self, const void *value, struct stored_value *columns)
{
	struct tally *y = self;

	aggregates_save(&y->options.aggregates, value, columns);
}

static bool
fold_value(void *self, void *value, const struct stored_value *row)
{
	struct tally *y = self;

	return aggregates_fold(&y->options.aggregates, value,
	    row + key_nparts(y->options.key.n));
}

static void
drop_value(void *self, void *value)
{
	struct tally *y = self;

	aggregates_drop(&y->options.aggregates, value);
}

static void
report(void *self, struct span spelling, const void *value)
{
	struct tally *y = self;
	struct buffer *row = collector_row(y->bolt.collector);

	key_start_row(row, y->projection->fields + y->options.key.first,
	    y->options.key.n, spelling);
	aggregates_put(&y->options.aggregates, row, value);
	buffer_byte(row, '}');
	collector_emit(y->bolt.collector, NULL, 0);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct tally *y = self;

	y->type = (struct persistent_type){ .size = y->options.aggregates.size,
		.ncolumns = y->options.aggregates.n + 1,
		.save = save_value,
		.fold = fold_value,
		.drop = drop_value,
		.report = report };
	y->bolt.map = (struct persistent_map){ .type = &y->type,
		.self = y,
		.nkeys = key_nparts(y->options.key.n),
		.limit = key_limit_of(&y->options.limit) };
	persistent_bolt_init(&y->bolt, context);
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct tally *y = self;

	keys_look_ahead(&y->ahead, persistent_map_keys(&y->bolt.map), t, n,
	    y->options.key.first, y->options.key.n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct tally *y = self;
	const struct key *key =
	    key_of_tuple(&y->key, t, y->options.key.first, y->options.key.n, f);
	void *value;

	if (key == NULL || aggregates_check(&y->options.aggregates, t, f) < 0)
		return -1;
	value = persistent_map_touch(&y->bolt.map, key);
	if (value == NULL)
		return key_limit_check(&y->options.limit, f);
	aggregates_reduce(&y->options.aggregates, value);
	persistent_bolt_took(&y->bolt, t);
	return 0;
}

static void
cleanup(void *self)
{
	struct tally *y = self;

	persistent_map_fini(&y->bolt.map);
	aggregates_fini(&y->options.aggregates);
	key_fini(&y->key);
	keys_ahead_fini(&y->ahead);
}

/* The columns of the table: key, aggregates, what they do not say. */
static struct span *
column_names(const struct tally *y)
{
	size_t n = y->options.aggregates.n;
	struct span *names =
	    stored_key_names(y->projection->fields + y->options.key.first,
		y->options.key.n, n + 1);
	struct span *others = names + key_nparts(y->options.key.n);

	aggregates_names(&y->options.aggregates, others);
	others[n] = SPAN("_exact");
	return names;
}

static void
restore(void *self, struct store *s)
{
	struct tally *y = self;
	struct span *names = column_names(y);

	persistent_map_restore(&y->bolt.map, s, names);
	free(names);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct tally *y = bolt->self;

	y->projection = setup->projection;
	aggregates_check_names(&y->options.aggregates, &command,
	    y->projection->fields + y->options.key.first, y->options.key.n,
	    NULL, 0);
	bolt->emits_at_ticks = !y->bolt.changes;
}

int
main(int argc, char *argv[])
{
	struct tally tally = { 0 };
	struct bolt bolt = { .self = &tally,
		.configure = configure,
		.prepare = prepare,
		.look_ahead = look_ahead,
		.execute = execute,
		.tick = persistent_bolt_tick,
		.finish = persistent_bolt_finish,
		.cleanup = cleanup,
		.count = persistent_bolt_count,
		.restore = restore,
		.save = persistent_bolt_save,
		.dump = persistent_bolt_dump };

	return bolt_main(&command, &bolt, argc, argv);
}
