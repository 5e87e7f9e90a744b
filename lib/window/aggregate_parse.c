/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/digits.h"
#include "base/memory.h"
#include "json/text.h"
#include "tuple/field_path.h"
#include "window/aggregate.h"

static const char *const kind_names[] = {
	[AGGREGATE_COUNT] = "count",
	[AGGREGATE_SUM] = "sum",
	[AGGREGATE_MEAN] = "mean",
	[AGGREGATE_STDDEV] = "stddev",
	[AGGREGATE_MIN] = "min",
	[AGGREGATE_MAX] = "max",
	[AGGREGATE_FIRST] = "first",
	[AGGREGATE_LAST] = "last",
	[AGGREGATE_DISTINCT] = "distinct",
};

static const enum part_kind part_kinds[] = {
	[AGGREGATE_COUNT] = PART_VALUES,
	[AGGREGATE_SUM] = PART_TOTAL,
	[AGGREGATE_MEAN] = PART_TOTAL,
	[AGGREGATE_STDDEV] = PART_MOMENTS,
	[AGGREGATE_MIN] = PART_KEPT,
	[AGGREGATE_MAX] = PART_KEPT,
	[AGGREGATE_FIRST] = PART_KEPT,
	[AGGREGATE_LAST] = PART_KEPT,
	[AGGREGATE_DISTINCT] = PART_DISTINCT,
	[AGGREGATE_QUANTILE] = PART_SKETCH,
};

static const size_t part_sizes[] = {
	[PART_TUPLES] = sizeof(int64_t),
	[PART_VALUES] = sizeof(int64_t),
	[PART_TOTAL] = sizeof((union part_value){ 0 }.sum),
	[PART_MOMENTS] = sizeof(struct moments),
	[PART_KEPT] = sizeof(struct kept_value),
	[PART_DISTINCT] = sizeof(struct distinct_values),
	[PART_SKETCH] = sizeof(struct quantile_sketch),
};

/* More digits after the point than these are more than n * share can have. */
enum { MOST_DECIMALS = 15 };

