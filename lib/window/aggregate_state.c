/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "window/aggregate.h"

/* alone: without the order of its arrival, in which runs differ. */
static void
pack_kept(struct aggregates *a, const struct kept_value *k, bool alone,
    struct buffer *b)
{
	pack_int(b, alone ? k->order != 0 : (int64_t)k->order);
	if (k->order == 0)
		return;
	a->kept.n = 0;
	kept_value_put(k, &a->kept);
	pack_bytes(b, buffer_span(&a->kept));
}

static void
pack(struct aggregates *a, const void *v, bool alone, struct buffer *b)
{
	for (size_t i = 0; i < a->nparts; i++) {
		const union part_value *p = aggregates_part(a, i, v);

		switch (a->parts[i].kind) {
		case PART_TUPLES:
		case PART_VALUES:
			pack_int(b, p->count);
			break;
		case PART_TOTAL:
			sum_pack(&a->sums, p->sum.total, b);
			pack_int(b, p->sum.n);
			break;
		case PART_MOMENTS:
			moments_pack(&p->moments, b);
			break;
		case PART_DISTINCT:
			distinct_values_pack(&p->distinct, b);
			break;
		case PART_SKETCH:
			quantile_sketch_pack(&p->sketch, b);
			break;
		case PART_KEPT:
			pack_kept(a, &p->kept, alone, b);
			break;
		}
	}
}

void
aggregates_pack(struct aggregates *a, const void *v, struct buffer *b)
{
	pack(a, v, false, b);
}

static void
unpack_kept(struct aggregates *a, enum kept_which which, struct kept_value *k,
    struct unpacker *u)
{
	uint64_t order = (uint64_t)unpack_int(u, 0, PACKED_MOST);
	struct stored_value c;

	if (order == 0)
		return;
	c = stored_value_of_blob(unpack_bytes(u));
	if (!kept_value_restore(k, which, &c, order, &a->text))
		u->bad = true;
	if (a->order < order)
		a->order = order;
}

static void
unpack_part(struct aggregates *a, const struct aggregate_part *part,
    union part_value *p, struct unpacker *u)
{
	switch (part->kind) {
	case PART_TUPLES:
	case PART_VALUES:
		p->count = unpack_int(u, 0, PACKED_MOST);
		break;
	case PART_TOTAL:
		sum_unpack(&a->sums, &p->sum.total, u);
		p->sum.n = unpack_int(u, 0, PACKED_MOST);
		break;
	case PART_MOMENTS:
		moments_unpack(&p->moments, u);
		break;
	case PART_DISTINCT:
		distinct_values_unpack(&a->memory, &p->distinct, u);
		break;
	case PART_SKETCH:
		quantile_sketch_unpack(&a->memory, &p->sketch, u);
		break;
	case PART_KEPT:
		unpack_kept(a, part->which, &p->kept, u);
		break;
	}
}

void
aggregates_unpack(struct aggregates *a, void *v, struct unpacker *u)
{
	for (size_t i = 0; i < a->nparts; i++)
		unpack_part(a, &a->parts[i], aggregates_part(a, i, v), u);
}

static int64_t
count_of(enum part_kind kind, const union part_value *p)
{
	switch (kind) {
	case PART_TUPLES:
	case PART_VALUES:
		return p->count;
	case PART_TOTAL:
		return p->sum.n;
	case PART_MOMENTS:
		return p->moments.n;
	case PART_DISTINCT:
		return p->distinct.nseen;
	case PART_SKETCH:
		return (int64_t)p->sketch.n;
	case PART_KEPT:
		break;
	}
	return 0;
}

int64_t
aggregates_tuples(const struct aggregates *a, const void *v)
{
	int64_t most = 0;

	for (size_t i = 0; i < a->nparts; i++) {
		int64_t n =
		    count_of(a->parts[i].kind, aggregates_part(a, i, v));

		most = n > most ? n : most;
	}
	return most;
}

enum { FORM = 3 };

/* Tell whether the column of an aggregate says all that its part has. */
static bool
is_plain(const struct aggregate *g, const union part_value *p)
{
	switch (g->kind) {
	case AGGREGATE_SUM:
		return sum_is_small(p->sum.total);
	case AGGREGATE_MEAN:
	case AGGREGATE_STDDEV:
	case AGGREGATE_DISTINCT:
	case AGGREGATE_QUANTILE:
		return false;
	default:
		return true;
	}
}

