/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tuple/field_path.h"
#include "window/aggregate.h"
#include "json/text.h"

/*
 * One value as it stood in its line, and for min and max also read as a
 * number: the text of a string that holds one lies after it.
 */
struct kept_value {
	struct number x;
	size_t n;
	char bytes[];
};

static const char *const kind_names[] = {
	[AGGREGATE_COUNT] = "count",
	[AGGREGATE_SUM] = "sum",
	[AGGREGATE_MIN] = "min",
	[AGGREGATE_MAX] = "max",
	[AGGREGATE_MEAN] = "mean",
	[AGGREGATE_FIRST] = "first",
	[AGGREGATE_LAST] = "last",
};

static bool
is_numeric(enum aggregate_kind kind)
{
	return kind == AGGREGATE_SUM || kind == AGGREGATE_MEAN ||
	    kind == AGGREGATE_MIN || kind == AGGREGATE_MAX;
}

static bool
is_sum(enum aggregate_kind kind)
{
	return kind == AGGREGATE_SUM || kind == AGGREGATE_MEAN;
}

/* The accumulator of one aggregate. */
static union accumulator *
accumulator_of(const struct aggregate *g, const void *v)
{
	return (union accumulator *)((uintptr_t)v + g->at);
}

void
aggregates_fini(struct aggregates *a)
{
	for (size_t i = 0; i < a->n; i++)
		span_free(a->list[i].name);
	free(a->list);
	free(a->numbers);
	buffer_fini(&a->scratch);
	buffer_fini(&a->state);
	sum_pool_fini(&a->sums);
	*a = (struct aggregates){ 0 };
}

/* The name as a JSON string: what is given, or `sum_` and the field's. */
static struct span
name_of(enum aggregate_kind kind, struct span name, struct span field)
{
	struct buffer plain = { 0 }, quoted = { 0 };

	if (name.p != NULL) {
		buffer_put(&plain, name);
	} else {
		buffer_put(&plain, span_of(kind_names[kind]));
		if (*field.p == '.') {
			field.p++;
			field.n--;
		}
		if (kind != AGGREGATE_COUNT)
			buffer_byte(&plain, '_');
		buffer_put(&plain, field);
	}
	json_put_string(&quoted, buffer_span(&plain));
	buffer_fini(&plain);
	return buffer_take(&quoted);
}

static const char *
add_field(struct aggregate *g, struct projection *p, struct span path)
{
	struct buffer text = { 0 };
	const char *wrong;
	size_t n;

	if (field_path_until(path, '=') < path.n)
		return "expected NAME= before the aggregate, not its field";
	buffer_put(&text, path);
	buffer_byte(&text, '\0');
	wrong = projection_add(p, text.p, &g->field, &n);
	buffer_fini(&text);
	return wrong;
}

static const char *
add_one(struct aggregates *a, struct projection *p, struct span item)
{
	struct aggregate g = { 0 };
	struct span name = { NULL, 0 }, field = SPAN("");
	size_t equals = field_path_until(item, '='), colon;
	const char *wrong;

	if (equals < item.n) {
		name = (struct span){ item.p, equals };
		item.p += equals + 1;
		item.n -= equals + 1;
		if (name.n == 0)
			return "expected a name before '='";
	}
	colon = field_path_until(item, ':');
	while (g.kind < AGGREGATE_KINDS &&
	    !span_eq(span_of(kind_names[g.kind]),
		(struct span){ item.p, colon }))
		g.kind++;
	if (g.kind == AGGREGATE_KINDS)
		return "expected count, or sum, min, max, mean, first or last "
		       "and a field, as sum:bytes";
	if ((g.kind == AGGREGATE_COUNT) != (colon == item.n))
		return g.kind == AGGREGATE_COUNT ? "count takes no field" :
						   "expected a field after the "
						   "aggregate, as sum:bytes";
	if (colon < item.n) {
		field = (struct span){ item.p + colon + 1, item.n - colon - 1 };
		if ((wrong = add_field(&g, p, field)) != NULL)
			return wrong;
	}
	g.name = name_of(g.kind, name, field);
	g.at = a->size;
	a->size += is_sum(g.kind) ? sizeof(union accumulator) : sizeof(int64_t);
	a->list = memory_grow(a->list, &a->cap, a->n + 1, sizeof *a->list);
	a->list[a->n++] = g;
	return NULL;
}

const char *
aggregates_add(struct aggregates *a, struct projection *p, const char *text)
{
	struct span rest = span_of(text);
	const char *wrong = NULL;
	size_t comma;

	for (;;) {
		comma = field_path_until(rest, ',');
		wrong = add_one(a, p, (struct span){ rest.p, comma });
		if (wrong != NULL || comma == rest.n)
			break;
		rest.p += comma + 1;
		rest.n -= comma + 1;
	}
	free(a->numbers);
	a->numbers = memory_new(a->n, sizeof *a->numbers);
	return wrong;
}

