/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "window/slot_counter_internal.h"

/* What forgetting a key pays for when ids are given anew. */
enum { CELLS_A_HOLE = 16 };

void
slot_counter_init(struct slot_counter *c, struct aggregates *aggregates)
{
	*c = (struct slot_counter){
		.aggregates = aggregates, .from = INT64_MIN, .below = INT64_MIN
	};
	hash_map_init(&c->keys,
	    aggregates == NULL ?
		KEY_BYTES :
		sizeof(struct counter_key) + panes_bytes(aggregates));
	if (aggregates != NULL)
		c->scratch = memory_new(1, aggregates->size);
	slots_init(&c->slots, sizeof(struct slot_cells));
}

static void
free_panes(struct slot_counter *c, uint32_t key)
{
	if (c->aggregates != NULL)
		panes_fini(counter_panes_of(c, key), c->aggregates);
}

void
slot_counter_fini(struct slot_counter *c)
{
	size_t n;
	uint32_t *ids = slots_list(&c->slots, &n);

	for (size_t i = 0; i < n; i++)
		slot_cells_fini(counter_cells_of(c, ids[i]));
	free(ids);
	for (uint32_t id = hash_map_next(&c->keys, 0); id != HASH_MAP_NONE;
	     id = hash_map_next(&c->keys, id + 1))
		free_panes(c, id);
	free(c->scratch);
	slots_fini(&c->slots);
	hash_map_fini(&c->keys);
	id_set_fini(&c->due);
	id_set_fini(&c->changed);
	sum_pool_fini(&c->sums);
}

/* One more open slot has the key, or one less. */
static void
open_key(struct slot_counter *c, uint32_t key)
{
	struct counter_key *k = counter_key_of(c, key);

	if (k->open_or_shown < KEY_OPEN) {
		c->nopen++;
		id_set_add(&c->due, key);
	}
	k->open_or_shown += KEY_OPEN;
}

static void
close_key(struct slot_counter *c, struct counter_key *k)
{
	k->open_or_shown -= KEY_OPEN;
	c->nopen -= k->open_or_shown < KEY_OPEN;
}

static uint32_t
add_cell(struct slot_counter *c, uint32_t key, uint32_t slot)
{
	c->ncells++;
	if (slots_get(&c->slots, slot)->open)
		open_key(c, key);
	return slot_cells_add(counter_cells_of(c, slot), key);
}

/* Let a slot be the newest of a key, which it has no cell of. */
static struct total *
begin_newest(struct slot_counter *c, uint32_t key, uint32_t slot)
{
	struct counter_key *k = counter_key_of(c, key);

	if (k->slot != 0)
		*slot_cells_count(counter_cells_of(c, k->slot - 1), k->cell) =
		    k->count;
	k->slot = slot + 1;
	k->count = (struct total){ 0 };
	k->cell = add_cell(c, key, slot);
	return &k->count;
}

struct total *
slot_counter_find_count(struct slot_counter *c, uint32_t key, uint32_t slot)
{
	const struct counter_key *k = counter_key_of(c, key);
	uint32_t cell;

	if (k->slot == 0 ||
	    slots_get(&c->slots, k->slot - 1)->number <
		slots_get(&c->slots, slot)->number)
		return begin_newest(c, key, slot);
	cell = slot_cells_find(counter_cells_of(c, slot), key);
	if (cell == SLOT_CELLS_NONE)
		cell = add_cell(c, key, slot);
	return counter_count_at(c, slot, cell);
}

static void
add_to(struct slot_counter *c, struct total *total, const struct number *x)
{
	if (x == NULL)
		sum_add_int(&c->sums, total, 1);
	else
		sum_add_number(&c->sums, total, x);
}

/* Count in any slot, and have the next ones of a slot ahead counted faster. */
static __attribute__((noinline)) void
add(struct slot_counter *c, uint32_t key, int64_t number,
    const struct number *x)
{
	bool is_last = number == c->last && c->last_slot != 0;
	uint32_t slot =
	    is_last ? c->last_slot - 1 : slots_put(&c->slots, number);
	struct counter_key *k = counter_key_of(c, key);
	struct total *count = k->slot == slot + 1 ?
	    &k->count :
	    slot_counter_find_count(c, key, slot);
	bool open = slots_get(&c->slots, slot)->open;

	c->last = number;
	c->last_slot = open ? 0 : slot + 1;
	counter_cells_of(c, slot)->touched = true;
	add_to(c, count, x);
	if (open)
		add_to(c, &k->total, x);
}

bool
slot_counter_add(struct slot_counter *c, const struct key *key, int64_t number,
    const struct number *x)
{
	struct counter_key *k;
	uint32_t id;
	bool added;

	if (key_limit_refuses(c->limit, c->keys.live, &c->keys, key))
		return false;
	id = hash_map_put_hinted(&c->keys, key->hint, key->bytes, key->spelling,
	    key->hash, &added);
	k = counter_key_of(c, id);
	if (x == NULL && number == c->last && k->slot == c->last_slot &&
	    k->slot != 0)
		sum_add_int(&c->sums, &k->count, 1);
	else
		add(c, id, number, x);
	if (c->aggregates != NULL)
		panes_add(counter_panes_of(c, id), c->aggregates, number);
	if (c->is_kept)
		id_set_add(&c->changed, id);
	return true;
}

