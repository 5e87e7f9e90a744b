/*
 * pkgroup - split a stream over tasks, by Storm's stream groupings.
 *
 * Tasks are copies of a command, files, a member of each tuple, or under Storm
 * those of another component.  Ticks go to all of them: those of the input, or
 * with -t those that its watermark makes.
 *
 * Source: PartialKeyGrouping and the other groupings of Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "bolt/interleave.h"
#include "bolt/task_rows.h"
#include "grouping/imbalance.h"
#include "grouping/tuple_grouping.h"
#include "io/part_files.h"
#include "run/bolt_main.h"
#include "tuple/event_ticks.h"

static const char *const groupings[] = { "partial", "fields", "heavy",
	"shuffle", "global", "all", "none", NULL };
static const char *const schemes[] = { "native", "storm1", "storm2", NULL };
static const char *const choices[] = { "w", "d", NULL };
static const char *const orders[] = { "line", "tick", NULL };

struct pkgroup {
	struct interleave interleave; /* first */
	struct {
		struct field_range key, time;
		int64_t n, seed, every;
		int grouping, scheme, choices, merge;
		struct time_options times;
		const char *tag, *files, *to;
		bool explain;
	} options;
	struct collector *collector;
	struct grouping_config config;
	struct grouping grouping;
	struct tuple_grouping keys;
	struct task_key key; /* of a tuple that was read */
	struct imbalance imbalance;
	struct task_rows rows;
	struct event_ticks ticks; /* with -t */
	bool keyed, stats;
	bool splits; /* tuples go to the tasks, not to stdout */
	bool tags;   /* under Storm, each with the task that sent it */
};

#define AT(option) offsetof(struct pkgroup, options.option)

static const struct option_spec specs[] = {
	{ 'n', "tasks", "N", OPTION_COUNT, AT(n), 1, GROUPING_MAX_TASKS,
	    .help = "how many tasks (required)", .excludes = "--multilang" },
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "group by these fields (the first member)" },
	{ 'g', "grouping", "GROUPING", OPTION_CHOICE, AT(grouping),
	    .choices = groupings,
	    .help = "partial, fields, heavy, shuffle, global, all, none" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time),
	    .help = "make ticks by this event time",
	    .excludes = "--multilang" },
	{ 'e', "every", "EVERY", OPTION_DURATION, AT(every),
	    .help = "how far apart those ticks are" },
	OPTION_LATENESS(AT(times)),
	OPTION_ALIGN(AT(times)),
	OPTIONS_INTERLEAVE(AT(times)),
	{ .name = "choices",
	    .arg = "RULE",
	    .kind = OPTION_CHOICE,
	    .to = AT(choices),
	    .choices = choices,
	    .help = "of heavy: w (W-Choices, default) or d (D-Choices)" },
	{ .name = "explain",
	    .kind = OPTION_FLAG,
	    .to = AT(explain),
	    .help = "add the tasks that were considered",
	    .excludes = "--multilang --files" },
	{ .name = "files",
	    .arg = "TEMPLATE",
	    .kind = OPTION_TEXT,
	    .to = AT(files),
	    .help = "write to files, part-%d.ndjson",
	    .excludes = "--multilang" },
	{ .name = "hash",
	    .arg = "SCHEME",
	    .kind = OPTION_CHOICE,
	    .to = AT(scheme),
	    .choices = schemes,
	    .help = "native (default), storm1 or storm2" },
	{ .name = "merge",
	    .arg = "ORDER",
	    .kind = OPTION_CHOICE,
	    .to = AT(merge),
	    .choices = orders,
	    .help = "what comes back: line or tick (default with -t)" },
	{ .name = "seed",
	    .arg = "S",
	    .kind = OPTION_COUNT,
	    .to = AT(seed),
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "of the native hash, and of none (0)" },
	{ .name = "tag",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = AT(tag),
	    .help = "put the task first into what comes back",
	    .excludes = "--files" },
	{ .name = "to",
	    .arg = "COMPONENT",
	    .kind = OPTION_TEXT,
	    .to = AT(to),
	    .help = "under Storm: the tasks are those of COMPONENT",
	    .needs = "--multilang" },
	OPTIONS_TIME(AT(times)),
	{ 0 },
};

