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

#include "bolt/persistent_bolt.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "window/step_counts.h"

struct timeline {
	struct persistent_bolt bolt; /* first */
	struct {
		struct field_range key, from, to;
		int64_t slice, step, max_steps;
		struct time_form times;
		struct key_limit limit;
	} options;
	struct keys_ahead ahead;
	struct key made;
	const struct key *key; /* of the tuple */
	struct span spelling;  /* the key's first one */
	struct key slice_key;  /* with the slice's start as one more part */
	struct field *fields;  /* of slice_key */
	int64_t nsteps;	       /* in a slice */
	struct buffer text;
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
save_value(void *self, const void *value, struct stored_value *columns)
{
	struct timeline *l = self;

	l->text.n = 0;
	step_counts_put(value, l->nsteps, &l->text);
	columns[0] = stored_value_of_text(buffer_span(&l->text));
}

static bool
fold_value(void *self, void *value, const struct stored_value *row)
{
	const struct timeline *l = self;
	const struct stored_value *start = &row[l->options.key.n];

	return start->kind == STORED_INT && start->i % l->options.slice == 0 &&
	    start[1].kind == STORED_TEXT &&
	    step_counts_add_text(value, l->nsteps, start[1].bytes);
}

static void
drop_value(void *self, void *value)
{
	(void)self;
	step_counts_fini(value);
}

static void
report(void *self, struct span spelling, const void *value)
{
	struct timeline *l = self;
	struct buffer *row = collector_row(l->bolt.collector);

	buffer_byte(row, '{');
	key_put(row, l->fields, l->options.key.n + 1, spelling);
	buffer_put(row, SPAN(",\"occupancies\":"));
	step_counts_put(value, l->nsteps, row);
	buffer_byte(row, '}');
	collector_emit(l->bolt.collector, NULL, 0);
}

static const struct persistent_type type = {
	.size = sizeof(struct step_counts),
	.ncolumns = 1,
	.save = save_value,
	.fold = fold_value,
	.drop = drop_value,
	.report = report,
};

static void
prepare(void *self, const struct bolt_context *context)
{
	/* Padded, as the names of a projection are. */
	static const char start[18 + SPAN_PAD] = "\"sliceStartMillis\"";
	struct timeline *l = self;
	size_t n = l->options.key.n;

	l->bolt.map = (struct persistent_map){ .type = &type,
		.self = l,
		.nkeys = n + 1,
		.nprefix = n,
		.by_key = true };
	persistent_bolt_init(&l->bolt, context);
	l->nsteps = l->options.slice / l->options.step;
	l->fields = memory_new(n + 1, sizeof *l->fields);
	memcpy(l->fields, context->projection->fields + l->options.key.first,
	    n * sizeof *l->fields);
	l->fields[n].name = (struct span){ start, strlen(start) };
}

/* Append a part to a key. */
static struct span
with_part(struct buffer *b, struct span key, int64_t part)
{
	b->n = 0;
	buffer_put(b, key);
	buffer_byte(b, (char)KEY_SEPARATOR);
	buffer_int(b, part);
	return buffer_span(b);
}

/* The key of a slice of the tuple's, but for its spelling. */
static struct key *
key_of_slice(struct timeline *l, int64_t slice)
{
	struct key *key = &l->slice_key;

	key->bytes =
	    with_part(&key->canonical, l->key->bytes, slice * l->options.slice);
	key->hash = hash_bytes(key->bytes);
	key->hint = HASH_MAP_NONE;
	return key;
}

/* Tell whether --max-keys refuses the tuple's slices, of which some are new. */
static bool
is_refused(struct timeline *l, int64_t slice, int64_t last)
{
	struct key_limit *limit = key_limit_of(&l->options.limit);
	const struct hash_map *keys = persistent_map_keys(&l->bolt.map);
	uint64_t n = 0;

	if (limit == NULL)
		return false;
	for (; slice <= last; slice++) {
		const struct key *key = key_of_slice(l, slice);

		n += hash_map_get(keys, key->bytes, key->hash) == HASH_MAP_NONE;
	}
	return key_limit_refuses_new(limit, keys->live, n);
}

/* The row of a slice of the tuple's. */
static struct step_counts *
touch_slice(struct timeline *l, int64_t slice)
{
	struct key *key = key_of_slice(l, slice);

	key->spelling = span_eq(l->key->bytes, l->spelling) ?
	    key->bytes :
	    with_part(&key->spelled, l->spelling, slice * l->options.slice);
	return persistent_map_touch(&l->bolt.map, key);
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

	keys_look_ahead(&l->ahead, persistent_map_prefixes(&l->bolt.map), t, n,
	    l->options.key.first, l->options.key.n);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct timeline *l = self;
	int64_t first = 0, last = 0, slice;

	l->key = key_of_tuple(&l->made, t, l->options.key.first,
	    l->options.key.n, f);
	if (l->key == NULL || interval(l, t, &first, &last, f) < 0)
		return -1;
	slice = floor_div(first, l->nsteps);
	if (is_refused(l, slice, floor_div(last, l->nsteps)))
		return key_limit_check(&l->options.limit, f);
	l->spelling = persistent_map_spelling(&l->bolt.map, l->key);
	for (; slice * l->nsteps <= last; slice++) {
		int64_t start = slice * l->nsteps, end = start + l->nsteps - 1;

		step_counts_add(touch_slice(l, slice), l->nsteps,
		    (first > start ? first : start) - start,
		    (last < end ? last : end) - start);
	}
	persistent_bolt_took(&l->bolt, t);
	return 0;
}

static void
cleanup(void *self)
{
	struct timeline *l = self;

	persistent_map_fini(&l->bolt.map);
	key_fini(&l->made);
	keys_ahead_fini(&l->ahead);
	key_fini(&l->slice_key);
	free(l->fields);
	buffer_fini(&l->text);
}

static void
restore(void *self, struct store *s)
{
	struct timeline *l = self;
	size_t n = l->options.key.n + 1;
	struct span *names = field_plain_names(l->fields, n, 1);

	names[n] = SPAN("occupancies");
	persistent_map_restore(&l->bolt.map, s, names);
	free(names);
}

static void
configure(struct bolt *bolt, struct bolt_setup *setup)
{
	struct timeline *l = bolt->self;

	options_check_names(&command,
	    setup->projection->fields + l->options.key.first, l->options.key.n,
	    (struct span[]){ SPAN("sliceStartMillis"), SPAN("occupancies") },
	    2);
	options_check_multiple(&command, "--slice", l->options.slice, "",
	    "--step", l->options.step);
	if (l->options.slice / l->options.step > MAX_SLICE_STEPS)
		options_misuse(&command, "--slice must be at most %d steps",
		    MAX_SLICE_STEPS);
	bolt->emits_at_ticks = !l->bolt.changes;
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
		.restore = restore,
		.save = persistent_bolt_save,
		.dump = persistent_bolt_dump };

	return bolt_main(&command, &bolt, argc, argv);
}