/* Read Q of pQ, from 0 to 100, as share / whole. */
static bool
read_quantile(struct aggregate *g, struct span q)
{
	size_t decimals = 0;
	bool point = false;

	g->whole = 100;
	if (q.n == 0 || !digits_is(*q.p) || !digits_is(q.p[q.n - 1]))
		return false;
	for (size_t i = 0; i < q.n; i++) {
		if (q.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		decimals += point;
		if (!digits_is(q.p[i]) || decimals > MOST_DECIMALS)
			return false;
		g->share = g->share * 10 + (q.p[i] - '0');
		if (point)
			g->whole *= 10;
		if (g->share > g->whole)
			return false;
	}
	return true;
}

static bool
read_kind(struct aggregate *g, struct span name)
{
	for (g->kind = 0; g->kind < AGGREGATE_QUANTILE; g->kind++)
		if (span_eq(span_of(kind_names[g->kind]), name))
			return true;
	return name.n != 0 && *name.p == 'p' &&
	    read_quantile(g, (struct span){ name.p + 1, name.n - 1 });
}

/* What is before a value; its name is as given, or `sum_` and the field's. */
static struct span
lead_of(struct span kind, struct span name, struct span path)
{
	struct buffer plain = { 0 }, lead = { 0 };

	if (name.p != NULL) {
		buffer_put(&plain, name);
	} else {
		buffer_put(&plain, kind);
		if (path.n != 0)
			buffer_byte(&plain, '_');
		if (path.n != 0 && *path.p == '.') {
			path.p++;
			path.n--;
		}
		buffer_put(&plain, path);
	}
	buffer_byte(&lead, ',');
	json_put_name(&lead, buffer_span(&plain));
	buffer_fini(&plain);
	return buffer_take_padded(&lead);
}

/* Find the input of a field, or make it. */
static const char *
find_input(struct aggregates *a, struct projection *p, struct span path,
    size_t *input)
{
	struct buffer text = { 0 };
	struct aggregate_input new = { 0 };
	const char *wrong;
	size_t n;
	bool added;

	if (field_path_until(path, '=') < path.n)
		return "expected NAME= before the aggregate, not its field";
	*input = hash_map_put(&a->paths, path, path, hash_bytes(path), &added);
	if (!added)
		return NULL;
	buffer_put(&text, path);
	buffer_byte(&text, '\0');
	wrong = projection_add(p, text.p, &new.field, &n);
	buffer_fini(&text);
	if (wrong != NULL)
		return wrong;
	a->inputs = memory_grow(a->inputs, &a->inputs_cap, a->ninputs + 1,
	    sizeof *a->inputs);
	a->inputs[a->ninputs++] = new;
	return NULL;
}

/* Which value is kept, of those kinds that keep one. */
static enum kept_which
which_of(enum aggregate_kind kind)
{
	switch (kind) {
	case AGGREGATE_MAX:
		return KEEP_GREATEST;
	case AGGREGATE_FIRST:
		return KEEP_FIRST;
	case AGGREGATE_LAST:
		return KEEP_LAST;
	default:
		return KEEP_LEAST;
	}
}

/* Find the part of an aggregate over an input, or make it. */
static size_t
find_part(struct aggregates *a, enum aggregate_kind of, enum part_kind kind,
    size_t input)
{
	struct aggregate_part new = { kind, which_of(of), input, a->size };
	struct span needs;
	size_t part;
	bool added;

	a->packed.n = 0;
	pack_int(&a->packed, kind);
	pack_int(&a->packed, new.which);
	pack_int(&a->packed, (int64_t)input);
	needs = buffer_span(&a->packed);
	part = hash_map_put(&a->needs, needs, needs, hash_bytes(needs), &added);
	if (!added)
		return part;
	a->parts = memory_grow(a->parts, &a->parts_cap, a->nparts + 1,
	    sizeof *a->parts);
	a->parts[a->nparts] = new;
	a->size += part_sizes[kind];
	a->nparts++;
	return part;
}

static void
note_need(struct aggregate_input *in, enum aggregate_kind kind)
{
	switch (kind) {
	case AGGREGATE_SUM:
	case AGGREGATE_MEAN:
	case AGGREGATE_STDDEV:
	case AGGREGATE_QUANTILE:
		in->is_read = in->is_summed = true;
		break;
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		in->is_read = true;
		break;
	case AGGREGATE_DISTINCT:
		in->is_told_apart = true;
		break;
	default:
		break;
	}
}

/* What to say of a name that is no aggregate, but means one elsewhere. */
static const char *
correct_kind(struct span name)
{
	static const struct {
		const char *name, *wrong;
	} known[] = {
		{ "avg", "expected mean for avg" },
		{ "average", "expected mean for average" },
		{ "median", "expected p50 for median" },
		{ "unique", "expected distinct for unique" },
		{ "uniq", "expected distinct for uniq" },
		{ "nunique", "expected distinct for nunique" },
		{ "count_distinct", "expected distinct for count_distinct" },
		{ "std", "expected stddev for std" },
		{ "stdev", "expected stddev for stdev" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (span_eq(span_of(known[i].name), name))
			return known[i].wrong;
	return "expected count, sum, mean, stddev, min, max, first, last, "
	       "distinct or p and a number up to 100 (p50 is the median), and "
	       "a field, as sum:bytes or p99:ms";
}

static const char *
add_one(struct aggregates *a, struct projection *p, struct span item)
{
	struct aggregate g = { 0 };
	struct span name = { NULL, 0 }, path = SPAN(""), kind;
	enum part_kind part = PART_TUPLES;
	size_t equals = field_path_until(item, '='), colon, input = 0;
	const char *wrong;

	if (equals < item.n) {
		name = (struct span){ item.p, equals };
		item.p += equals + 1;
		item.n -= equals + 1;
		if (name.n == 0)
			return "expected a name before '='";
	}
	colon = field_path_until(item, ':');
	kind = (struct span){ item.p, colon };
	if (!read_kind(&g, kind))
		return correct_kind(kind);
	if (colon < item.n) {
		path = (struct span){ item.p + colon + 1, item.n - colon - 1 };
		if ((wrong = find_input(a, p, path, &input)) != NULL)
			return wrong;
		part = part_kinds[g.kind];
		note_need(&a->inputs[input], g.kind);
	} else if (g.kind != AGGREGATE_COUNT) {
		return "expected a field after the aggregate, as sum:bytes";
	}
	g.part = find_part(a, g.kind, part, input);
	g.lead = lead_of(kind, name, path);
	a->list = memory_grow(a->list, &a->cap, a->n + 1, sizeof *a->list);
	a->list[a->n++] = g;
	return NULL;
}

const char *
aggregates_add(void *aggregates, struct projection *p, struct span *text)
{
	struct aggregates *a = aggregates;
	struct span rest = *text;
	const char *wrong;
	size_t comma;

	if (a->n == 0) {
		hash_map_init(&a->paths, 0);
		hash_map_init(&a->needs, 0);
	}
	for (;;) {
		comma = field_path_until(rest, ',');
		*text = (struct span){ rest.p, comma };
		wrong = add_one(a, p, *text);
		if (wrong != NULL || comma == rest.n)
			return wrong;
		rest.p += comma + 1;
		rest.n -= comma + 1;
	}
}

void
aggregates_names(const struct aggregates *a, struct span *names)
{
	for (size_t i = 0; i < a->n; i++)
		names[i] = (struct span){ a->list[i].lead.p + 2,
			a->list[i].lead.n - 4 };
}

void
aggregates_check_names(const struct aggregates *a,
    const struct command *command, const struct field *key, size_t nkeys,
    const struct span *others, size_t n)
{
	struct span *names = memory_new(a->n + n, sizeof *names);

	aggregates_names(a, names);
	if (n != 0)
		memcpy(names + a->n, others, n * sizeof *names);
	options_check_names(command, key, nkeys, names, a->n + n);
	free(names);
}
