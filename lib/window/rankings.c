/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <stdlib.h>

#include "window/rankings.h"

/*
 * What is kept under a key, and where in lines.  Packed, so that with its key
 * it takes 48 bytes, and not 56.
 */
struct kept_line {
	struct best_line line;
	uint64_t at;
	uint32_t room;
} __attribute__((packed, aligned(4)));

void
rankings_init(struct rankings *r, size_t n, bool keyed, bool smallest)
{
	*r = (struct rankings){ .n = n, .keyed = keyed, .smallest = smallest };
	if (keyed)
		hash_map_init(&r->keys, sizeof(struct kept_line));
}

/* The bytes of an entry's line and of the text of its value. */
static size_t
copied(const struct best_entry *x)
{
	return x->line.n + x->line.text_n;
}

void
rankings_forget(const struct rankings *r, struct best *b)
{
	for (size_t i = 0; !r->keyed && i < b->len; i++)
		pool_drop((char *)b->heap[i].p, copied(&b->heap[i]));
	pool_drop(b->heap, b->cap * sizeof *b->heap);
	*b = (struct best){ 0 };
}

void
rankings_clear(struct rankings *r)
{
	if (r->keyed)
		hash_map_clear(&r->keys);
	rankings_forget(r, &r->best);
	pool_clear(&r->pool);
	r->lines.n = r->garbage = 0;
}

void
rankings_fini(struct rankings *r)
{
	rankings_forget(r, &r->best);
	pool_fini(&r->pool);
	if (r->keyed)
		hash_map_fini(&r->keys);
	buffer_fini(&r->lines);
	*r = (struct rankings){ 0 };
}

size_t
rankings_live(const struct rankings *r)
{
	return r->keyed ? r->keys.live : r->best.len;
}

static struct best_rule
rule_of(struct rankings *r)
{
	return (struct best_rule){ r->n, r->smallest,
		r->keyed ? &r->keys : NULL, r->grouped, &r->pool };
}

void
rankings_add(struct rankings *r, struct best *b, const struct number *value,
    struct span line)
{
	struct best_rule rule = rule_of(r);
	struct best_entry x = { .order = r->order++ };
	char *copy;

	/* Most do not get in, and cost nothing but a comparison. */
	if (!best_takes_value(b, &rule, value))
		return;
	copy = pool_new(&r->pool, line.n + value->text.n);
	x.line = best_line_put(copy, value, line);
	x.p = copy;
	if (b->len == r->n)
		pool_free(&r->pool, (char *)b->heap[0].p, copied(&b->heap[0]));
	best_put(b, &rule, &x);
}

/* Move the lines that are still somebody's together. */
static void
collect_garbage(struct rankings *r)
{
	struct buffer lines = { 0 };

	for (uint32_t id = 0;
	     (id = hash_map_next(&r->keys, id)) != HASH_MAP_NONE; id++) {
		struct kept_line *k = hash_map_value(&r->keys, id);

		k->room = k->line.n + k->line.text_n;
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
	k->line = best_line_put(r->lines.p + k->at, value, line);
	/* So much garbage pays for looking at all keys. */
	if (r->garbage > r->lines.n / 2 && r->garbage > 65536 &&
	    r->garbage / 16 > r->keys.end)
		collect_garbage(r);
}

void
rankings_update(struct rankings *r, const struct key *key,
    const struct number *value, struct span line)
{
	assert(!r->keyed || key != NULL);
	if (r->keyed)
		update_keyed(r, key, value, line);
	else
		rankings_add(r, &r->best, value, line);
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

void
rankings_choose(struct rankings *r, struct best *b, uint32_t id)
{
	const struct kept_line *k = hash_map_value(&r->keys, id);
	struct best_entry x = { k->line, r->lines.p + k->at, id };
	struct best_rule rule = rule_of(r);

	if (best_takes(b, &rule, &x))
		best_put(b, &rule, &x);
}

void
rankings_report_best(struct rankings *r, struct best *b, rankings_fn *fn,
    void *arg)
{
	struct best_rule rule = rule_of(r);

	best_sort(b, &rule);
	for (size_t i = 0; i < b->len; i++)
		fn(arg, i + 1,
		    (struct span){ b->heap[i].p, b->heap[i].line.n });
	if (r->keyed)
		b->len = 0;
	else
		best_turn(b);
}

void
rankings_report(struct rankings *r, rankings_fn *fn, void *arg)
{
	for (uint32_t id = 0;
	     r->keyed && (id = hash_map_next(&r->keys, id)) != HASH_MAP_NONE;
	     id++)
		rankings_choose(r, &r->best, id);
	rankings_report_best(r, &r->best, fn, arg);
}
