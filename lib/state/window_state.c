/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "state/window_state.h"

/* A cell, or a key with its total. */
struct window_cell {
	uint32_t key;
	bool shown;
	int64_t slot;
	struct total count;
};

/* The columns of a cell: slotStartMillis, the key, and these. */
enum { COUNT, CELL_EXACT, NCELL };

/* The columns of a key: the key, and these. */
enum { ORDER, SHOWN, TOTAL_EXACT, SPELLING, NKEY };

void
window_state_open(struct window_state *s, struct store *store,
    const struct span *names)
{
	struct span *all = memory_new(s->nkeys + NKEY + 1, sizeof *all);

	all[0] = SPAN("slotStartMillis");
	memcpy(all + 1, names, s->nkeys * sizeof *all);
	all[1 + s->nkeys + COUNT] = SPAN("count");
	all[1 + s->nkeys + CELL_EXACT] = SPAN("_exact");
	s->cells =
	    store_table(store, NULL, all, 1 + s->nkeys, 1 + s->nkeys + NCELL);
	memcpy(all, names, s->nkeys * sizeof *all);
	all[s->nkeys + ORDER] = SPAN("_order");
	all[s->nkeys + SHOWN] = SPAN("_shown");
	all[s->nkeys + TOTAL_EXACT] = SPAN("_exact");
	all[s->nkeys + SPELLING] = SPAN("_spelling");
	s->keys = store_table(store, "keys", all, s->nkeys, s->nkeys + NKEY);
	free(all);
}

void
window_state_fini(struct window_state *s)
{
	free(s->list);
	key_fini(&s->key);
	buffer_fini(&s->text);
	buffer_fini(&s->passed);
}

static void
add_cell(void *arg, uint32_t key, int64_t slot, struct total count)
{
	struct window_state *s = arg;

	s->list = memory_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = (struct window_cell){ key, false, slot, count };
}

static void
add_key(void *arg, uint32_t key, struct total total, bool shown)
{
	struct window_state *s = arg;

	add_cell(s, key, 0, total);
	s->list[s->n - 1].shown = shown;
}

/* What a total needs beside its column, NULL where that says it all. */
static struct stored_value
exact_column(struct window_state *s, struct total total)
{
	if (sum_is_small(total))
		return (struct stored_value){ .kind = STORED_NULL };
	s->exact = sum_pack(&s->window->counter.sums, total);
	return stored_value_of_blob((struct span){
	    (char *)&s->exact, sizeof s->exact });
}

static void
fill_cell(void *arg, size_t i, struct stored_value *row)
{
	struct window_state *s = arg;
	const struct window_cell *cell = &s->list[i];
	struct hash_map *keys = &s->window->counter.keys;

	row[0] = stored_value_of_int(slot_times_start(s->times, cell->slot));
	key_columns(hash_map_key(keys, cell->key), s->nkeys, row + 1);
	row += 1 + s->nkeys;
	s->text.n = 0;
	sum_put(&s->window->counter.sums, &s->text, cell->count);
	row[COUNT] = stored_value_of_json(buffer_span(&s->text));
	row[CELL_EXACT] = exact_column(s, cell->count);
}

static void
fill_key(void *arg, size_t i, struct stored_value *row)
{
	struct window_state *s = arg;
	const struct window_cell *cell = &s->list[i];
	struct hash_map *keys = &s->window->counter.keys;
	struct span bytes = hash_map_key(keys, cell->key);

	key_columns(bytes, s->nkeys, row);
	row += s->nkeys;
	row[ORDER] = stored_value_of_int(s->nstored + (int64_t)i);
	row[SHOWN] = stored_value_of_int(cell->shown);
	row[TOTAL_EXACT] = exact_column(s, cell->count);
	row[SPELLING] =
	    key_spelling_column(bytes, hash_map_label(keys, cell->key));
}

/* What a report does to keys, and adding to sums, is too much to follow. */
static void
save_keys(struct window_state *s)
{
	struct slot_counter *c = &s->window->counter;

	if (s->window->reported || c->sums.n != 0) {
		store_table_clear(s->keys);
		s->end = 0;
		s->nstored = 0;
	}
	s->n = 0;
	slot_counter_each_key(c, s->end, add_key, s);
	store_table_put(s->keys, s->n, fill_key, s);
	s->nstored += (int64_t)s->n;
	s->end = c->keys.end;
	s->window->reported = false;
}

static void
save_cells(struct window_state *s)
{
	struct slot_counter *c = &s->window->counter;
	int64_t first = slot_counter_first(c);

	if (first == INT64_MAX)
		store_table_clear(s->cells);
	else
		store_table_clear_below(s->cells,
		    slot_times_start(s->times, first));
	s->n = 0;
	if (s->window->touched != INT64_MAX)
		slot_counter_each_cell(c, s->window->touched, add_cell, s);
	store_table_put(s->cells, s->n, fill_cell, s);
	s->window->touched = INT64_MAX;
}

static void
put_number(struct buffer *b, int64_t v)
{
	buffer_put(b, (struct span){ (char *)&v, sizeof v });
}

/*
 * Slots that tuples have come for after time had passed them are not in the
 * totals until the next report.
 */
