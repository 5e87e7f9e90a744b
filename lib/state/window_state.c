/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "state/window_state.h"

/* A cell, or a key. */
struct window_cell {
	uint32_t key;
	bool shown;
	int64_t slot;
	struct total count;
};

enum { EXACT_FORM = 2, VALUES_FORM = 2 };

/*
 * The columns of a cell: slotStartMillis, the key, those of aggregates to be
 * looked at, and these.
 */
enum { COUNT, CELL_EXACT, NCELL };

/* The columns of a key: the key, and these. */
enum { ORDER, SHOWN, SPELLING, NKEY };

static struct aggregates *
aggregates_of(const struct window_state *s)
{
	return s->window->counter.aggregates;
}

static size_t
nvalues_of(const struct window_state *s)
{
	return aggregates_of(s) == NULL ? 0 : aggregates_of(s)->n;
}

void
window_state_open(struct window_state *s, struct store *store,
    const struct span *names)
{
	size_t nvalues = nvalues_of(s), n = 1 + s->nkeys + nvalues + NCELL;
	struct span *all = memory_new(n + NKEY, sizeof *all);
	struct span *values = all + 1 + s->nkeys;

	s->window->counter.is_kept = true;
	all[0] = SPAN("slotStartMillis");
	memcpy(all + 1, names, s->nkeys * sizeof *all);
	if (nvalues != 0)
		aggregates_names(aggregates_of(s), values);
	values[nvalues + COUNT] = nvalues == 0 ? SPAN("count") : SPAN("_count");
	values[nvalues + CELL_EXACT] = SPAN("_exact");
	s->cells = store_table(store, PART_ITSELF, all, 1 + s->nkeys, n);
	memcpy(all, names, s->nkeys * sizeof *all);
	all[s->nkeys + ORDER] = SPAN("_order");
	all[s->nkeys + SHOWN] = SPAN("_shown");
	all[s->nkeys + SPELLING] = SPAN("_spelling");
	s->keys = store_table(store, PART_KEYS, all, s->nkeys, s->nkeys + NKEY);
	free(all);
}

void
window_state_fini(struct window_state *s)
{
	free(s->list);
	row_order_fini(&s->order);
	stored_key_fini(&s->key);
	buffer_fini(&s->text);
	buffer_fini(&s->exact);
}

static void
add_cell(void *arg, uint32_t key, int64_t slot, struct total count)
{
	struct window_state *s = arg;

	row_order_add(&s->order, slot,
	    slot_counter_key(&s->window->counter, key), (uint32_t)s->n);
	s->list = memory_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = (struct window_cell){ key, false, slot, count };
}

static void
add_key(void *arg, uint32_t key, bool shown)
{
	struct window_state *s = arg;

	add_cell(s, key, 0, (struct total){ 0 });
	s->list[s->n - 1].shown = shown;
}

/* What a total needs beside its column, NULL where that says it all. */
static struct stored_value
exact_column(struct window_state *s, struct total total)
{
	if (sum_is_small(total))
		return (struct stored_value){ .kind = STORED_NULL };
	s->exact.n = 0;
	pack_form(&s->exact, EXACT_FORM);
	sum_pack(&s->window->counter.sums, total, &s->exact);
	return stored_value_of_blob(buffer_span(&s->exact));
}

/* A cell's aggregates to be looked at, and all of them. */
static void
fill_values(struct window_state *s, const struct window_cell *cell,
    struct stored_value *columns, struct stored_value *exact)
{
	struct aggregates *a = aggregates_of(s);
	const void *value =
	    slot_counter_value(&s->window->counter, cell->key, cell->slot);

	aggregates_columns(a, value, columns);
	s->exact.n = 0;
	pack_form(&s->exact, VALUES_FORM);
	aggregates_pack(a, value, &s->exact);
	*exact = stored_value_of_blob(buffer_span(&s->exact));
}

/* The cell or key that stands at place i in the order of rows. */
static const struct window_cell *
cell_at(const struct window_state *s, size_t i)
{
	return &s->list[s->order.places[i].id];
}

static void
fill_cell(void *arg, size_t i, struct stored_value *row)
{
	struct window_state *s = arg;
	const struct window_cell *cell = cell_at(s, i);
	struct slot_counter *c = &s->window->counter;
	struct stored_value *rest;

	row[0] = stored_value_of_int(slot_times_start(s->times, cell->slot));
	stored_key_columns(slot_counter_key(c, cell->key), s->nkeys, row + 1);
	row += 1 + s->nkeys;
	rest = row + nvalues_of(s);
	s->text.n = 0;
	sum_put(&c->sums, &s->text, cell->count);
	rest[COUNT] = stored_value_of_json(buffer_span(&s->text));
	if (aggregates_of(s) == NULL)
		rest[CELL_EXACT] = exact_column(s, cell->count);
	else
		fill_values(s, cell, row, &rest[CELL_EXACT]);
}

static void
fill_key(void *arg, size_t i, struct stored_value *row)
{
	struct window_state *s = arg;
	const struct window_cell *cell = cell_at(s, i);
	const struct slot_counter *c = &s->window->counter;
	struct span bytes = slot_counter_key(c, cell->key);

	stored_key_columns(bytes, s->nkeys, row);
	row += s->nkeys;
	row[ORDER] = stored_value_of_int(s->nstored + (cell - s->list));
	row[SHOWN] = stored_value_of_int(cell->shown);
	row[SPELLING] =
	    stored_key_spelling(bytes, slot_counter_spelling(c, cell->key));
}

