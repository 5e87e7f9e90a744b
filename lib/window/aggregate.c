/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/digits.h"
#include "window/aggregate.h"

void
aggregates_fini(struct aggregates *a)
{
	for (size_t i = 0; i < a->n; i++)
		span_free(a->list[i].lead);
	for (size_t i = 0; i < a->ninputs; i++)
		buffer_fini(&a->inputs[i].scratch);
	hash_map_fini(&a->paths);
	hash_map_fini(&a->needs);
	free(a->list);
	free(a->parts);
	free(a->inputs);
	buffer_fini(&a->nothing);
	buffer_fini(&a->text);
	buffer_fini(&a->kept);
	buffer_fini(&a->packed);
	key_fini(&a->key);
	sum_pool_fini(&a->sums);
	pool_fini(&a->memory);
	*a = (struct aggregates){ 0 };
}

/* Read a value as what is summed or compared. */
static int
read_value(struct aggregate_input *in, const struct tuple *t,
    const struct value *v, struct fault *f)
{
	bool good =
	    ordered_value_read(&in->value, value_raw(v), true, &in->scratch);

	if (in->is_summed && !in->value.is_number)
		return tuple_mismatch(t, in->field, FAULT_TYPE, "a number", f);
	if (!in->value.is_number && !good)
		return tuple_mismatch(t, in->field, FAULT_TYPE,
		    "a number or a string", f);
	if (!good)
		return tuple_mismatch(t, in->field, FAULT_RANGE,
		    NUMBER_EXPECTED, f);
	if (in->is_summed && isinf(in->value.x.d))
		return tuple_mismatch(t, in->field, FAULT_RANGE,
		    "a number that a double can hold", f);
	return 0;
}

/* The same of a value that is digits alone. */
static void
read_digits(struct aggregate_input *in, const struct value *v)
{
	/* Behind a line there is room to read. */
	int64_t i =
	    v->n <= 8 ? digits_few(v->p, v->n) : digits_integer(v->p, v->n);

	/* Not one by way of the other, which would wait for it to be stored. */
	in->value.raw = value_raw(v);
	in->value.text = value_raw(v);
	in->value.is_number = true;
	in->value.x.is_int = true;
	in->value.x.i = i;
	in->value.x.d = (double)i;
	in->value.x.text = value_raw(v);
}

/* See what a field is in the tuple. */
static int
look(struct aggregates *a, struct aggregate_input *in, const struct tuple *t,
    struct fault *f)
{
	const struct value *v = tuple_field(t, in->field);

	in->present = v != NULL && *v->p != 'n';
	if (!in->present)
		return 0;
	if (in->is_read && v->digits && v->n <= DIGITS_INTEGER_MOST) {
		read_digits(in, v);
	} else if (in->is_read) {
		if (read_value(in, t, v, f) < 0)
			return -1;
	} else {
		ordered_value_read(&in->value, value_raw(v), false, NULL);
	}
	in->value.digits = v->digits;
	if (in->is_told_apart) {
		if (*v->p == '{' || *v->p == '[')
			return tuple_mismatch(t, in->field, FAULT_TYPE,
			    "a string, number, true or false", f);
		if (key_bytes_of_value(&a->key, v) < 0)
			return tuple_mismatch(t, in->field, FAULT_RANGE,
			    NUMBER_EXPECTED, f);
		in->hash = distinct_values_hash(a->key.bytes);
	}
	return 0;
}

int
aggregates_check(struct aggregates *a, const struct tuple *t, struct fault *f)
{
	a->order++;
	for (size_t i = 0; i < a->ninputs; i++)
		if (look(a, &a->inputs[i], t, f) < 0)
			return -1;
	return 0;
}

void
aggregates_reduce(struct aggregates *a, void *v)
{
	for (size_t i = 0; i < a->nparts; i++) {
		const struct aggregate_part *part = &a->parts[i];
		union part_value *p = aggregates_part(a, i, v);
		const struct aggregate_input *in;

		if (part->kind == PART_TUPLES) {
			p->count++;
			continue;
		}
		in = &a->inputs[part->input];
		if (!in->present)
			continue;
		switch (part->kind) {
		case PART_TUPLES:
		case PART_VALUES:
			p->count++;
			break;
		case PART_TOTAL:
			if (in->value.x.is_int)
				sum_add_int(&a->sums, &p->sum.total,
				    in->value.x.i);
			else
				sum_add_number(&a->sums, &p->sum.total,
				    &in->value.x);
			p->sum.n++;
			break;
		case PART_MOMENTS:
			moments_add(&p->moments, in->value.x.d);
			break;
		case PART_DISTINCT:
			distinct_values_add(&a->memory, &p->distinct, in->hash);
			break;
		case PART_SKETCH:
			quantile_sketch_add(&a->memory, &p->sketch,
			    in->value.x.d);
			break;
		case PART_KEPT:
			kept_value_add(&p->kept, part->which, &in->value,
			    a->order + KEPT_BEFORE_ALL);
		}
	}
}

