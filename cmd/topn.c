/*
 * topn - the tuples with the largest numbers, batch by batch.
 *
 * A batch ends with a tick, where the value at -b changes, or with the
 * input; its ranking is emitted and the next starts from nothing.  With -e
 * the ranking so far is also emitted each EVERY of wall time.  Intermediate
 * and total rankings are the same command: it reads its own output.
 *
 * Source: IntermediateRankingsBolt and TotalRankingsBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#include "diagnostics.h"
#include "pipe_runner.h"
#include "rankings.h"

static struct {
	struct field_range key, value, batch;
	int64_t n, every;
	bool smallest, ticks, zeros;
} options = { .n = 10 };

static const struct option_spec specs[] = {
	{ 'n', "count", "N", OPTION_COUNT, &options.n, 1, INT64_MAX,
	    .help = "how many (10)" },
	{ 'k', "key", "FIELDS", OPTION_FIELDS, &options.key,
	    .help = "a new tuple replaces the one with these fields" },
	{ 'v', "value", "PATH", OPTION_FIELD, &options.value,
	    .help = "rank by this number", .required = true },
	{ 'e', "every", "EVERY", OPTION_DURATION, &options.every,
	    .help = "emit the ranking so far each EVERY" },
	{ 'b', "batch", "PATH", OPTION_FIELD, &options.batch,
	    .help = "a batch ends where this value changes" },
	{ 'r', "reverse", NULL, OPTION_FLAG, &options.smallest,
	    .help = "rank the smallest" },
	{ 'T', "ticks", NULL, OPTION_FLAG, &options.ticks,
	    .help = "pass ticks on" },
	{ 'z', "zeros", NULL, OPTION_FLAG, &options.zeros,
	    .help = "keep keys whose value is 0" },
	{ 0 },
};

static struct projection projection;

static const struct command command = {
	.name = "topn",
	.synopsis = "[-n N] [-k FIELDS] -v PATH [-e EVERY | -b PATH] [-rTz] "
		    "[FILE...]",
	.purpose = "rank the tuples with the largest numbers",
	.examples =
	    "  topn -n 5 -v bytes access.ndjson\n"
	    "  rollcount -k user -t ts -T edits.ndjson | "
	    "topn -n 10 -k user -v count\n"
	    "  tail -F access.ndjson | rollcount -k host -w 60s -e 1s |\n"
	    "      topn -k host -v count -e 5s\n",
	.options = specs,
	.common = pipe_runner_bolt_options,
	.projection = &projection,
};

struct topn {
	struct rankings rankings;
	struct key key, batch;
	struct buffer last_batch; /* the value at -b, canonical */
	bool in_batch;		  /* last_batch is set */
	struct buffer member;
	struct collector *collector; /* of the call */
};

static void
emit_row(void *self, size_t rank, struct span line)
{
	struct topn *t = self;

	t->member.n = 0;
	buffer_put(&t->member, SPAN("\"rank\":"));
	buffer_int(&t->member, (int64_t)rank);
	tuple_put_without(collector_row(t->collector), buffer_span(&t->member),
	    line, SPAN("rank"));
	collector_emit(t->collector, NULL, 0);
}

static void
emit_ranking(struct topn *t, struct collector *c)
{
	t->collector = c;
	rankings_report(&t->rankings, emit_row, t);
}

static void
end_batch(struct topn *t, struct collector *c)
{
	emit_ranking(t, c);
	rankings_clear(&t->rankings);
}

static void
prepare(void *self, int64_t now_ms)
{
	struct topn *t = self;

	(void)now_ms;
	rankings_init(&t->rankings, (size_t)options.n, options.key.n != 0,
	    options.smallest);
}

/* End the batch if the tuple has another value at -b. */
static void
heed_batch(struct topn *t, struct collector *c)
{
	if (t->in_batch && span_eq(t->batch.bytes, buffer_span(&t->last_batch)))
		return;
	if (t->in_batch)
		end_batch(t, c);
	t->in_batch = true;
	t->last_batch.n = 0;
	buffer_put(&t->last_batch, t->batch.bytes);
}

static int
execute(void *self, struct collector *c, const struct tuple *tuple,
    struct fault *f)
{
	struct topn *t = self;
	struct number x;

	if (options.key.n != 0 &&
	    key_of(&t->key, tuple, options.key.first, options.key.n, f) < 0)
		return -1;
	if (tuple_number(tuple, options.value.first, &x, f) < 0)
		return -1;
	if (options.batch.n != 0) {
		if (key_of(&t->batch, tuple, options.batch.first, 1, f) < 0)
			return -1;
		heed_batch(t, c);
	}
	if (options.key.n != 0 && !options.zeros && x.is_int && x.i == 0)
		rankings_remove(&t->rankings, &t->key);
	else
		rankings_update(&t->rankings,
		    options.key.n != 0 ? &t->key : NULL, &x, tuple->line);
	collector_ack(c, tuple->id);
	return 0;
}

static void
tick(void *self, struct collector *c, const struct tick *tick)
{
	struct topn *t = self;

	/* After a long stop one ranking is enough. */
	if (tick->source == TICK_CLOCK && tick->behind)
		return;
	if (tick->source == TICK_INPUT) {
		end_batch(t, c);
		t->in_batch = false;
	} else {
		emit_ranking(t, c);
	}
	if (options.ticks)
		collector_tick(c, tick->ms);
}

static void
finish(void *self, struct collector *c, int64_t now_ms)
{
	(void)now_ms;
	end_batch(self, c);
}

static void
cleanup(void *self)
{
	struct topn *t = self;

	rankings_fini(&t->rankings);
	key_fini(&t->key);
	key_fini(&t->batch);
	buffer_fini(&t->last_batch);
	buffer_fini(&t->member);
}

static void
count(const void *self, struct counters *c)
{
	const struct topn *t = self;

	c->live_keys = rankings_live(&t->rankings);
}

int
main(int argc, char *argv[])
{
	struct topn t = { 0 };
	struct bolt bolt = { .self = &t,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.emits_at_ticks = true };
	struct pipe_runner runner = { .command = &command, .bolt = &bolt };
	int first;

	diagnostics_init(argv[0]);
	projection_init(&projection);
	first = options_parse(&command, argc, argv);
	if (options.every != 0 && options.batch.n != 0)
		options_misuse(&command, "-e and -b exclude each other");
	bolt.tick_every_ms = options.every;
	return pipe_runner_run(&runner, argv + first, (size_t)(argc - first));
}