int
aggregates_check(struct aggregates *a, const struct tuple *t, struct fault *f)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct aggregate *g = &a->list[i];
		struct number *x = &a->numbers[i];

		if (g->kind == AGGREGATE_COUNT)
			continue;
		if (!is_numeric(g->kind)) {
			if (tuple_field(t, g->field) == NULL)
				return tuple_missing(t, g->field, f);
			continue;
		}
		if (tuple_number(t, g->field, x, f) < 0)
			return -1;
		if (is_sum(g->kind) && isinf(x->d))
			return tuple_mismatch(t, g->field, FAULT_RANGE,
			    "a number that a double can hold", f);
	}
	return 0;
}

/* Keep raw, and the number in it where x is not NULL. */
static struct kept_value *
keep(struct span raw, const struct number *x)
{
	bool apart = x != NULL && x->text.p != raw.p;
	size_t n = raw.n + 1 + (apart ? x->text.n + 1 : 0);
	struct kept_value *k = memory_new(1, sizeof *k + n);

	k->n = raw.n;
	memcpy(k->bytes, raw.p, raw.n);
	k->bytes[raw.n] = '\n'; /* no part of a number */
	if (x == NULL)
		return k;
	k->x = *x;
	k->x.text.p = k->bytes + (apart ? raw.n + 1 : 0);
	if (apart)
		memcpy(k->bytes + raw.n + 1, x->text.p, x->text.n);
	return k;
}

/* Tell whether something that comes after k takes its place. */
static bool
replaces(enum aggregate_kind kind, const struct kept_value *k,
    const struct number *x)
{
	switch (kind) {
	case AGGREGATE_MIN:
		return k == NULL || number_cmp(x, &k->x) < 0;
	case AGGREGATE_MAX:
		return k == NULL || number_cmp(x, &k->x) > 0;
	case AGGREGATE_FIRST:
		return k == NULL;
	default:
		return true;
	}
}

void
aggregates_reduce(struct aggregates *a, void *v, const struct tuple *t)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct aggregate *g = &a->list[i];
		union accumulator *part = accumulator_of(g, v);
		struct number *x = is_numeric(g->kind) ? &a->numbers[i] : NULL;
		const struct value *value = NULL;

		if (g->kind == AGGREGATE_COUNT) {
			part->count++;
			continue;
		}
		value = tuple_field(t, g->field);
		/* What had to be decoded may be another field's by now. */
		if (x != NULL && value->escaped)
			tuple_number(t, g->field, x, NULL);
		if (is_sum(g->kind)) {
			sum_add_number(&a->sums, &part->sum.total, x);
			part->sum.n++;
		} else if (replaces(g->kind, part->kept, x)) {
			free(part->kept);
			part->kept = keep(value_raw(value), x);
		}
	}
}

void
aggregates_drop(struct aggregates *a, void *v)
{
	for (size_t i = 0; i < a->n; i++) {
		union accumulator *part = accumulator_of(&a->list[i], v);

		if (is_sum(a->list[i].kind))
			sum_clear(&a->sums, &part->sum.total);
		else if (a->list[i].kind != AGGREGATE_COUNT)
			free(part->kept);
	}
	memset(v, 0, a->size);
}

static void
put_value(struct aggregates *a, struct buffer *b, size_t i,
    const union accumulator *v)
{
	switch (a->list[i].kind) {
	case AGGREGATE_COUNT:
		buffer_int(b, v->count);
		break;
	case AGGREGATE_SUM:
		sum_put(&a->sums, b, v->sum.total);
		break;
	case AGGREGATE_MEAN:
		buffer_double(b, sum_mean(&a->sums, v->sum.total, v->sum.n));
		break;
	default:
		buffer_put(b, (struct span){ v->kept->bytes, v->kept->n });
	}
}

void
aggregates_put(struct aggregates *a, struct buffer *b, const void *v)
{
	for (size_t i = 0; i < a->n; i++) {
		buffer_byte(b, ',');
		buffer_put(b, a->list[i].name);
		buffer_byte(b, ':');
		put_value(a, b, i, accumulator_of(&a->list[i], v));
	}
}

enum { EXACT_FORM = 1 };

/*
 * The column of a total.  In a->state is all of it; tells whether that is
 * needed, as the column does not say as much.
 */
static bool
save_sum(struct aggregates *a, size_t i, const union accumulator *v,
    struct stored_value *column)
{
	size_t start = a->scratch.n;

