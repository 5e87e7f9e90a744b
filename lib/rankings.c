/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "rankings.h"

/* What is kept under a key; the line and its room lie in lines. */
struct kept {
	struct number value; /* without its text */
	uint64_t line;
	uint32_t n, room;
	uint32_t text, text_n; /* of the value, within the line */
};

void
rankings_init(struct rankings *r, size_t n, bool keyed, bool smallest)
{
	*r = (struct rankings){ .n = n, .keyed = keyed, .smallest = smallest };
	hash_map_init(&r->keys, sizeof(struct kept));
}

void
rankings_clear(struct rankings *r)
{
	if (!r->keyed)
		for (size_t i = 0; i < r->len; i++)
			free((char *)(uintptr_t)r->heap[i].line.p);
	r->len = 0;
	hash_map_clear(&r->keys);
	r->lines.n = r->garbage = 0;
}

void
rankings_fini(struct rankings *r)
{
	rankings_clear(r);
	free(r->heap);
	hash_map_fini(&r->keys);
	buffer_fini(&r->lines);
	*r = (struct rankings){ 0 };
}

size_t
rankings_live(const struct rankings *r)
{
	return r->keyed ? r->keys.live : r->len;
}

/* Negative where a ranks before b. */
static int
compare(const struct ranked *a, const struct ranked *b, bool smallest)
{
	int c = number_cmp(&a->value, &b->value);

	if (c != 0)
		return smallest ? c : -c;
	if (a->key.p != NULL && (c = key_cmp(a->key, b->key)) != 0)
		return c;
	return (a->order > b->order) - (a->order < b->order);
}

static int
by_largest(const void *a, const void *b)
{
	return compare(a, b, false);
}

static int
by_smallest(const void *a, const void *b)
{
	return compare(a, b, true);
}

/* Let the entry at i sink to its place: parents rank after their children. */
static void
sink(struct rankings *r, size_t i)
{
	struct ranked moving = r->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= r->len)
			break;
		if (child + 1 < r->len &&
		    compare(&r->heap[child + 1], &r->heap[child],
			r->smallest) > 0)
			child++;
		if (compare(&r->heap[child], &moving, r->smallest) <= 0)
			break;
		r->heap[i] = r->heap[child];
		i = child;
	}
	r->heap[i] = moving;
}

static void
rise(struct rankings *r, size_t i)
{
	struct ranked moving = r->heap[i];

	while (i > 0 &&
	    compare(&r->heap[(i - 1) / 2], &moving, r->smallest) < 0) {
		r->heap[i] = r->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	r->heap[i] = moving;
}

/* Give x a place in the heap unless n others rank before it. */
static bool
offer(struct rankings *r, const struct ranked *x)
{
	if (r->len < r->n) {
		r->heap = memory_grow(r->heap, &r->cap, r->len + 1,
		    sizeof *r->heap);
		r->heap[r->len++] = *x;
		rise(r, r->len - 1);
		return true;
	}
	if (compare(x, &r->heap[0], r->smallest) >= 0)
		return false;
	r->heap[0] = *x;
	sink(r, 0);
	return true;
}

static void
update_unkeyed(struct rankings *r, const struct number *value,
    struct span line)
{
	struct ranked x = { *value, { NULL, 0 }, line, r->order++ };
	char *worst = r->len == r->n ? (char *)(uintptr_t)r->heap[0].line.p :
				       NULL;
	char *copy;

	/* Most do not get in, and cost nothing but the comparison. */
	if (r->len == r->n && compare(&x, &r->heap[0], r->smallest) >= 0)
		return;
	copy = memory_new(line.n + 1, 1);
	memcpy(copy, line.p, line.n);
	x.line.p = copy;
	x.value.text.p = copy + (value->text.p - line.p);
	offer(r, &x);
	free(worst);
}

/* Move the lines that are still somebody's together. */
static void
collect_garbage(struct rankings *r)
{
	struct buffer lines = { 0 };

	for (uint32_t id = 0; id < r->keys.end; id++) {
		struct kept *k;

		if (!hash_map_is_live(&r->keys, id))
			continue;
		k = hash_map_value(&r->keys, id);
		buffer_put(&lines,
		    (struct span){ r->lines.p + k->line, k->n });
		k->line = lines.n - k->n;
		k->room = k->n;
	}
	buffer_fini(&r->lines);
	r->lines = lines;
	r->garbage = 0;
}

static void
update_keyed(struct rankings *r, const struct key *key,
    const struct number *value, struct span line)
{
	bool added;
	uint32_t id = hash_map_put(&r->keys, key->bytes, key->bytes,
	    key->hash, &added);
	struct kept *k = hash_map_value(&r->keys, id);

	if (line.n > k->room) {
		r->garbage += k->room;
		k->line = r->lines.n;
		k->room = (uint32_t)line.n;
		buffer_put(&r->lines, line);
	} else {
		memcpy(r->lines.p + k->line, line.p, line.n);
	}
	k->n = (uint32_t)line.n;
	k->value = *value;
	k->text = (uint32_t)(value->text.p - line.p);
	k->text_n = (uint32_t)value->text.n;
	if (r->garbage > r->lines.n / 2 && r->garbage > 65536)
		collect_garbage(r);
}

void
rankings_update(struct rankings *r, const struct key *key,
    const struct number *value, struct span line)
{
	if (r->keyed)
		update_keyed(r, key, value, line);
	else
		update_unkeyed(r, value, line);
}

void
rankings_remove(struct rankings *r, const struct key *key)
{
	uint32_t id = hash_map_get(&r->keys, key->bytes, key->hash);
	const struct kept *k;

	if (id == HASH_MAP_NONE)
		return;
	k = hash_map_value(&r->keys, id);
	r->garbage += k->room;
	hash_map_del(&r->keys, id);
	if (hash_map_is_sparse(&r->keys))
		hash_map_compact(&r->keys, NULL);
}

/* Choose the best n of the keys. */
static void
select_keys(struct rankings *r)
{
	r->len = 0;
	for (uint32_t id = 0; id < r->keys.end; id++) {
		const struct kept *k;
		struct ranked x;

		if (!hash_map_is_live(&r->keys, id))
			continue;
		k = hash_map_value(&r->keys, id);
		x = (struct ranked){ k->value, hash_map_key(&r->keys, id),
			{ r->lines.p + k->line, k->n }, id };
		x.value.text =
		    (struct span){ x.line.p + k->text, k->text_n };
		offer(r, &x);
	}
}

void
rankings_report(struct rankings *r, rankings_fn *fn, void *arg)
{
	if (r->keyed)
		select_keys(r);
	if (r->len != 0)
		qsort(r->heap, r->len, sizeof *r->heap,
		    r->smallest ? by_smallest : by_largest);
	for (size_t i = 0; i < r->len; i++)
		fn(arg, i + 1, r->heap[i].line);
	if (r->keyed) {
		r->len = 0;
		return;
	}
	/* Ascending by rank is no heap; turned round it is one. */
	for (size_t i = 0; i < r->len / 2; i++) {
		struct ranked x = r->heap[i];

		r->heap[i] = r->heap[r->len - 1 - i];
		r->heap[r->len - 1 - i] = x;
	}
}
