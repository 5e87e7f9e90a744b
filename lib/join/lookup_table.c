/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/prefetch.h"
#include "join/lookup_table.h"

void
lookup_table_init(struct lookup_table *t, size_t nfields)
{
	*t = (struct lookup_table){ .nfields = nfields };
	hash_map_init(&t->keys, sizeof(struct pointer_list));
	t->keys.fill_holes = true;
}

static struct lookup_row *
row_at(struct pointer_list *rows, size_t place)
{
	return *pointer_list_at(rows, place);
}

static struct join_field *
fields_of(const struct lookup_row *row)
{
	return (struct join_field *)(uintptr_t)(row + 1);
}

static size_t
size_of(const struct lookup_table *t, size_t line)
{
	return sizeof(struct lookup_row) +
	    t->nfields * sizeof(struct join_field) + line;
}

static void
drop(struct lookup_table *t, struct lookup_row *row)
{
	t->nrows--;
	pool_free(&t->pool, row, size_of(t, row->n));
}

void
lookup_table_fini(struct lookup_table *t)
{
	uint32_t id;

	for (id = 0; (id = hash_map_next(&t->keys, id)) != HASH_MAP_NONE;
	     id++) {
		struct pointer_list *rows = hash_map_value(&t->keys, id);

		for (size_t i = 0; i < rows->n; i++)
			drop(t, row_at(rows, i));
		pointer_list_fini(rows);
	}
	free(t->changes);
	buffer_fini(&t->changed_keys);
	hash_map_fini(&t->keys);
	heap_fini(&t->by_age);
	pool_fini(&t->pool);
}

/* The row that a change is about, or NULL. */
static struct lookup_row *
row_of(const struct lookup_table *t, const struct lookup_change *c)
{
	struct key key = { .bytes = { t->changed_keys.p + c->at, c->n },
		.hint = HASH_MAP_NONE };
	const struct lookup_row *row;

	key.hash = hash_bytes(key.bytes);
	row = lookup_table_find(t, &key, c->time);
	return row != NULL && row->time == c->time ?
	    (struct lookup_row *)(uintptr_t)row :
	    NULL;
}

/* Forget the changes about rows that came and went. */
static void
weed(struct lookup_table *t)
{
	size_t n = 0, bytes = 0;

	for (size_t i = 0; i < t->nchanges; i++) {
		struct lookup_change c = t->changes[i];

		if (!c.gone && row_of(t, &c) == NULL)
			continue;
		memmove(t->changed_keys.p + bytes, t->changed_keys.p + c.at,
		    c.n);
		c.at = bytes;
		bytes += c.n;
		t->changes[n++] = c;
	}
	t->nchanges = n;
	t->changed_keys.n = bytes;
}

static void
note(struct lookup_table *t, struct span key, int64_t time, bool gone)
{
	/* Such rows may be most of it. */
	if (t->nchanges >= 2 * (t->nrows + t->ngone) + 64)
		weed(t);
	t->changes = memory_grow(t->changes, &t->changes_cap, t->nchanges + 1,
	    sizeof *t->changes);
	t->changes[t->nchanges++] =
	    (struct lookup_change){ t->changed_keys.n, key.n, time, gone };
	t->ngone += gone;
	buffer_put(&t->changed_keys, key);
}

size_t
lookup_table_sort_changes(struct lookup_table *t)
{
	size_t n = 0;

	weed(t);
	for (size_t i = 0; i < t->nchanges; i++) {
		struct lookup_change c = t->changes[i];

		if (c.gone)
			continue;
		t->changes[i] = t->changes[n];
		t->changes[n++] = c;
	}
	return n;
}

void
lookup_table_note(struct lookup_table *t)
{
	struct lookup_row *row;

	for (size_t i = 0; i < t->nchanges; i++)
		if ((row = row_of(t, &t->changes[i])) != NULL) {
			row->stored = true;
			row->changed = false;
		}
	t->nchanges = t->ngone = t->changed_keys.n = 0;
	t->notes = true;
}

/* Copy what rows need of a part, as join_parts_keep does. */
static struct lookup_row *
copy(struct lookup_table *t, const struct join_part *part)
{
	struct span needed = join_part_needed(part, t->nfields);
	struct lookup_row *row = pool_new(&t->pool, size_of(t, needed.n));
	struct join_field *fields = fields_of(row);

	*row = (struct lookup_row){
		.time = part->time, .n = (uint32_t)needed.n, .stored = !t->notes
	};
	join_part_copy_fields(part, t->nfields, needed, fields);
	span_copy((char *)(fields + t->nfields), needed);
	t->nrows++;
	return row;
}

static bool
is_not_after(const void *row, int64_t time)
{
	return ((const struct lookup_row *)row)->time <= time;
}

