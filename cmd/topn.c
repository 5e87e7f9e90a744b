/*
 * topn - the tuples with the largest numbers, batch by batch.
 *
 * A batch ends with a tick, where the value at -b changes, or with the
 * input; its ranking is emitted and the next starts from nothing.  With -e
 * the ranking so far is also emitted each EVERY of wall time.  Intermediate
 * and total rankings are the same command: it reads its own output.
 *
 * Under Storm a ranking can be one tuple, a list under the one member
 * `rankings`; such lists are merged by the task that they come from.
 *
 * Source: IntermediateRankingsBolt and TotalRankingsBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "base/diagnostics.h"
#include "bolt/ranking_rows.h"
#include "run/bolt_main.h"
#include "tuple/batch_value.h"
#include "window/ranking_groups.h"
#include "window/ranking_lists.h"

struct topn {
	struct {
		struct field_range key, group, value, time;
		struct time_form form;
		int64_t n, every;
		bool smallest, ticks, zeros;
		struct key_limit limit;
	} options;
	struct ranking_groups groups;
	struct group_keys keys;
	struct batch_value batch;  /* of -b */
	struct batch_value window; /* what a batch should have one of */
	bool mixes;		   /* it has several */
	bool parts;		   /* warned that one came in several */
	bool advises;
	bool meets_time; /* where -v expects a number */
	struct collector *collector;
	struct ranking_rows rows;
	struct field_range list; /* under Storm */
	struct ranking_lists lists;
};

#define AT(option) offsetof(struct topn, options.option)