static const struct command command = {
	.name = "pkgroup",
	.synopsis = "-n N [-k FIELDS] [-g GROUPING] [--hash SCHEME] "
		    "[--tag NAME] [-t PATH -e EVERY [-l D]] "
		    "[--files TEMPLATE] [FILE...] [-- COMMAND...]\n"
		    "       pkgroup --multilang [--to COMPONENT] [-k FIELDS] "
		    "[-g GROUPING]",
	.purpose = "split a stream over tasks by Storm's groupings",
	.examples =
	    "  pkgroup -n 4 -g shuffle edits.ndjson -- jq -c .user\n"
	    "  pkgroup -n 8 -k user --files part-%d.ndjson edits.ndjson\n"
	    "  pkgroup -n 4 -k word -t ts -e 3s --tag task -- \\\n"
	    "      rollcount -i -T -k word -t ts -w 9s -e 3s |\n"
	    "      rollagg -k word -T | topn -n 5 -k word -v count\n",
	.options = specs,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
	.runs_command = true,
};

static void
send(struct pkgroup *p, uint32_t task, const struct tuple *t)
{
	if (p->stats) {
		imbalance_add(&p->imbalance, task);
		if (p->keyed)
			imbalance_add_key(&p->imbalance, task, p->key.hash);
	}
	if (p->splits) {
		collector_send(p->collector, task, t->id,
		    p->tags ? task_rows_sender(&p->rows, t) : t->line);
		return;
	}
	if (p->options.explain)
		grouping_put_candidates(&p->grouping, &p->key, task,
		    task_rows_choices(&p->rows));
	task_rows_emit(&p->rows, p->collector, task, t);
}

static void
prepare(void *self, const struct bolt_context *context)
{
	struct pkgroup *p = self;

	p->collector = context->collector;
	interleave_prepare(&p->interleave, context);
	p->stats = context->has_stats;
	if (context->multilang)
		p->config.ntasks = (uint32_t)context->ntasks;
	grouping_init(&p->grouping, &p->config);
	imbalance_init(&p->imbalance, p->config.ntasks);
}

/* The watermark is there. */
static void
move_time(void *self, int64_t ms)
{
	struct pkgroup *p = self;
	int64_t tick_ms;

	if (event_ticks_reach(&p->ticks, ms, &tick_ms))
		collector_tick(p->collector, tick_ms);
}