/* How many rows of a key are not after a time. */
static size_t
rows_until(struct pointer_list *rows, int64_t time)
{
	return pointer_list_find(rows, is_not_after, time);
}

/* Drop the first n rows of a key. */
static void
drop_first(struct lookup_table *t, struct span key, struct pointer_list *rows,
    size_t n)
{
	/* Before any is dropped: to note one may look at all. */
	for (size_t i = 0; i < n; i++)
		if (row_at(rows, i)->stored && t->notes)
			note(t, key, row_at(rows, i)->time, true);
	for (size_t i = 0; i < n; i++)
		drop(t, row_at(rows, i));
	pointer_list_take_first(rows, n);
}

/* Let go of what nobody will ask for, if it is half of all. */
static void
let_go(struct lookup_table *t, struct span key, struct pointer_list *rows,
    int64_t now)
{
	size_t n = rows_until(rows, now);

	if (n >= 2 && n - 1 >= rows->n / 2)
		drop_first(t, key, rows, n - 1);
}

/* Let a key go, or look at it again, when a time of it has passed. */
static void
look_at(struct lookup_table *t, uint32_t id, int64_t time)
{
	heap_push(&t->by_age, (struct heap_entry){ time, id, id });
}

void
lookup_table_expire(struct lookup_table *t, int64_t time)
{
	while (heap_has_before(&t->by_age, time)) {
		uint32_t id = heap_pop(&t->by_age).id;
		struct pointer_list *rows = hash_map_value(&t->keys, id);
		int64_t latest = row_at(rows, rows->n - 1)->time;

		if (latest >= time) {
			look_at(t, id, latest);
			continue;
		}
		drop_first(t, hash_map_key(&t->keys, id), rows, rows->n);
		pointer_list_fini(rows);
		hash_map_del(&t->keys, id);
	}
}

/* Tell whether a row came from the same tuple, which a state has or will have. */
static bool
is_same(const struct lookup_table *t, const struct lookup_row *row,
    const struct join_part *part)
{
	return t->notes && !part->fields_only && row->time == part->time &&
	    span_eq(lookup_table_line(t, row), join_part_line(part));
}

void
lookup_table_put(struct lookup_table *t, const struct key *key,
    const struct join_part *part, int64_t now)
{
	bool added;
	uint32_t id = hash_map_put_hinted(&t->keys, key->hint, key->bytes,
	    key->bytes, key->hash, &added);
	struct pointer_list *rows = hash_map_value(&t->keys, id);
	size_t n = rows_until(rows, part->time);
	struct lookup_row *row, *old;

	if (n < rows->n && row_at(rows, n)->time <= now)
		return;
	if (n != 0 && is_same(t, row_at(rows, n - 1), part))
		return;
	if (added && t->expires)
		look_at(t, id, part->time);
	row = copy(t, part);
	if (n != 0 && row_at(rows, n - 1)->time == part->time) {
		old = row_at(rows, n - 1);
		row->stored = old->stored;
		row->changed = old->changed;
		*pointer_list_at(rows, n - 1) = row;
		drop(t, old);
	} else {
		pointer_list_put(rows, n, row);
		let_go(t, key->bytes, rows, now);
	}
	if (t->notes && !row->changed) {
		note(t, key->bytes, part->time, false);
		row->changed = true;
	}
}

void
lookup_table_look_ahead(const struct lookup_table *t,
    struct tuple *const *tuples, size_t n)
{
	for (size_t i = 0; i < n && t->keys.end != 0; i++) {
		const struct key *key = tuples[i]->key;
		const struct pointer_list *rows;

		if (key == NULL || key->hint == HASH_MAP_NONE)
			continue;
		rows = hash_map_value(&t->keys, key->hint);
		prefetch(rows->p.one, 2 * PREFETCH_LINE);
	}
}

const struct lookup_row *
lookup_table_find(const struct lookup_table *t, const struct key *key,
    int64_t time)
{
	uint32_t id =
	    hash_map_get_hinted(&t->keys, key->hint, key->bytes, key->hash);
	struct pointer_list *rows;
	size_t n;

	if (id == HASH_MAP_NONE)
		return NULL;
	rows = hash_map_value(&t->keys, id);
	n = rows_until(rows, time);
	return n == 0 ? NULL : row_at(rows, n - 1);
}

struct span
lookup_table_line(const struct lookup_table *t, const struct lookup_row *row)
{
	return (struct span){ (const char *)(fields_of(row) + t->nfields),
		row->n };
}

void
lookup_table_row_part(const struct lookup_table *t,
    const struct lookup_row *row, struct join_part *part)
{
	part->line = lookup_table_line(t, row).p;
	part->n = row->n;
	part->time = row->time;
	memcpy(join_part_fields(part), fields_of(row),
	    t->nfields * sizeof(struct join_field));
}