static void
save_passed(struct window_state *s, struct store *store)
{
	const struct slots *slots = &s->window->counter.slots;
	int64_t first = slots_first_ahead(slots);
	uint32_t *ids;
	size_t n = 0;

	s->passed.n = 0;
	if (first < s->window->reached) {
		ids = slots_from(slots, first, &n);
		for (size_t i = 0; i < n; i++) {
			const struct slot *slot = slots_get(slots, ids[i]);

			if (!slot->open && slot->number < s->window->reached)
				put_number(&s->passed, slot->number);
		}
		free(ids);
	}
	store_put_value(store, "passed", buffer_span(&s->passed));
}

void
window_state_save(struct window_state *s, struct store *store)
{
	const struct sliding_window_counter *w = s->window;

	store_put_int(store, "reached", w->reached);
	store_put_int(store, "last", w->last);
	store_put_int(store, "started", w->started);
	store_put_int(store, "any", w->any);
	save_passed(s, store);
	save_keys(s);
	save_cells(s);
}

/* The total that exact has, or else the integer in c. */
static struct total
take_total(struct window_state *s, const struct stored_value *c,
    const struct stored_value *exact)
{
	struct sum_pool *sums = &s->window->counter.sums;
	struct total total = { 0 };

	if (exact->kind != STORED_BLOB || exact->bytes.n != sizeof s->exact) {
		sum_add_int(sums, &total, c->i);
	} else {
		memcpy(&s->exact, exact->bytes.p, sizeof s->exact);
		sum_unpack(sums, &total, &s->exact);
	}
	return total;
}

static void
take_key(void *arg, size_t i, const struct stored_value *row)
{
	struct window_state *s = arg;

	(void)i;
	key_of_columns(&s->key, row, s->nkeys, &row[s->nkeys + SPELLING]);
	slot_counter_put_key(&s->window->counter, &s->key,
	    row[s->nkeys + SHOWN].i != 0);
}

static int
by_number(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* Tell whether a slot that time has passed was not open. */
static bool
was_passed(const struct window_state *s, int64_t slot)
{
	return s->passed.n != 0 &&
	    bsearch(&slot, s->passed.p, s->passed.n / sizeof slot, sizeof slot,
		by_number) != NULL;
}

static void
take_cell(void *arg, size_t i, const struct stored_value *row)
{
	static const struct stored_value none = { .kind = STORED_NULL };
	struct window_state *s = arg;
	int64_t slot = slot_times_find(s->times, row[0].i);

	(void)i;
	if (was_passed(s, slot) != s->ahead)
		return;
	key_of_columns(&s->key, row + 1, s->nkeys, &none);
	row += 1 + s->nkeys;
	slot_counter_put_cell(&s->window->counter, &s->key, slot,
	    take_total(s, &row[COUNT], &row[CELL_EXACT]));
}

static void
take_exact_total(void *arg, size_t i, const struct stored_value *row)
{
	struct window_state *s = arg;
	const struct stored_value *exact = &row[s->nkeys + TOTAL_EXACT];

	(void)i;
	if (exact->kind != STORED_BLOB)
		return;
	key_of_columns(&s->key, row, s->nkeys, &row[s->nkeys + SPELLING]);
	slot_counter_put_total(&s->window->counter, &s->key,
	    take_total(s, exact, exact));
}

void
window_state_load(struct window_state *s, struct store *store)
{
	struct sliding_window_counter *w = s->window;

	w->reached = store_get_int(store, "reached");
	w->last = store_get_int(store, "last");
	w->started = store_get_int(store, "started") != 0;
	w->any = store_get_int(store, "any") != 0;
	store_table_scan(s->keys, "_order", -1, take_key, s);
	store_get_value(store, "passed", &s->passed);
	store_table_scan(s->cells, NULL, 0, take_cell, s);
	if (w->started)
		slot_counter_open(&w->counter, w->reached);
	store_table_scan(s->keys, NULL, 0, take_exact_total, s);
	s->ahead = true;
	if (s->passed.n != 0)
		store_table_scan(s->cells, NULL, 0, take_cell, s);
	w->touched = INT64_MAX;
	s->end = w->counter.keys.end;
	s->nstored = w->counter.keys.live;
}

/* The start, then the marks, the oldest first. */
void
window_state_save_ticks(struct store *store, const struct time_tracker *t)
{
	struct buffer b = { 0 };

	put_number(&b, t->start);
	for (size_t i = 0; i < t->len; i++)
		put_number(&b, time_tracker_mark_at(t, i));
	store_put_value(store, "ticks", buffer_span(&b));
	buffer_fini(&b);
}

void
window_state_load_ticks(struct store *store, struct time_tracker *t, size_t n)
{
	struct buffer b = { 0 };
	int64_t time;

	store_get_value(store, "ticks", &b);
	for (size_t at = 0; at + sizeof time <= b.n; at += sizeof time) {
		memcpy(&time, b.p + at, sizeof time);
		if (at == 0)
			time_tracker_init(t, n, time);
		else
			time_tracker_mark(t, time);
	}
	buffer_fini(&b);
}
