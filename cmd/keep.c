/*
 * keep - pass on the tuples for which a condition is true; or all, with --mark,
 * each with a member that says whether it is.
 *
 * Ticks pass, so that what counts batches behind it still can.
 *
 * Source: Filter.isKeep of Storm's Trident.
 *
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <stddef.h>
#include <string.h>

#include "base/diagnostics.h"
#include "bolt/interleave.h"
#include "run/bolt_main.h"
#include "tuple/condition.h"
#include "tuple/tag.h"

struct keep {
	struct interleave interleave; /* first */
	struct {
		bool invert;
		const char *mark;
		struct field_range time;
		struct time_options times;
	} options;
	struct tag mark;
	struct condition *condition;
	struct collector *collector;
	const struct projection *projection;
	bool advises;
};

#define AT(option) offsetof(struct keep, options.option)

static const struct option_spec specs[] = {
	{ 'v', "invert", NULL, OPTION_FLAG, AT(invert),
	    .help = "pass on those for which it is not true" },
	{ .name = "mark",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = AT(mark),
	    .help = "pass on all, with this member: 1 if true, else 0" },
	{ 't', "time", "PATH", OPTION_FIELD, AT(time), .needs = "--interleave",
	    .help = "the time by which files are read side by side" },
	OPTIONS_INTERLEAVE(AT(times)),
	OPTION_MAX_AHEAD(AT(times)),
	OPTIONS_TIME_FORM(AT(times.form), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "keep",
	.synopsis = "[-v] [--mark NAME] [-t PATH --interleave] CONDITION "
		    "[FILE...]",
	.purpose = "pass on the tuples that meet a condition",
	.examples = "  keep 'status >= 500' access.ndjson\n"
		    "  keep 'path =~ \"^/api/\" && !user' access.ndjson | "
		    "tally -k path\n"
		    "  tail -F access.ndjson | keep 'ms > 1000'\n"
		    "  keep -t ts --interleave ts web1.ndjson web2.ndjson\n",
	.options = specs,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

static void
prepare(void *self, const struct bolt_context *context)
{
	struct keep *k = self;

	k->collector = context->collector;
	k->projection = context->projection;
	k->advises = context->advises;
	interleave_prepare(&k->interleave, context);
}

/* Tuples need nothing but a time; see interleave.h. */
static int
read_tuple(void *self, const struct tuple *t, struct fault *f)
{
	(void)self;
	(void)t;
	(void)f;
	return 0;
}

static void
put_marked(struct keep *k, const struct tuple *t, bool holds)
{
	buffer_byte(tag_begin(&k->mark), holds ? '1' : '0');
	tag_put(&k->mark, collector_row(k->collector), t);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct keep *k = self;
	bool holds = condition_holds(k->condition, t) != k->options.invert;

	(void)f;
	if (k->options.mark != NULL)
		put_marked(k, t, holds);
	else if (holds)
		buffer_put(collector_row(k->collector), t->line);
	if (holds || k->options.mark != NULL)
		collector_emit(k->collector, &t->id, 1);
	collector_ack(k->collector, t->id);
	return 0;
}

static void
tick(void *self, const struct tick *tick)
{
	struct keep *k = self;

	if (tick->source == TICK_INPUT && !k->options.times.interleave)
		collector_tick(k->collector, tick->ms);
}

static bool
hint(const void *self, size_t i, struct buffer *text)
{
	const struct keep *k = self;

	return k->advises &&
	    condition_hint(k->condition, i, k->projection, text);
}

static void
cleanup(void *self)
{
	struct keep *k = self;

	condition_free(k->condition);
	interleave_fini(&k->interleave);
	tag_fini(&k->mark);
}

/* Tell whether there is an input of that name. */
static bool
exists(const char *name)
{
	struct stat st;

	return operand_is_stdin(name) || stat(name, &st) == 0;
}

/*
 * Tell whether a condition, with no file behind it, was meant as a file.  A name
 * that begins with a dot is more often a path of fields.
 */
static bool
is_like_file(const char *condition)
{
	bool is_path =
	    condition[0] == '.' && condition[1] != '/' && condition[1] != '.';
	struct stat st;

	return !is_path && strpbrk(condition, "./") != NULL &&
	    stat(condition, &st) == 0 && S_ISREG(st.st_mode);
}

/* Tell whether a word is an operator, so that the condition was not quoted. */
static bool
is_operator(const char *word)
{
	return *word != '\0' && word[strspn(word, "=!<>~&|")] == '\0';
}

/* Check that there are times to read as the options say. */
static void
check_times(const struct keep *k)
{
	const struct time_form *form = &k->options.times.form;

	if (k->options.time.n == 0 && !condition_has_times(k->condition) &&
	    (form->format != NULL || form->unit != TIME_UNIT_AUTO))
		options_misuse(&command, "%s needs -t or an @TIME",
		    form->format != NULL ? "--time-format" : "--time-unit");
}

/* The first operand is the condition. */
static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct keep *k = bolt->self;
	struct fault fault = { 0 };
	struct span condition;

	if (setup->noperands == 0)
		options_misuse(&command, "a CONDITION is required");
	if (is_like_file(setup->operands[0]) &&
	    (setup->noperands == 1 || !exists(setup->operands[1])))
		options_misuse(&command, "a CONDITION is required before '%s'",
		    setup->operands[0]);
	if (setup->noperands > 2 && is_operator(setup->operands[1]))
		options_misuse(&command,
		    "the condition is one argument: '%s %s %s'",
		    setup->operands[0], setup->operands[1], setup->operands[2]);
	condition = span_of(setup->operands[0]);
	k->condition = condition_new(condition, setup->projection,
	    &k->options.times.form, &fault);
	if (k->condition == NULL)
		die_at(condition, fault.column, fault.message);
	check_times(k);
	if (k->options.mark != NULL) {
		tag_check(&command, "--mark", k->options.mark);
		tag_init(&k->mark, k->options.mark, setup->projection);
	}
	setup->operands++;
	setup->noperands--;
	k->interleave.read = read_tuple;
	interleave_configure(&k->interleave, &k->options.times,
	    &k->options.time, bolt, setup);
}

int
main(int argc, char *argv[])
{
	struct keep k = { 0 };
	struct bolt bolt = { .self = &k,
		.configure = configure,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.hint = hint,
		.cleanup = cleanup };

	return bolt_main(&command, &bolt, argc, argv);
}