void
slot_counter_open(struct slot_counter *c, int64_t below)
{
	uint32_t id;

	c->below = below;
	while ((id = slots_open_next(&c->slots, below)) != SLOTS_NONE) {
		const struct slot_cells *s = counter_cells_of(c, id);

		c->last_slot = 0;
		for (uint32_t cell = 0; cell < s->n; cell++) {
			struct counter_key *k =
			    counter_key_of(c, s->keys[cell]);

			sum_add(&c->sums, &k->total,
			    *counter_count_at(c, id, cell));
			open_key(c, s->keys[cell]);
		}
	}
}

static void
wipe_slot(struct slot_counter *c, uint32_t id)
{
	struct slot_cells *s = counter_cells_of(c, id);

	for (uint32_t cell = 0; cell < s->n; cell++) {
		struct counter_key *k = counter_key_of(c, s->keys[cell]);
		struct total *count = counter_count_at(c, id, cell);

		sum_sub(&c->sums, &k->total, *count);
		sum_clear(&c->sums, count);
		if (k->slot == id + 1)
			k->slot = 0;
		close_key(c, k);
	}
	c->ncells -= s->n;
	slot_cells_fini(s);
	slots_del(&c->slots, id);
}

void
slot_counter_wipe(struct slot_counter *c, int64_t below)
{
	uint32_t id;

	c->from = below;
	while ((id = slots_close_next(&c->slots, below)) != SLOTS_NONE)
		wipe_slot(c, id);
}

/* Give the keys of a set their new ids, which are not above the old ones. */
static void
rename_keys(struct id_set *s, const uint32_t *renamed)
{
	for (uint32_t id = id_set_next(s, 0); id != ID_SET_NONE;
	     id = id_set_next(s, id + 1)) {
		id_set_del(s, id);
		id_set_add(s, renamed[id]);
	}
}

/* Give the keys new ids without holes, if there are many for the cells. */
static void
compact(struct slot_counter *c)
{
	uint32_t *renamed, *ids;
	size_t n;

	if (!hash_map_is_sparse(&c->keys) ||
	    c->keys.end - c->keys.live < c->ncells / CELLS_A_HOLE)
		return;
	renamed = memory_new(c->keys.end, sizeof *renamed);
	hash_map_compact(&c->keys, renamed);
	ids = slots_list(&c->slots, &n);
	for (size_t i = 0; i < n; i++)
		slot_cells_rename(counter_cells_of(c, ids[i]), renamed);
	free(ids);
	rename_keys(&c->due, renamed);
	rename_keys(&c->changed, renamed);
	free(renamed);
}

/*
 * Move a key's aggregates to the open slots, and give their value there, or
 * NULL of a key that has none.
 */
static const void *
move_panes(struct slot_counter *c, uint32_t id, bool open)
{
	struct panes *p = counter_panes_of(c, id);

	if (open)
		return panes_window(p, c->aggregates, c->from, c->below,
		    c->scratch);
	panes_leave(p, c->aggregates, c->from);
	return NULL;
}

/* Report a key, with its aggregates if there are any. */
static void
report_key(struct slot_counter *c, uint32_t id, bool open, slot_counter_fn *fn,
    void *arg)
{
	struct total total = counter_key_of(c, id)->total;
	struct span label = hash_map_label(&c->keys, id);
	const void *value = NULL;

	if (c->aggregates != NULL)
		value = move_panes(c, id, open);
	fn(arg, label, total, value, !open);
	if (value == NULL)
		return;
	if (value == c->scratch)
		aggregates_drop(c->aggregates, c->scratch);
	if (!c->is_kept)
		panes_leave(counter_panes_of(c, id), c->aggregates,
		    c->from + 1);
}

void
slot_counter_report(struct slot_counter *c, slot_counter_fn *fn, void *arg)
{
	for (uint32_t id = id_set_next(&c->due, 0); id != ID_SET_NONE;
	     id = id_set_next(&c->due, id + 1)) {
		struct counter_key *k = counter_key_of(c, id);
		bool open = k->open_or_shown >= KEY_OPEN;

		if (k->open_or_shown != 0)
			report_key(c, id, open, fn, arg);
		counter_set_shown(c, k, open);
		if (!open)
			id_set_del(&c->due, id);
		if (k->slot != 0)
			continue;
		free_panes(c, id);
		hash_map_del(&c->keys, id);
		if (c->is_kept)
			id_set_del(&c->changed, id);
	}
	compact(c);
}

int64_t
slot_counter_first(const struct slot_counter *c)
{
	return slots_first(&c->slots);
}

bool
slot_counter_next(const struct slot_counter *c, int64_t *slot)
{
	*slot = slots_first_ahead(&c->slots);
	return *slot != INT64_MAX;
}
