/*
 * timeline - how many intervals were open at each step of time, per key.
 *
 * An interval adds one to every step that it touches, its first and its last
 * included.  Steps are kept by slices, both multiples from the epoch on.
 * Batches, -c and --state are as for tally.
 *
 * Source: the timeline updater of the room occupancy sample for Trident,
 *         which knows hours and minutes, in the time zone of the machine.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>

#include "bolt/slice_rows.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"

struct timeline {
	struct slice_rows rows; /* first */
	struct {
		struct field_range key, from, to;
		int64_t slice, step, max_steps;
		struct time_form times;
		struct key_limit limit;
	} options;
	struct keys_ahead ahead;
	struct key made;
};

#define AT(option) offsetof(struct timeline, options.option)

static const struct option_spec specs[] = {
	{ 'k', "key", "FIELDS", OPTION_FIELDS, AT(key),
	    .help = "a timeline for each value of these fields",
	    .required = true },
	{ .name = "from",
	    .arg = "PATH",
	    .kind = OPTION_FIELD,
	    .to = AT(from),
	    .help = "when the interval starts",
	    .required = true },
	{ .name = "to",
	    .arg = "PATH",
	    .kind = OPTION_FIELD,
	    .to = AT(to),
	    .help = "when it ends",
	    .required = true },
	{ .name = "slice",
	    .arg = "LENGTH",
	    .kind = OPTION_DURATION,
	    .to = AT(slice),
	    .help = "time in a row, a multiple of STEP (1h)" },
	{ .name = "step",
	    .arg = "STEP",
	    .kind = OPTION_DURATION,
	    .to = AT(step),
	    .help = "time in an element of a row (1m)" },
	OPTIONS_PERSISTENT,
	{ .name = "max-steps",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = AT(max_steps),
	    .min = 1,
	    .max = 1000000000,
	    .changeable = true,
	    .help = "most steps that an interval touches (100000)" },
	OPTION_MAX_KEYS(AT(limit), NULL),
	OPTIONS_TIME_FORM(AT(times), NULL),
	{ 0 },
};

static const struct command command = {
	.name = "timeline",
	.synopsis = "-k FIELDS --from PATH --to PATH [--slice LENGTH] "
		    "[--step STEP] [--state FILE] [--batch N] [-c] [FILE...]",
	.purpose = "count the intervals open at each step of time",
	.examples = "  timeline -k roomId --from start --to end stays.ndjson\n"
		    "  timeline -k user --from login --to logout --slice 1d "
		    "--step 1h s.ndjson\n",
	.options = specs,
	.state = checkpoint_dump_options,
	.common = bolt_main_options,
	.storm = bolt_main_storm_options,
};

enum { MAX_SLICE_STEPS = 100000 };

static void
prepare(void *self, const struct bolt_context *context)
{
	struct timeline *l = self;

	l->rows.key_fields = l->options.key;
	l->rows.slice_ms = l->options.slice;
	l->rows.step_ms = l->options.step;
	l->rows.limit = key_limit_of(&l->options.limit);
	slice_rows_init(&l->rows, context);
}

/* Find the first and the last step of the tuple's interval. */
static int
interval(const struct timeline *l, const struct tuple *t, int64_t *first,
    int64_t *last, struct fault *f)
{
	const struct time_form *form = &l->options.times;
	int64_t from, to;

	if (tuple_time(t, l->options.from.first, form, &from, f) < 0 ||
	    tuple_time(t, l->options.to.first, form, &to, f) < 0)
		return -1;
	if (to < from)
		return tuple_mismatch(t, l->options.to.first, FAULT_RANGE,
		    "a time that is not before --from", f);
	*first = floor_div(ns_to_ms(from), l->options.step);
	*last = floor_div(ns_to_ms(to), l->options.step);
	if (*last - *first >= l->options.max_steps)
		return tuple_mismatch(t, l->options.to.first, FAULT_RANGE,
		    "a time within --max-steps from --from on", f);
	return 0;
}

static void
look_ahead(void *self, struct tuple *const *t, size_t n)
{
	struct timeline *l = self;

	slice_rows_look_ahead(&l->rows, &l->ahead, t, n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct timeline *l = self;
	int64_t first = 0, last = 0;
	const struct key *key = key_of_tuple(&l->made, t, l->options.key.first,
	    l->options.key.n, f);

	if (key == NULL || interval(l, t, &first, &last, f) < 0)
		return -1;
	return slice_rows_add(&l->rows, t, key, first, last) ?
	    0 :
	    key_limit_check(&l->options.limit, f);
}

static void
cleanup(void *self)
{
	struct timeline *l = self;

	slice_rows_fini(&l->rows);
	key_fini(&l->made);
	keys_ahead_fini(&l->ahead);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct timeline *l = bolt->self;

	options_check_names(&command,
	    setup->projection->fields + l->options.key.first, l->options.key.n,
	    (struct span[]){ SPAN(SLICE_ROWS_START), SPAN(SLICE_ROWS_COUNTS) },
	    2);
	options_check_multiple(&command, "--slice", l->options.slice, "",
	    "--step", l->options.step);
	if (l->options.slice / l->options.step > MAX_SLICE_STEPS)
		options_misuse(&command, "--slice must be at most %d steps",
		    MAX_SLICE_STEPS);
	bolt->emits_at_ticks = !slice_rows_report_changes(&l->rows);
}

int
main(int argc, char *argv[])
{
	struct timeline line = { .options = { .slice = 3600000,
				     .step = 60000,
				     .max_steps = 100000 } };
	struct bolt bolt = { .self = &line,
		.configure = configure,
		.prepare = prepare,
		.look_ahead = look_ahead,
		.execute = execute,
		.tick = persistent_bolt_tick,
		.finish = persistent_bolt_finish,
		.cleanup = cleanup,
		.count = persistent_bolt_count,
		.restore = slice_rows_restore,
		.save = persistent_bolt_save,
		.dump = persistent_bolt_dump };

	return bolt_main(&command, &bolt, argc, argv);
}