	put_value(a, &a->scratch, i, v);
	*column = stored_value_of_json((struct span){
	    a->scratch.p + start, a->scratch.n - start });
	sum_pack(&a->sums, v->sum.total, &a->state);
	if (a->list[i].kind != AGGREGATE_MEAN)
		return !sum_is_small(v->sum.total);
	pack_int(&a->state, v->sum.n);
	return true;
}

void
aggregates_save(struct aggregates *a, const void *v,
    struct stored_value *columns)
{
	bool needed = false;

	a->scratch.n = a->state.n = 0;
	/* Room for all first: the columns point into it. */
	buffer_room(&a->scratch, a->n * 64);
	pack_form(&a->state, EXACT_FORM);
	for (size_t i = 0; i < a->n; i++) {
		enum aggregate_kind kind = a->list[i].kind;
		const union accumulator *part = accumulator_of(&a->list[i], v);

		if (kind == AGGREGATE_COUNT)
			columns[i] = stored_value_of_int(part->count);
		else if (is_sum(kind))
			needed |= save_sum(a, i, part, &columns[i]);
		else
			columns[i] = stored_value_of_json((struct span){
			    part->kept->bytes, part->kept->n });
	}
	columns[a->n] = needed ? stored_value_of_blob(buffer_span(&a->state)) :
				 (struct stored_value){ .kind = STORED_NULL };
}

/* Add what a store has of a total: in exact or, where that is NULL, in c. */
static bool
fold_sum(struct aggregates *a, union accumulator *v, enum aggregate_kind kind,
    const struct stored_value *c, struct unpacker *exact)
{
	struct total total = { 0 };

	if (exact != NULL) {
		sum_unpack(&a->sums, &total, exact);
		if (kind == AGGREGATE_MEAN)
			v->sum.n += unpack_int(exact, 1, PACKED_MOST);
	} else {
		sum_add_int(&a->sums, &total, c->i);
		if (kind == AGGREGATE_MEAN || c->kind != STORED_INT ||
		    !sum_is_small(total))
			return false;
	}
	sum_add(&a->sums, &total, v->sum.total);
	sum_clear(&a->sums, &v->sum.total);
	v->sum.total = total;
	return true;
}

/* Read the number in a kept value, which may be in a string. */
static bool
read_number(struct aggregates *a, struct span raw, struct number *x)
{
	struct span text = raw;

	if (*raw.p == '"') {
		a->state.n = 0;
		json_decode(&a->state, (struct span){ raw.p + 1, raw.n - 2 });
		buffer_byte(&a->state, '\n');
		text = (struct span){ a->state.p, a->state.n - 1 };
	}
	return number_is(text) && number_parse(x, text) == 0;
}

/* What came before v is in a column: keep the one that counts. */
static bool
fold_kept(struct aggregates *a, union accumulator *v, enum aggregate_kind kind,
    const struct stored_value *c)
{
	struct number x = { 0 }, *number = is_numeric(kind) ? &x : NULL;
	struct kept_value *old;
	struct span raw;

	a->scratch.n = 0;
	if (!stored_value_read(&a->scratch, c))
		return false;
	raw = buffer_span(&a->scratch);
	if (number != NULL && !read_number(a, raw, number))
		return false;
	old = keep(raw, number);
	/* The older one stays where the newer would not replace it. */
	if (v->kept != NULL && kind != AGGREGATE_FIRST &&
	    replaces(kind, old, &v->kept->x)) {
		free(old);
	} else {
		free(v->kept);
		v->kept = old;
	}
	return true;
}

static bool
fold_one(struct aggregates *a, size_t i, union accumulator *v,
    const struct stored_value *c, struct unpacker *exact)
{
	enum aggregate_kind kind = a->list[i].kind;

	if (is_sum(kind))
		return fold_sum(a, v, kind, c, exact);
	if (kind != AGGREGATE_COUNT)
		return fold_kept(a, v, kind, c);
	if (c->kind != STORED_INT || c->i < 1 || c->i > PACKED_MOST)
		return false;
	v->count += c->i;
	return true;
}

bool
aggregates_fold(struct aggregates *a, void *v,
    const struct stored_value *columns)
{
	const struct stored_value *exact = &columns[a->n];
	bool has_exact = exact->kind == STORED_BLOB;
	struct unpacker u = unpack_form(exact->bytes, EXACT_FORM);

	for (size_t i = 0; i < a->n; i++)
		if (!fold_one(a, i, accumulator_of(&a->list[i], v), &columns[i],
			has_exact ? &u : NULL))
			return false;
	return has_exact ? unpack_done(&u) : exact->kind == STORED_NULL;
}
