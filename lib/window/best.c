/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tuple/key.h"
#include "window/best.h"
#include "window/group_number.h"

enum {
	FIRST = BEST_FETCHED, /* many groups have one entry, or few */
	FEW = 16,	      /* are sorted without an allocation */
};

struct best_line
best_line_put(char *to, const struct number *value, struct span line)
{
	struct best_line l = { .n = (uint32_t)line.n,
		.text_n = (uint32_t)value->text.n & INT32_MAX,
		.is_int = value->is_int };

	if (value->is_int)
		l.value.i = value->i;
	else
		l.value.d = value->d;
	memcpy(to, line.p, line.n);
	memcpy(to + line.n, value->text.p, value->text.n);
	return l;
}

static struct number
value_of(const struct best_entry *x)
{
	struct number value = { .is_int = x->line.is_int,
		.text = { x->p + x->line.n, x->line.text_n } };

	if (value.is_int)
		value.i = x->line.value.i;
	value.d = value.is_int ? (double)value.i : x->line.value.d;
	return value;
}

static struct span
key_by_id(const struct best_rule *rule, uint64_t id)
{
	struct span key = hash_map_key(rule->keys, (uint32_t)id);

	if (rule->grouped)
		group_number_take(&key);
	return key;
}

/* Negative where a ranks before b by its value alone. */
static int
compare_values(const struct best_rule *rule, const struct best_entry *a,
    const struct best_entry *b)
{
	int c;

	if (a->line.is_int && b->line.is_int) {
		c = (a->line.value.i > b->line.value.i) -
		    (a->line.value.i < b->line.value.i);
	} else {
		struct number x = value_of(a), y = value_of(b);

		c = number_cmp(&x, &y);
	}
	return rule->smallest ? c : -c;
}

/* Negative where a ranks before b. */
static int
compare(const struct best_rule *rule, const struct best_entry *a,
    const struct best_entry *b)
{
	int c = compare_values(rule, a, b);

	if (c != 0)
		return c;
	if (rule->keys != NULL &&
	    (c = key_cmp(key_by_id(rule, a->order),
		 key_by_id(rule, b->order))) != 0)
		return c;
	return (a->order > b->order) - (a->order < b->order);
}

/* Let the entry at i sink to its place: parents rank after their children. */
static void
sink(struct best *b, const struct best_rule *rule, size_t i)
{
	struct best_entry moving = b->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= b->len)
			break;
		if (child + 1 < b->len &&
		    compare(rule, &b->heap[child + 1], &b->heap[child]) > 0)
			child++;
		if (compare(rule, &b->heap[child], &moving) <= 0)
			break;
		b->heap[i] = b->heap[child];
		i = child;
	}
	b->heap[i] = moving;
}

static void
rise(struct best *b, const struct best_rule *rule, size_t i)
{
	struct best_entry moving = b->heap[i];

	while (i > 0 && compare(rule, &b->heap[(i - 1) / 2], &moving) < 0) {
		b->heap[i] = b->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	b->heap[i] = moving;
}

bool
best_takes_value(const struct best *b, const struct best_rule *rule,
    const struct number *value)
{
	struct number worst;
	int c;

	if (b->len < rule->n)
		return true;
	worst = value_of(&b->heap[0]);
	c = number_cmp(value, &worst);
	return rule->smallest ? c < 0 : c > 0;
}

bool
best_takes(const struct best *b, const struct best_rule *rule,
    const struct best_entry *x)
{
	return b->len < rule->n || compare(rule, x, &b->heap[0]) < 0;
}

static void
grow(struct best *b, const struct best_rule *rule)
{
	size_t cap = b->cap == 0 ? FIRST : 2 * b->cap;
	struct best_entry *heap;

	if (cap > rule->n)
		cap = rule->n;
	if (cap > SIZE_MAX / sizeof *heap)
		memory_exhausted();
	heap = pool_new(rule->pool, cap * sizeof *heap);
	if (b->cap != 0) {
		memcpy(heap, b->heap, b->len * sizeof *heap);
		pool_free(rule->pool, b->heap, b->cap * sizeof *heap);
	}
	b->heap = heap;
	b->cap = cap;
}

void
best_put(struct best *b, const struct best_rule *rule,
    const struct best_entry *x)
{
	if (b->len == rule->n) {
		b->heap[0] = *x;
		sink(b, rule, 0);
		return;
	}
	if (b->len == b->cap)
		grow(b, rule);
	b->heap[b->len++] = *x;
	rise(b, rule, b->len - 1);
}

typedef int compare_fn(const struct best_rule *rule, const struct best_entry *a,
    const struct best_entry *b);

/*
 * Order n entries; spare has room for half of them.  qsort(3) has no place for
 * what cmp needs.
 */
static void
merge_sort(const struct best_rule *rule, struct best_entry *p, size_t n,
    struct best_entry *spare, compare_fn *cmp)
{
	size_t half = n / 2, a = 0, b = half, to = 0;

	if (n < 2)
		return;
	merge_sort(rule, p, half, spare, cmp);
	merge_sort(rule, p + half, n - half, spare, cmp);
	if (cmp(rule, &p[half - 1], &p[half]) <= 0)
		return;
	memcpy(spare, p, half * sizeof *p);
	while (a < half && b < n)
		if (cmp(rule, &spare[a], &p[b]) <= 0)
			p[to++] = spare[a++];
		else
			p[to++] = p[b++];
	memcpy(p + to, spare + a, (half - a) * sizeof *p);
}

void
best_sort(struct best *b, const struct best_rule *rule)
{
	struct best_entry few[FEW / 2], *spare = few, *p = b->heap;

	if (b->len <= FEW) {
		merge_sort(rule, p, b->len, spare, compare);
		return;
	}
	spare = memory_new(b->len / 2, sizeof *spare);
	/* So each key is fetched from memory once, with those of its value. */
	merge_sort(rule, p, b->len, spare, compare_values);
	for (size_t i = 0, n; i < b->len; i += n) {
		for (n = 1; i + n < b->len; n++)
			if (compare_values(rule, &p[i], &p[i + n]) != 0)
				break;
		merge_sort(rule, p + i, n, spare, compare);
	}
	free(spare);
}

void
best_turn(struct best *b)
{
	/* Ascending by rank is no heap; turned round it is one. */
	for (size_t i = 0; i < b->len / 2; i++) {
		struct best_entry x = b->heap[i];

		b->heap[i] = b->heap[b->len - 1 - i];
		b->heap[b->len - 1 - i] = x;
	}
}
