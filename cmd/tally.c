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
#include "aggregate.h"
#include "checkpoint.h"
#include "diagnostics.h"
#include "json_text.h"
#include "persistent_map.h"
#include "pipe_runner.h"

static const char *
add_aggregates(void *to, struct projection *p, const char *text)
{
	return aggregates_add(to, p, text);
}

static struct {
	struct field_range key;
	struct aggregates aggregates;
	int64_t batch;
	bool changes;
} options = { .batch = 1000 };

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, &options.key,
	    .help = "aggregate by these fields", .required = true },
	{ 'a', "aggregate", "AGG", OPTION_LIST, &options.aggregates,
	    .add = add_aggregates,
	    .help = "count (default), {sum,min,max,mean,first,last}:F" },
	{ 'c', "changes", NULL, OPTION_FLAG, &options.changes,
	    .changeable = true,
	    .help = "after each batch write what it changed" },
	{ .name = "batch",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.batch,
	    .min = 1,
	    .max = 1000000000,
	    .changeable = true,
	    .help = "tuples in a batch (1000)" },
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
	.common = pipe_runner_bolt_options,
	.state = checkpoint_dump_options,
	.projection = &projection,
	.recall = recall,
};

struct tally {
	struct persistent_map map;
	struct key key;
	struct keys_ahead ahead;
	struct collector *collector; /* of the call */
};

static void
save_value(void *self, const void *value, struct column *columns)
{
	(void)self;
	aggregates_save(&options.aggregates, value, columns);
}

static void
fold_value(void *self, void *value, const struct column *columns)
{
	(void)self;
	aggregates_fold(&options.aggregates, value, columns);
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
	struct buffer *row = collector_row(y->collector);

	buffer_byte(row, '{');
	key_put(row, projection.fields + options.key.first, options.key.n,
	    spelling);
	aggregates_put(&options.aggregates, row, value);
	buffer_byte(row, '}');
	collector_emit(y->collector, NULL, 0);
}

static struct persistent_type type = {
	.save = save_value,
	.fold = fold_value,
	.drop = drop_value,
	.report = report,
};

static void
prepare(void *self, int64_t now_ms)
{
	struct tally *y = self;

	(void)now_ms;
	type.size = options.aggregates.size;
	type.ncolumns = options.aggregates.n + 1;
	y->map = (struct persistent_map){ .type = &type,
		.self = y,
		.nkeys = options.key.n,
		.changes = options.changes || pipe_runner_is_multilang(),
		.batch_size = options.changes || !pipe_runner_is_multilang() ?
		    options.batch :
		    INT64_MAX };
	persistent_map_init(&y->map);
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct tally *y = self;

	keys_look_ahead(&y->ahead, &y->map.keys, t, n, options.key.first,
	    options.key.n);
}

static int
execute(void *self, struct collector *c, const struct tuple *t, struct fault *f)
{
	struct tally *y = self;
	const struct key *key =
	    key_of_tuple(&y->key, t, options.key.first, options.key.n, f);

	if (key == NULL || aggregates_check(&options.aggregates, t, f) < 0)
		return -1;
	aggregates_reduce(&options.aggregates,
	    persistent_map_touch(&y->map, key), t);
	y->collector = c;
	persistent_map_count(&y->map);
	collector_ack(c, t->id);
	return 0;
}

/* Under Storm a tick ends a batch; those of a pipe mean nothing here. */
static void
tick(void *self, struct collector *c, const struct tick *tick)
{
	struct tally *y = self;

	if (tick->source != TICK_ALARM)
		return;
	y->collector = c;
	persistent_map_end_batch(&y->map);
}

static void
finish(void *self, struct collector *c, int64_t now_ms)
{
	struct tally *y = self;

	(void)now_ms;
	y->collector = c;
	persistent_map_finish(&y->map);
}

static void
cleanup(void *self)
{
	struct tally *y = self;

	persistent_map_fini(&y->map);
	aggregates_fini(&options.aggregates);
	key_fini(&y->key);
	keys_ahead_fini(&y->ahead);
}

static void
count(const void *self, struct counters *c)
{
	const struct tally *y = self;

	c->live_keys = y->map.keys.live;
}

/* The columns of the table: key, aggregates, what they do not say. */
static struct span *
column_names(void)
{
	size_t nkeys = options.key.n, n = options.aggregates.n;
	struct span *names = memory_new(nkeys + n + 1, sizeof *names);

	for (size_t i = 0; i < nkeys; i++)
		names[i] = projection.fields[options.key.first + i].name;
	for (size_t i = 0; i < n; i++)
		names[nkeys + i] = options.aggregates.list[i].name;
	for (size_t i = 0; i < nkeys + n; i++)
		names[i] = (struct span){ names[i].p + 1, names[i].n - 2 };
	names[nkeys + n] = SPAN("_exact");
	return names;
}

static void
restore(void *self, struct store *s)
{
	struct tally *y = self;
	struct span *names = column_names();

	persistent_map_restore(&y->map, s, names);
	free(names);
}

static void
save(void *self, struct store *s)
{
	struct tally *y = self;

	persistent_map_save(&y->map, s);
}

static void
dump(void *self, struct collector *c)
{
	struct tally *y = self;

	y->collector = c;
	persistent_map_dump(&y->map);
}

/* A row is of no use if two of its members have one name. */
static void
check_names(const struct command *cmd)
{
	struct span *names = column_names();
	size_t n = options.key.n + options.aggregates.n;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (span_eq(names[i], names[k]))
				options_misuse(cmd,
				    "two members are named '%.*s'; NAME= gives "
				    "one another name",
				    (int)names[i].n, names[i].p);
	free(names);
}

int
main(int argc, char *argv[])
{
	struct tally tally = { 0 };
	struct bolt bolt = { .self = &tally,
		.prepare = prepare,
		.look_ahead = look_ahead,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.restore = restore,
		.save = save,
		.dump = dump,
		.emits_at_ticks = true };
	struct pipe_runner runner = { .command = &command, .bolt = &bolt };
	int first;

	diagnostics_init(argv[0]);
	projection_init(&projection);
	first = options_parse(&command, argc, argv);
	check_names(&command);
	return pipe_runner_run(&runner, argv + first, (size_t)(argc - first));
}