void
aggregates_merge(struct aggregates *a, void *v, const void *other)
{
	for (size_t i = 0; i < a->nparts; i++) {
		const struct aggregate_part *part = &a->parts[i];
		union part_value *p = aggregates_part(a, i, v);
		const union part_value *o = aggregates_part(a, i, other);

		switch (part->kind) {
		case PART_TUPLES:
		case PART_VALUES:
			p->count += o->count;
			break;
		case PART_TOTAL:
			sum_add(&a->sums, &p->sum.total, o->sum.total);
			p->sum.n += o->sum.n;
			break;
		case PART_MOMENTS:
			moments_merge(&p->moments, &o->moments);
			break;
		case PART_DISTINCT:
			distinct_values_merge(&a->memory, &p->distinct,
			    &o->distinct);
			break;
		case PART_SKETCH:
			quantile_sketch_merge(&a->memory, &p->sketch,
			    &o->sketch);
			break;
		case PART_KEPT:
			kept_value_merge(&p->kept, part->which, &o->kept);
		}
	}
}

void
aggregates_drop(struct aggregates *a, void *v)
{
	for (size_t i = 0; i < a->nparts; i++) {
		union part_value *p = aggregates_part(a, i, v);

		switch (a->parts[i].kind) {
		case PART_TUPLES:
		case PART_VALUES:
		case PART_MOMENTS:
			break;
		case PART_TOTAL:
			sum_clear(&a->sums, &p->sum.total);
			break;
		case PART_DISTINCT:
			distinct_values_fini(&a->memory, &p->distinct);
			break;
		case PART_SKETCH:
			quantile_sketch_fini(&a->memory, &p->sketch);
			break;
		case PART_KEPT:
			kept_value_fini(&p->kept);
		}
	}
	memset(v, 0, a->size);
}

/* The rank of a quantile among n > 0 numbers. */
static uint64_t
rank_of(const struct aggregate *g, uint64_t n)
{
	int128 product = (int128)n * g->share;
	uint64_t rank = (uint64_t)((product + g->whole - 1) / g->whole);

	return rank == 0 ? 1 : rank;
}

/* Doubles up to this are written without a point if they are whole. */
static const int64_t WHOLE_END = 1000000000000000;

/* Tell whether the value of an aggregate is an integer, and which. */
static inline bool
is_integer(const struct aggregate *g, const union part_value *p, int64_t *i)
{
	switch (g->kind) {
	case AGGREGATE_COUNT:
		*i = p->count;
		return true;
	case AGGREGATE_SUM:
		*i = p->sum.total.word;
		return p->sum.n != 0 && sum_is_small(p->sum.total);
	case AGGREGATE_MEAN: /* of one number is the number */
		*i = p->sum.total.word;
		return p->sum.n == 1 && *i > -WHOLE_END && *i < WHOLE_END;
	case AGGREGATE_DISTINCT:
		*i = (int64_t)distinct_values_count(&p->distinct);
		return true;
	case AGGREGATE_STDDEV:
	case AGGREGATE_QUANTILE:
		return false;
	default:
		*i = p->kept.i;
		return p->kept.order != 0 && p->kept.text == NULL;
	}
}

/* Append one that is_integer refuses; or nothing, and false, for null. */
static bool
put_other(struct aggregates *a, struct buffer *b, const struct aggregate *g,
    const union part_value *p)
{
	switch (g->kind) {
	case AGGREGATE_SUM:
		if (p->sum.n != 0)
			sum_put(&a->sums, b, p->sum.total);
		return p->sum.n != 0;
	case AGGREGATE_MEAN:
		if (p->sum.n != 0)
			buffer_double(b,
			    sum_mean(&a->sums, p->sum.total, p->sum.n));
		return p->sum.n != 0;
	case AGGREGATE_STDDEV:
		if (p->moments.n > 1)
			buffer_double(b, moments_deviation(&p->moments));
		return p->moments.n > 1;
	case AGGREGATE_QUANTILE:
		if (p->sketch.n != 0)
			buffer_double(b,
			    quantile_sketch_get(&p->sketch,
				rank_of(g, p->sketch.n)));
		return p->sketch.n != 0;
	default:
		if (p->kept.order != 0)
			kept_value_put(&p->kept, b);
		return p->kept.order != 0;
	}
}

/* Append a padded span, and the value of an aggregate. */
static void
put_after(struct aggregates *a, struct buffer *b, struct span lead,
    const struct aggregate *g, const void *v)
{
	const union part_value *p = aggregates_part(a, g->part, v);
	int64_t i;

	if (is_integer(g, p, &i)) {
		buffer_int_after(b, lead, i);
		return;
	}
	buffer_put_padded(b, lead);
	if (!put_other(a, b, g, p))
		buffer_put(b, SPAN("null"));
}

void
aggregates_put_one(struct aggregates *a, struct buffer *b, size_t i,
    const void *v)
{
	const struct aggregate *g = &a->list[i];

	put_after(a, b, (struct span){ g->lead.p, 0 }, g, v);
}

static void
put_all(struct aggregates *a, struct buffer *b, const void *v)
{
	for (size_t i = 0; i < a->n; i++) {
		struct span lead = a->list[i].lead;

		lead.p += i == 0;
		lead.n -= i == 0;
		put_after(a, b, lead, &a->list[i], v);
	}
}

void
aggregates_put(struct aggregates *a, struct buffer *b, const void *v)
{
	void *none;

	if (v != NULL) {
		put_all(a, b, v);
		return;
	}
	if (a->nothing.n == 0) {
		none = memory_new(1, a->size);
		put_all(a, &a->nothing, none);
		free(none);
	}
	buffer_put(b, buffer_span(&a->nothing));
}
