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
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "run/persistent_bolt.h"
#include "window/aggregate.h"
#include "json/text.h"

static const char *
add_aggregates(void *to, struct projection *p, const char *text)
{
	return aggregates_add(to, p, text);
}

static struct {
	struct field_range key;
	struct aggregates aggregates;
} options;

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, &options.key,
	    .help = "aggregate by these fields", .required = true },
	{ 'a', "aggregate", "AGG", OPTION_LIST, &options.aggregates,
	    .add = add_aggregates,
	    .help = "count (default), {sum,min,max,mean,first,last}:F" },
	OPTIONS_PERSISTENT,
	{ 0 },
};

static struct projection projection;

static void
recall(const struct command *cmd)
{
	checkpoint_recall(cmd);
	options_give("-a", "count");
}

static const struct command command = {
	.name = "tally",
	.synopsis = "-k FIELDS [-a AGG,...] [--state FILE] [--batch N] [-c] "
		    "[FILE...]",
	.purpose = "aggregate the tuples of each key",
	.examples = "  tally -k status access.ndjson\n"
		    "  tally -k host -a count,sum:bytes,max:ms access.ndjson\n"
		    "  tally -k host --state hosts.db /var/log/access.ndjson\n",
	.options = specs,
	.state = checkpoint_dump_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
	.projection = &projection,
	.recall = recall,
};

struct tally {
	struct persistent_bolt bolt; /* first */
	struct key key;
	struct keys_ahead ahead;
};

static void
save_value(void *self, const void *value, struct stored_value *columns)
{
	(void)self;
	aggregates_save(&options.aggregates, value, columns);
}

static bool
fold_value(void *self, void *value, const struct stored_value *row)
{
	(void)self;
	return aggregates_fold(&options.aggregates, value, row + options.key.n);
}

static void
drop_value(void *self, void *value)
{
	(void)self;
	aggregates_drop(&options.aggregates, value);
}

static void
report(void *self, struct span spelling, const void *value)
{
	struct tally *y = self;
	struct buffer *row = collector_row(y->bolt.collector);

	buffer_byte(row, '{');
	key_put(row, projection.fields + options.key.first, options.key.n,
	    spelling);
	aggregates_put(&options.aggregates, row, value);
	buffer_byte(row, '}');
	collector_emit(y->bolt.collector, NULL, 0);
}

static struct persistent_type type = {
	.save = save_value,
	.fold = fold_value,
	.drop = drop_value,
	.report = report,
};

static void
prepare(void *self, const struct bolt_context *context)
{
	struct tally *y = self;

	type.size = options.aggregates.size;
	type.ncolumns = options.aggregates.n + 1;
	y->bolt.map = (struct persistent_map){
		.type = &type, .self = y, .nkeys = options.key.n
	};
	persistent_bolt_init(&y->bolt, context);
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct tally *y = self;

	keys_look_ahead(&y->ahead, &y->bolt.map.keys, t, n, options.key.first,
	    options.key.n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct tally *y = self;
	const struct key *key =
	    key_of_tuple(&y->key, t, options.key.first, options.key.n, f);

	if (key == NULL || aggregates_check(&options.aggregates, t, f) < 0)
		return -1;
	aggregates_reduce(&options.aggregates,
	    persistent_map_touch(&y->bolt.map, key), t);
	persistent_bolt_took(&y->bolt, t);
	return 0;
}

static void
cleanup(void *self)
{
	struct tally *y = self;

	persistent_map_fini(&y->bolt.map);
	aggregates_fini(&options.aggregates);
	key_fini(&y->key);
	keys_ahead_fini(&y->ahead);
}

/* The columns of the table: key, aggregates, what they do not say. */
static struct span *
column_names(void)
{
	size_t nkeys = options.key.n, n = options.aggregates.n;
	struct span *names =
	    field_plain_names(&projection.fields[options.key.first], nkeys,
		n + 1);

	for (size_t i = 0; i < n; i++) {
		struct span name = options.aggregates.list[i].name;

		names[nkeys + i] = (struct span){ name.p + 1, name.n - 2 };
	}
	names[nkeys + n] = SPAN("_exact");
	return names;
}

static void
restore(void *self, struct store *s)
{
	struct tally *y = self;
	struct span *names = column_names();

	persistent_map_restore(&y->bolt.map, s, names);
	free(names);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct span *names = column_names();

	(void)setup;
	options_check_names(&command, options.key, names + options.key.n,
	    options.aggregates.n);
	free(names);
	bolt->emits_at_ticks = !persistent_options.changes;
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