void
aggregates_columns(struct aggregates *a, const void *v,
    struct stored_value *columns)
{
	size_t start = 0;

	/* Only when all is written is it known where it stays. */
	a->text.n = 0;
	for (size_t i = 0; i < a->n; i++) {
		aggregates_put_one(a, &a->text, i, v);
		columns[i].i = (int64_t)a->text.n;
	}
	for (size_t i = 0; i < a->n; i++) {
		size_t end = (size_t)columns[i].i;

		columns[i] = stored_value_of_json((struct span){
		    a->text.p + start, end - start });
		start = end;
	}
}

void
aggregates_save(struct aggregates *a, const void *v,
    struct stored_value *columns)
{
	bool plain = true;

	aggregates_columns(a, v, columns);
	for (size_t i = 0; i < a->n; i++)
		plain = plain &&
		    is_plain(&a->list[i],
			aggregates_part(a, a->list[i].part, v));
	columns[a->n] = (struct stored_value){ .kind = STORED_NULL };
	if (plain)
		return;
	a->packed.n = 0;
	pack_form(&a->packed, FORM);
	pack(a, v, true, &a->packed);
	columns[a->n] = stored_value_of_blob(buffer_span(&a->packed));
}

bool
aggregates_agree(struct aggregates *a, const void *v,
    const struct stored_value *columns)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct aggregate *g = &a->list[i];
		struct stored_value column;

		if (!is_plain(g, aggregates_part(a, g->part, v)))
			continue;
		a->text.n = 0;
		aggregates_put_one(a, &a->text, i, v);
		column = stored_value_of_json(buffer_span(&a->text));
		if (!stored_value_same(&column, &columns[i]))
			return false;
	}
	return true;
}

/* Read a column that says all. */
static bool
read_plain(struct aggregates *a, const struct aggregate *g, void *v,
    const struct stored_value *c)
{
	union part_value *p = aggregates_part(a, g->part, v);
	/* What counts tuples is not there without any. */
	int64_t least = a->parts[g->part].kind == PART_TUPLES ? 1 : 0;

	switch (g->kind) {
	case AGGREGATE_COUNT:
		p->count = c->i;
		return c->kind == STORED_INT && c->i >= least &&
		    c->i <= PACKED_MOST;
	case AGGREGATE_SUM:
		if (c->kind == STORED_NULL)
			return true;
		/* How many there were only matters to a mean. */
		p->sum.n = 1;
		sum_clear(&a->sums, &p->sum.total);
		sum_add_int(&a->sums, &p->sum.total, c->i);
		return c->kind == STORED_INT && sum_is_small(p->sum.total);
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
	case AGGREGATE_FIRST:
	case AGGREGATE_LAST:
		return c->kind == STORED_NULL || p->kept.order != 0 ||
		    kept_value_restore(&p->kept, a->parts[g->part].which, c,
			KEPT_BEFORE_ALL, &a->text);
	default:
		return false;
	}
}

/* Read a value whose tuples came before all others. */
static bool
read_columns(struct aggregates *a, void *v, const struct stored_value *columns)
{
	const struct stored_value *all = &columns[a->n];
	struct unpacker u;

	if (all->kind == STORED_NULL) {
		for (size_t i = 0; i < a->n; i++)
			if (!read_plain(a, &a->list[i], v, &columns[i]))
				return false;
		return true;
	}
	u = unpack_form(all->bytes, FORM);
	aggregates_unpack(a, v, &u);
	for (size_t i = 0; i < a->nparts; i++) {
		union part_value *p = aggregates_part(a, i, v);

		if (a->parts[i].kind == PART_KEPT && p->kept.order != 0)
			p->kept.order = KEPT_BEFORE_ALL;
	}
	return all->kind == STORED_BLOB && unpack_done(&u) &&
	    aggregates_agree(a, v, columns);
}

bool
aggregates_fold(struct aggregates *a, void *v,
    const struct stored_value *columns)
{
	void *before = memory_new(1, a->size);
	bool good = read_columns(a, before, columns);

	if (good)
		aggregates_merge(a, v, before);
	aggregates_drop(a, before);
	free(before);
	return good;
}