static const struct option_spec specs[] = {
	{ 'n', "count", "N", OPTION_COUNT, AT(n), 1, INT64_MAX,
	    .help = "how many (10)" },
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "a new tuple replaces the one with these fields" },
	{ 'g', "group", "FIELDS", OPTION_FIELDS, AT(group),
	    .help = "rank the tuples with each of these by themselves" },
	{ 'v', "value", "PATH", OPTION_FIELD, AT(value),
	    .help = "rank by this number", .excludes = "-t" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "rank by this time, the latest first" },
	OPTIONS_TIME_FORM(AT(form), "-t"),
	{ 'e', "every", "EVERY", OPTION_DURATION, AT(every),
	    .help = "emit the ranking so far each EVERY", .excludes = "-b" },
	{ 'b', "batch", "PATH", OPTION_FIELD,
	    offsetof(struct topn, batch.field),
	    .help = "a batch ends where this value changes" },
	{ 'r', "reverse", NULL, OPTION_FLAG, AT(smallest),
	    .help = "rank the smallest" },
	{ 'T', "ticks", NULL, OPTION_FLAG, AT(ticks), .help = "pass ticks on" },
	{ 'z', "zeros", NULL, OPTION_FLAG, AT(zeros), .needs = "-v",
	    .help = "keep keys whose value is 0" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "topn",
	.synopsis = "[-n N] [-k FIELDS] [-g FIELDS] -v PATH | -t PATH "
		    "[-e EVERY | -b PATH] [-rTz] [FILE...]",
	.purpose = "rank the tuples with the largest numbers",
	.examples =
	    "  topn -n 5 -v bytes access.ndjson\n"
	    "  topn -n 1 -g host -t ts access.ndjson\n"
	    "  rollcount -k user -t ts -T edits.ndjson | "
	    "topn -n 10 -k user -v count\n"
	    "  tail -F access.ndjson | rollcount -k host -w 60s -e 1s |\n"
	    "      topn -k host -v count -e 5s\n",
	.options = specs,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

/* What a tuple is ranked by. */
struct entry {
	const struct key *group, *key; /* see ranking_groups_keys_of */
	struct number value;
};

static int
read_entry(struct topn *t, const struct tuple *tuple, struct entry *e,
    struct fault *f)
{
	if (ranking_groups_keys_of(&t->groups, &t->keys, tuple, &e->group,
		&e->key, f) < 0)
		return -1;
	if (t->options.time.n == 0)
		return tuple_number_or_null(tuple, t->options.value.first,
		    &e->value, f);
	e->value = (struct number){
		.is_int = true, .i = tuple->time_ns, .text = SPAN("")
	};
	return tuple->timed ? 0 :
			      tuple_time(tuple, t->options.time.first,
				  &t->options.form, &e->value.i, f);
}

static struct time_field
time_field(const void *self, size_t stream)
{
	const struct topn *t = self;

	(void)stream;
	return (struct time_field){ t->options.time, &t->options.form };
}

static int
update(struct topn *t, const struct tuple *tuple, const struct entry *e,
    struct fault *f)
{
	const struct number *x = &e->value;
	bool leaves = t->options.key.n != 0 && !t->options.zeros &&
	    t->options.time.n == 0 && x->is_int && x->i == 0;

	return ranking_groups_update(&t->groups, e->group, e->key,
		   leaves ? NULL : x, tuple->line) ?
	    0 :
	    key_limit_check(&t->options.limit, f);
}

/* Put an entry of a list in, which has been checked; or check it. */
static int
put_in(void *self, const struct tuple *entry, struct fault *f)
{
	struct entry e;

	if (read_entry(self, entry, &e, f) < 0)
		return -1;
	return update(self, entry, &e, f);
}

static int
check(void *self, const struct tuple *entry, struct fault *f)
{
	struct entry e;

	return read_entry(self, entry, &e, f);
}

static void
emit_ranking(struct topn *t)
{
	if (ranking_lists_any(&t->lists)) {
		ranking_groups_clear(&t->groups);
		ranking_lists_merge(&t->lists, put_in, t);
	}
	ranking_rows_emit(&t->rows, &t->groups);
}

static void
end_batch(struct topn *t)
{
	emit_ranking(t);
	ranking_groups_clear(&t->groups);
	batch_value_end(&t->window);
	t->mixes = false;
}

/* End a batch that had no tick to tell where its window ends. */
static void
end_untold(struct topn *t)
{
	if (t->mixes) {
		warn_plain("warning: windows were ranked together; with "
			   "rollcount -T, or with -b window_end, each is "
			   "ranked by itself");
		t->window.field.n = 0;
	}
	end_batch(t);
}

/* See whether rows of several windows, or not all of one, are ranked together. */
static void
see_window(struct topn *t, const struct tuple *tuple)
{
	if (t->batch.field.n == 0 && !t->parts &&
	    batch_value_is_again(&t->window, tuple)) {
		warn_plain("warning: a window was ranked in parts, as more of "
			   "its rows came after a tick; workers of pkgroup "
			   "need --merge tick, and each file a topn of its "
			   "own");
		t->parts = true;
	}
	if (!t->mixes)
		t->mixes = batch_value_see_window(&t->window, tuple);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct topn *t = self;

	t->collector = t->rows.collector = context->collector;
	t->keys.group = t->options.group;
	t->keys.key = t->options.key;
	ranking_groups_init(&t->groups, (size_t)t->options.n,
	    t->options.group.n != 0, t->options.key.n != 0,
	    t->options.smallest);
	t->groups.limit = key_limit_of(&t->options.limit);
	ranking_lists_init(&t->lists, context->projection, t->list);
	t->advises = context->advises;
}

static void
look_ahead(void *self, struct tuple *const *tuples, size_t n)
{
	struct topn *t = self;

	ranking_groups_look_ahead(&t->groups, &t->keys, tuples, n);
}

/* Keep a list of a task, which the next ranking is merged from. */
static int
take_list(struct topn *t, const struct tuple *tuple, struct fault *f)
{
	if (ranking_lists_put(&t->lists, tuple, check, t, f) < 0)
		return -1;
	t->groups.limit = NULL; /* all that the lists have is held anyway */
	collector_ack(t->collector, tuple->id);
	return 0;
}

/* Tell whether what -v ranks by is a time, and no number. */
static bool
has_time_as_value(const struct topn *t, const struct tuple *tuple)
{
	size_t field = t->options.value.first;
	struct number x;
	int64_t ns;

	return t->options.time.n == 0 &&
	    tuple_number_or_null(tuple, field, &x, NULL) < 0 &&
	    tuple_time(tuple, field, &t->options.form, &ns, NULL) == 0;
}

static int
execute(void *self, const struct tuple *tuple, struct fault *f)
{
	struct topn *t = self;
	struct entry e;
	bool begins = false;

	if (ranking_lists_expects(&t->lists, tuple))
		return take_list(t, tuple, f);
	if (read_entry(t, tuple, &e, f) < 0) {
		t->meets_time = t->meets_time || has_time_as_value(t, tuple);
		return -1;
	}
	if (t->batch.field.n != 0 &&
	    batch_value_see(&t->batch, tuple, &begins, f) < 0)
		return -1;
	if (begins) {
		end_untold(t);
		/* Its key may have been found in the batch that has ended. */
		read_entry(t, tuple, &e, NULL);
	}
	if (t->window.field.n != 0) {
		see_window(t, tuple);
		/* The window may have been decoded where the value was. */
		if (tuple_field(tuple, t->options.value.first)->escaped)
			read_entry(t, tuple, &e, NULL);
	}
	if (update(t, tuple, &e, f) < 0)
		return -1;
	collector_ack(t->collector, tuple->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct topn *t = self;

	/* After a long stop one ranking is enough. */
	if (tick->source == TICK_CLOCK && tick->behind)
		return;
	if (tick->source == TICK_INPUT) {
		end_batch(t);
		batch_value_end(&t->batch);
	} else {
		emit_ranking(t);
	}
	if (t->options.ticks)
		collector_tick(t->collector, tick->ms);
}

static void
finish(void *self, int64_t now_ms)
{
	(void)now_ms;
	end_untold(self);
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct topn *t = self;

	if (i == 0 && t->advises && t->meets_time)
		buffer_put(text, SPAN("times are ranked by -t, not by -v"));
	return i == 0;
}

static void
cleanup(void *self)
{
	struct topn *t = self;

	ranking_groups_fini(&t->groups);
	ranking_lists_fini(&t->lists);
	group_keys_fini(&t->keys);
	batch_value_fini(&t->batch);
	batch_value_fini(&t->window);
	ranking_rows_fini(&t->rows);
}

static void
count(const void *self, struct counters *c)
{
	const struct topn *t = self;

	c->live_keys = ranking_groups_live(&t->groups);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct topn *t = bolt->self;

	if (t->options.value.n == 0 && t->options.time.n == 0)
		options_misuse(&command, "-v or -t is required");
	if (t->options.limit.most != 0 && t->options.key.n == 0 &&
	    t->options.group.n == 0)
		options_misuse(&command, "--max-keys needs -k or -g");
	if (t->options.key.n != 0 || t->options.group.n != 0)
		bolt->look_ahead = look_ahead;
	bolt->tick_every_ms = t->options.every;
	bolt->every_option = "-e";
	if (setup->multilang)
		projection_add(setup->projection, "rankings", &t->list.first,
		    &t->list.n);
	/*
	 * With -e it goes on through windows; -g alone asks which was best, and
	 * -t which was last.
	 */
	else if (t->options.every == 0 && t->options.time.n == 0 &&
	    (t->options.group.n == 0 || t->options.key.n != 0) &&
	    !batch_value_has_window(setup->projection, &t->options.group) &&
	    !batch_value_has_window(setup->projection, &t->options.key))
		batch_value_by_window(&t->window, setup->projection);
}

int
main(int argc, char *argv[])
{
	struct topn t = { .options.n = 10 };
	struct bolt bolt = { .self = &t,
		.emits_at_ticks = true,
		.configure = configure,
		.time_field = time_field,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.hint = hint,
		.cleanup = cleanup,
		.count = count };

	return bolt_main(&command, &bolt, argc, argv);
}
