/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "window/rankings.h"

/* What is kept under a key: in lines, the line and then the value's text. */
struct kept_line {
	struct number value; /* without its text */
	uint64_t at;
	uint32_t room;
	uint32_t line_n, text_n;
};

void
rankings_init(struct rankings *r, size_t n, bool keyed, bool smallest)
{
	*r = (struct rankings){ .n = n, .keyed = keyed, .smallest = smallest };
	if (keyed)
		hash_map_init(&r->keys, sizeof(struct kept_line));
}

void
rankings_clear(struct rankings *r)
{
	if (r->keyed)
		hash_map_clear(&r->keys);
	else
		for (size_t i = 0; i < r->len; i++)
			span_free(r->heap[i].line);
	r->len = 0;
	r->lines.n = r->garbage = 0;
}

void
rankings_fini(struct rankings *r)
{
	rankings_clear(r);
	free(r->heap);
	if (r->keyed)
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
		    compare(&r->heap[child + 1], &r->heap[child], r->smallest) >
			0)
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

/* Tell whether x is among the n best. */
static bool
gets_in(const struct rankings *r, const struct ranked *x)
{
	return r->len < r->n || compare(x, &r->heap[0], r->smallest) < 0;
}

/* Give x, which gets in, its place in the heap. */
static void
let_in(struct rankings *r, const struct ranked *x)
{
	if (r->len == r->n) {
		r->heap[0] = *x;
		sink(r, 0);
		return;
	}
	r->heap = memory_grow(r->heap, &r->cap, r->len + 1, sizeof *r->heap);
	r->heap[r->len++] = *x;
	rise(r, r->len - 1);
}

static void
update_unkeyed(struct rankings *r, const struct number *value, struct span line)
{
	struct ranked x = { *value, { NULL, 0 }, line, r->order++ };
	char *copy;

	/* Most do not get in, and cost nothing but a comparison. */
	if (!gets_in(r, &x))
		return;
	copy = memory_new(line.n + value->text.n, 1);
	memcpy(copy, line.p, line.n);
	memcpy(copy + line.n, value->text.p, value->text.n);
	x.line.p = copy;
	x.value.text.p = copy + line.n;
	if (r->len == r->n)
		span_free(r->heap[0].line);
	let_in(r, &x);
}

/* Move the lines that are still somebody's together. */
static void
collect_garbage(struct rankings *r)
{
	struct buffer lines = { 0 };

	for (uint32_t id = 0;
	     (id = hash_map_next(&r->keys, id)) != HASH_MAP_NONE; id++) {
		struct kept_line *k = hash_map_value(&r->keys, id);

		k->room = k->line_n + k->text_n;
		buffer_put(&lines,
		    (struct span){ r->lines.p + k->at, k->room });
		k->at = lines.n - k->room;
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
	uint32_t id = hash_map_put_hinted(&r->keys, key->hint, key->bytes,
	    key->bytes, key->hash, &added);
	struct kept_line *k = hash_map_value(&r->keys, id);
	size_t need = line.n + value->text.n;

	if (need > k->room) {
		r->garbage += k->room;
		k->room = (uint32_t)need;
		k->at = r->lines.n;
		buffer_room(&r->lines, need);
		r->lines.n += need;
	}
	memcpy(r->lines.p + k->at, line.p, line.n);
	memcpy(r->lines.p + k->at + line.n, value->text.p, value->text.n);
	k->value = *value;
	k->line_n = (uint32_t)line.n;
	k->text_n = (uint32_t)value->text.n;
	/* So much garbage pays for looking at all keys. */
	if (r->garbage > r->lines.n / 2 && r->garbage > 65536 &&
	    r->garbage / 16 > r->keys.end)
		collect_garbage(r);
}

void
rankings_update(struct rankings *r, const struct key *key,
    const struct number *value, struct span line)
{
	if (r->keyed && key != NULL)
		update_keyed(r, key, value, line);
	else
		update_unkeyed(r, value, line);
}

void
rankings_remove(struct rankings *r, const struct key *key)
{
	uint32_t id = hash_map_get(&r->keys, key->bytes, key->hash);
	const struct kept_line *k;

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
	for (uint32_t id = 0;
	     (id = hash_map_next(&r->keys, id)) != HASH_MAP_NONE; id++) {
		const struct kept_line *k = hash_map_value(&r->keys, id);
		struct ranked x;

		x = (struct ranked){ k->value, hash_map_key(&r->keys, id),
			{ r->lines.p + k->at, k->line_n }, id };
		x.value.text = (struct span){ x.line.p + k->line_n, k->text_n };
		if (gets_in(r, &x))
			let_in(r, &x);
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