/* All but its time; see interleave.h. */
static int
read_key(void *self, const struct tuple *t, struct fault *f)
{
	struct pkgroup *p = self;

	return p->keyed ?
	    tuple_grouping_key(&p->keys, &p->config, t, p->options.key.first,
		p->options.key.n, &p->key, f) :
	    0;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct pkgroup *p = self;
	int64_t ms;

	if (read_key(p, t, f) < 0)
		return -1;
	if (p->options.time.n != 0) {
		if (interleave_time(&p->interleave, t, &ms, f) < 0)
			return -1;
		event_ticks_see(&p->ticks, ms);
		if (watermark_see(&p->interleave.watermark, t->stream, ms))
			move_time(p, p->interleave.watermark.now);
	}
	if (p->config.kind != GROUPING_ALL)
		send(p, grouping_choose(&p->grouping, &p->key), t);
	else
		for (uint32_t i = 0; i < p->config.ntasks; i++)
			send(p, i, t);
	collector_ack(p->collector, t->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct pkgroup *p = self;

	if (p->options.time.n == 0)
		collector_tick(p->collector, tick->ms);
}

static void
finish(void *self, int64_t now_ms)
{
	struct pkgroup *p = self;
	int64_t tick_ms;

	(void)now_ms;
	if (event_ticks_end(&p->ticks, &tick_ms))
		collector_tick(p->collector, tick_ms);
}

static void
cleanup(void *self)
{
	struct pkgroup *p = self;

	interleave_fini(&p->interleave);
	grouping_fini(&p->grouping);
	tuple_grouping_fini(&p->keys);
	imbalance_fini(&p->imbalance);
	task_rows_fini(&p->rows);
}

static void
count(const void *self, struct counters *c)
{
	const struct pkgroup *p = self;

	c->live_keys = grouping_live_keys(&p->grouping);
	interleave_count(&p->interleave, NULL, c);
}

static void
report(const void *self, struct buffer *members)
{
	const struct pkgroup *p = self;
	enum grouping_kind kind = p->config.kind;
	int tasks = kind == GROUPING_PARTIAL ? 2 : kind == GROUPING_FIELDS;

	if (p->stats)
		imbalance_put(&p->imbalance, members, tasks);
}

/* What options say together; what only a pipe has makes no sense in Storm. */
static void
check(const struct pkgroup *p, const struct bolt_setup *setup, bool runs)
{
	bool multilang = setup->multilang, files = p->options.files != NULL;
	bool explain = p->options.explain, timed = p->options.time.n != 0;
	const char *tag = p->options.tag;
	enum grouping_kind kind = (enum grouping_kind)p->options.grouping;
	const struct {
		bool wrong;
		const char *why;
	} rules[] = {
		{ multilang && runs,
		    "--multilang and a command exclude each other" },
		{ !multilang && p->options.n == 0, "-n is required" },
		{ runs && files, "--files and a command exclude each other" },
		{ runs && explain,
		    "--explain and a command exclude each other" },
		{ explain && tag != NULL && strcmp(tag, "choices") == 0,
		    "--tag: 'choices' is a member that --explain writes" },
		{ p->options.choices >= 0 && kind != GROUPING_HEAVY,
		    "--choices needs -g heavy" },
		{ p->options.merge >= 0 && !runs, "--merge needs a command" },
		{ timed != (p->options.every != 0), "-t and -e go together" },
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].wrong)
			options_misuse(setup->command, "%s", rules[i].why);
	if (tag != NULL)
		tag_check(setup->command, "--tag", tag);
	if (files)
		options_check(setup->command, "--files",
		    part_files_check(p->options.files), p->options.files);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct pkgroup *p = bolt->self;
	bool runs = setup->argv != NULL, timed = p->options.time.n != 0;
	int merge = p->options.merge;

	check(p, setup, runs);
	p->interleave.move = move_time;
	p->interleave.read = read_key;
	interleave_configure(&p->interleave, &p->options.times,
	    &p->options.time, bolt, setup);
	p->config =
	    (struct grouping_config){ (enum grouping_kind)p->options.grouping,
		    (enum grouping_scheme)p->options.scheme,
		    (enum heavy_hitters_choices)(p->options.choices > 0),
		    (uint32_t)p->options.n, (uint64_t)p->options.seed };
	p->ticks.every_ms = p->options.every;
	p->ticks.start_ms = time_options_start(&p->options.times, &command);
	p->keyed = p->options.key.n != 0 || grouping_has_keys(p->config.kind);
	if (merge < 0)
		merge = timed ? MERGER_BY_TICK : MERGER_BY_LINE;
	p->splits = runs || p->options.files != NULL || setup->multilang;
	p->tags = setup->multilang && p->options.tag != NULL;
	if (p->tags || !p->splits)
		task_rows_init(&p->rows,
		    p->options.tag == NULL ? "task" : p->options.tag,
		    p->options.explain, setup->projection);
	if (setup->multilang)
		bolt->tasks = (struct bolt_tasks){ .of_component = true,
			.component = p->options.to };
	else if (p->splits)
		bolt->tasks = (struct bolt_tasks){ .n = (size_t)p->options.n,
			.argv = setup->argv,
			.files = p->options.files,
			.tag = p->options.tag,
			.order = (enum merger_order)merge };
}

int
main(int argc, char *argv[])
{
	struct pkgroup p = { .options = { .choices = -1, .merge = -1 } };
	struct bolt bolt = { .self = &p,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup,
		.count = count,
		.report = report };

	return bolt_main(&command, &bolt, argc, argv);
}