/* What a report does to keys is too much to follow. */
static void
save_keys(struct window_state *s)
{
	struct slot_counter *c = &s->window->counter;

	if (s->window->reported) {
		store_table_clear(s->keys);
		s->end = 0;
		s->nstored = 0;
	}
	s->n = s->order.n = 0;
	slot_counter_each_key(c, s->end, add_key, s);
	row_order_sort(&s->order);
	store_table_put(s->keys, s->n, fill_key, s);
	s->nstored += (int64_t)s->n;
	s->end = slot_counter_end(c);
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
	s->n = s->order.n = 0;
	slot_counter_each_touched(c, add_cell, s);
	row_order_sort(&s->order);
	store_table_put(s->cells, s->n, fill_cell, s);
}

void
window_state_save(struct window_state *s, struct store *store)
{
	const struct sliding_window_counter *w = s->window;

	store_put_int(store, "reached", w->reached);
	store_put_int(store, "last", w->last);
	store_put_int(store, "started", w->started);
	store_put_int(store, "any", w->any);
	save_keys(s);
	save_cells(s);
}

/*
 * The total in a column and what that does not say; 0, and nothing else, of
 * what cannot be right.
 */
static bool
take_total(struct window_state *s, const struct stored_value *c,
    const struct stored_value *exact, struct total *total)
{
	struct sum_pool *sums = &s->window->counter.sums;
	struct unpacker u;

	*total = (struct total){ 0 };
	if (!s->sums) {
		if (!store_int_is(c, 1, PACKED_MOST - s->tuples))
			return false;
		s->tuples += c->i;
	}
	if (exact->kind == STORED_NULL) {
		sum_add_int(sums, total, c->i);
		return c->kind == STORED_INT && sum_is_small(*total);
	}
	u = unpack_form(exact->bytes, EXACT_FORM);
	sum_unpack(sums, total, &u);
	return exact->kind == STORED_BLOB && s->sums && unpack_done(&u);
}

/* Keys are numbered from 0 on, and each is there once. */
static void
take_key(void *arg, size_t i, const struct stored_value *row)
{
	struct window_state *s = arg;
	const struct stored_value *rest = row + s->nkeys;

	if (!store_int_is(&rest[ORDER], (int64_t)i, (int64_t)i) ||
	    !store_int_is(&rest[SHOWN], 0, 1) ||
	    !stored_key_read(&s->key, row, s->nkeys, &rest[SPELLING]) ||
	    !slot_counter_put_key(&s->window->counter, &s->key.key,
		rest[SHOWN].i != 0))
		store_table_damaged(s->keys);
}

/* The slot that starts at that time, which counts in some window to come. */
static bool
take_slot(const struct window_state *s, const struct stored_value *start,
    int64_t *slot)
{
	const struct sliding_window_counter *w = s->window;

	if (!store_int_is(start, -PACKED_MOST, PACKED_MOST))
		return false;
	*slot = slot_times_find(s->times, start->i);
	return slot_times_start(s->times, *slot) == start->i && w->any &&
	    *slot <= w->last &&
	    (!w->started || *slot >= w->reached - w->nslots);
}

/* Put the count, and what else there is, of a key in a slot. */
static bool
put_cell(struct window_state *s, int64_t slot,
    const struct stored_value *columns)
{
	struct aggregates *a = aggregates_of(s);
	const struct stored_value *rest = columns + nvalues_of(s);
	struct stored_value exact = rest[CELL_EXACT];
	struct unpacker u = unpack_form(exact.bytes, VALUES_FORM);
	struct total total;
	void *value = NULL;

	if (a != NULL) {
		if (exact.kind != STORED_BLOB)
			return false;
		exact.kind = STORED_NULL;
	}
	if (!take_total(s, &rest[COUNT], &exact, &total) ||
	    !slot_counter_put_cell(&s->window->counter, &s->key.key, slot,
		total, &value))
		return false;
	if (a == NULL)
		return true;
	aggregates_unpack(a, value, &u);
	return unpack_done(&u) &&
	    aggregates_tuples(a, value) <= rest[COUNT].i &&
	    aggregates_agree(a, value, columns);
}

static void
take_cell(void *arg, size_t i, const struct stored_value *row)
{
	struct window_state *s = arg;
	int64_t slot;

	(void)i;
	if (!take_slot(s, &row[0], &slot) ||
	    !stored_key_read_bytes(&s->key, row + 1, s->nkeys) ||
	    !put_cell(s, slot, row + 1 + s->nkeys))
		store_table_damaged(s->cells);
}

static void
load_times(struct window_state *s, struct store *store)
{
	struct sliding_window_counter *w = s->window;

	w->started = store_get_int_within(store, "started", 0, 1) != 0;
	w->any = store_get_int_within(store, "any", 0, 1) != 0;
	w->reached =
	    store_get_int_within(store, "reached", -PACKED_MOST, PACKED_MOST);
	w->last =
	    store_get_int_within(store, "last", -PACKED_MOST, PACKED_MOST);
}

void
window_state_load(struct window_state *s, struct store *store)
{
	struct sliding_window_counter *w = s->window;

	load_times(s, store);
	store_table_scan(s->keys, s->nkeys + ORDER, take_key, s);
	store_table_scan(s->cells, STORE_TABLE_KEY, take_cell, s);
	/*
	 * Slots that time had passed when their first tuple came, too: the next
	 * report would open them.
	 */
	if (w->started)
		slot_counter_open(&w->counter, w->reached);
	s->end = slot_counter_end(&w->counter);
	s->nstored = (int64_t)sliding_window_counter_live(w);
}
