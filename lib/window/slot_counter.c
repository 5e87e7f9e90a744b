/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "window/slot_counter.h"

/*
 * What is kept of a key.  The key itself begins where the padding would be,
 * so that nothing ever assigns to a whole one.
 */
struct state {
	struct total total;	/* over the open slots */
	struct total count;	/* in its newest slot */
	uint32_t slot;		/* the newest slot's id, plus 1; 0: none */
	uint32_t cell;		/* its cell there */
	uint32_t open_or_shown; /* OPEN for each open slot that has it */
};

enum {
	SHOWN = 1,
	OPEN = 2,
	STATE_BYTES = offsetof(struct state, open_or_shown) + sizeof(uint32_t),
};

void
slot_counter_init(struct slot_counter *c)
{
	*c = (struct slot_counter){ 0 };
	hash_map_init(&c->keys, STATE_BYTES);
}

static void
free_slot(struct slot_counter *c, uint32_t id)
{
	struct slot *s = &c->slots[id];

	free(s->keys);
	free(s->counts);
	free(s->index);
	*s = (struct slot){ .next_free = c->free };
	c->free = id + 1;
}

void
slot_counter_fini(struct slot_counter *c)
{
	for (size_t i = 0; i < c->open.n; i++)
		free_slot(c, c->open.ids[c->open.first + i]);
	for (size_t i = 0; i < c->ahead.n; i++)
		free_slot(c, c->ahead.ids[c->ahead.first + i]);
	free(c->open.ids);
	free(c->ahead.ids);
	free(c->slots);
	hash_map_fini(&c->keys);
	sum_pool_fini(&c->sums);
}

/* One more open slot has the key, or one less. */
static void
open_key(struct slot_counter *c, struct state *k)
{
	c->nopen += k->open_or_shown < OPEN;
	k->open_or_shown += OPEN;
}

static void
close_key(struct slot_counter *c, struct state *k)
{
	k->open_or_shown -= OPEN;
	c->nopen -= k->open_or_shown < OPEN;
}

static void
set_shown(struct slot_counter *c, struct state *k, bool shown)
{
	c->nshown -= k->open_or_shown & SHOWN;
	k->open_or_shown = (k->open_or_shown & ~(uint32_t)SHOWN) | shown;
	c->nshown += shown;
}

static struct state *
state_of(const struct slot_counter *c, uint32_t key)
{
	return hash_map_value(&c->keys, key);
}

/* Where in the list the slot of that number is, or belongs. */
static size_t
position(const struct slot_counter *c, const struct slot_list *l,
    int64_t number)
{
	const uint32_t *ids;
	size_t low = 0, high = l->n;
	int64_t back;

	if (high == 0)
		return 0;
	ids = l->ids + l->first;
	/* Most lists have no gaps and are asked for their end. */
	back = c->slots[ids[high - 1]].number - number;
	if (back < 0)
		return high;
	if (back < (int64_t)high &&
	    c->slots[ids[high - 1 - (size_t)back]].number == number)
		return high - 1 - (size_t)back;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->slots[ids[middle]].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
insert(struct slot_list *l, size_t at, uint32_t id)
{
	if (l->first + l->n == l->cap && l->first > l->n) {
		memmove(l->ids, l->ids + l->first, l->n * sizeof *l->ids);
		l->first = 0;
	}
	l->ids =
	    memory_grow(l->ids, &l->cap, l->first + l->n + 1, sizeof *l->ids);
	memmove(l->ids + l->first + at + 1, l->ids + l->first + at,
	    (l->n - at) * sizeof *l->ids);
	l->ids[l->first + at] = id;
	l->n++;
}

static uint32_t
take_first(struct slot_list *l)
{
	l->n--;
	return l->ids[l->first++];
}

/* The id of the slot of that number, if it is in the list. */
static bool
find_in(const struct slot_counter *c, const struct slot_list *l, int64_t number,
    uint32_t *id)
{
	size_t at = position(c, l, number);

	if (at == l->n)
		return false;
	*id = l->ids[l->first + at];
	return c->slots[*id].number == number;
}

static uint32_t
slot_of(struct slot_counter *c, int64_t number)
{
	uint32_t id;

	if (find_in(c, &c->ahead, number, &id) ||
	    find_in(c, &c->open, number, &id))
		return id;
	if (c->free != 0) {
		id = c->free - 1;
		c->free = c->slots[id].next_free;
	} else {
		c->slots = memory_grow(c->slots, &c->cap, c->nslots + 1,
		    sizeof *c->slots);
		id = (uint32_t)c->nslots++;
	}
	c->slots[id] = (struct slot){ .number = number };
	insert(&c->ahead, position(c, &c->ahead, number), id);
	return id;
}

/* Where the index has the key's cell, or where it belongs. */
static uint32_t *
index_entry(const struct slot *s, uint32_t key)
{
	uint32_t i = key * 2654435769U >> 7 & s->index_mask;

	while (s->index[i] != 0 && s->keys[s->index[i] - 1] != key)
		i = (i + 1) & s->index_mask;
	return &s->index[i];
}

static void
build_index(struct slot *s)
{
	size_t size = 16;

	while (size < s->n * 4)
		size *= 2;
	free(s->index);
	s->index = memory_new(size, sizeof *s->index);
	s->index_mask = (uint32_t)(size - 1);
	for (uint32_t cell = 0; cell < s->n; cell++)
		*index_entry(s, s->keys[cell]) = cell + 1;
}

/* The key's cell in s; s->n where it has none. */
static uint32_t
cell_of(struct slot *s, uint32_t key)
{
	uint32_t cell;

	if (s->index == NULL)
		build_index(s);
	cell = *index_entry(s, key);
	return cell == 0 ? (uint32_t)s->n : cell - 1;
}

static uint32_t
add_cell(struct slot *s, uint32_t key)
{
	uint32_t cell = (uint32_t)s->n;

	s->keys = memory_grow(s->keys, &s->cap, s->n + 1, sizeof *s->keys);
	s->keys[s->n++] = key;
	if (s->index != NULL) {
		if (s->n > s->index_mask / 2)
			build_index(s);
		else
			*index_entry(s, key) = cell + 1;
	}
	return cell;
}

/* The place of a count that is not in its key's entry. */
static struct total *
cell_count(struct slot *s, uint32_t cell)
{
	size_t old = s->ncounts;

	s->counts =
	    memory_grow(s->counts, &s->ncounts, s->n, sizeof *s->counts);
	memset(s->counts + old, 0, (s->ncounts - old) * sizeof *s->counts);
	return &s->counts[cell];
}

/* The place of the count of a cell of the slot. */
static struct total *
count_at(struct slot_counter *c, uint32_t slot, uint32_t cell)
{
	struct slot *s = &c->slots[slot];
	struct state *k = state_of(c, s->keys[cell]);

	return k->slot == slot + 1 ? &k->count : cell_count(s, cell);
}

/*
 * Find the place of the count of a key in a slot other than its newest so
 * far, which the slot becomes if it is newer.
 */
static struct total *
count_elsewhere(struct slot_counter *c, uint32_t key, uint32_t slot)
{
	struct slot *s = &c->slots[slot];
	struct state *k = state_of(c, key);
	struct slot *newest = k->slot == 0 ? NULL : &c->slots[k->slot - 1];
	uint32_t cell;

	if (newest != NULL && newest->number > s->number) {
		cell = cell_of(s, key);
		if (cell < s->n)
			return cell_count(s, cell);
		add_cell(s, key);
	} else {
		if (newest != NULL)
			*cell_count(newest, k->cell) = k->count;
		k->slot = slot + 1;
		k->count = (struct total){ 0 };
		k->cell = cell = add_cell(s, key);
	}
	if (s->open)
		open_key(c, k);
	return k->slot == slot + 1 ? &k->count : cell_count(s, cell);
}

/* Count in any slot, and have the next ones of a slot ahead counted faster. */
static __attribute__((noinline)) void
add(struct slot_counter *c, uint32_t key, int64_t number,
    const struct number *x)
{
	struct state *k = state_of(c, key);
	uint32_t slot;
	struct total *count;

	if (k->slot != 0 && c->slots[k->slot - 1].number == number) {
		slot = k->slot - 1;
		count = &k->count;
	} else {
		slot = slot_of(c, number);
		count = count_elsewhere(c, key, slot);
	}
	c->last = number;
	c->last_slot = c->slots[slot].open ? 0 : slot + 1;
	if (x == NULL)
		sum_add_int(&c->sums, count, 1);
	else
		sum_add_number(&c->sums, count, x);
	if (!c->slots[slot].open)
		return;
	if (x == NULL)
		sum_add_int(&c->sums, &k->total, 1);
	else
		sum_add_number(&c->sums, &k->total, x);
}

void
slot_counter_add(struct slot_counter *c, const struct key *key, int64_t number,
    const struct number *x)
{
	bool added;
	uint32_t id = hash_map_put_hinted(&c->keys, key->hint, key->bytes,
	    key->spelling, key->hash, &added);
	struct state *k = state_of(c, id);

	if (x == NULL && number == c->last && k->slot == c->last_slot &&
	    k->slot != 0)
		sum_add_int(&c->sums, &k->count, 1);
	else
		add(c, id, number, x);
}

void
slot_counter_open(struct slot_counter *c, int64_t below)
{
	while (c->ahead.n != 0) {
		uint32_t id = c->ahead.ids[c->ahead.first];
		struct slot *s = &c->slots[id];

		if (s->number >= below)
			break;
		take_first(&c->ahead);
		c->last_slot = 0;
		insert(&c->open, position(c, &c->open, s->number), id);
		s->open = true;
		for (uint32_t cell = 0; cell < s->n; cell++) {
			struct state *k = state_of(c, s->keys[cell]);

			sum_add(&c->sums, &k->total, *count_at(c, id, cell));
			open_key(c, k);
		}
	}
}

/* Add up anew what the open slots have of a key. */
static void
add_up(struct slot_counter *c, uint32_t key)
{
	struct state *k = state_of(c, key);

	sum_clear(&c->sums, &k->total);
	for (size_t i = 0; i < c->open.n; i++) {
		uint32_t id = c->open.ids[c->open.first + i];
		uint32_t cell = cell_of(&c->slots[id], key);

		if (cell < c->slots[id].n)
			sum_add(&c->sums, &k->total, *count_at(c, id, cell));
	}
}

static void
wipe_slot(struct slot_counter *c, uint32_t id)
{
	struct slot *s = &c->slots[id];

	for (uint32_t cell = 0; cell < s->n; cell++) {
		struct state *k = state_of(c, s->keys[cell]);
		struct total *count = count_at(c, id, cell);
		bool good = sum_sub(&c->sums, &k->total, *count);

		sum_clear(&c->sums, count);
		if (k->slot == id + 1)
			k->slot = 0;
		close_key(c, k);
		if (k->open_or_shown < OPEN) {
			sum_clear(&c->sums, &k->total);
		} else if (!good) {
			add_up(c, s->keys[cell]);
		}
	}
	free_slot(c, id);
}

void
slot_counter_wipe(struct slot_counter *c, int64_t below)
{
	while (c->open.n != 0 &&
	    c->slots[c->open.ids[c->open.first]].number < below)
		wipe_slot(c, take_first(&c->open));
}

/* Give the keys new ids without holes. */
static void
compact(struct slot_counter *c)
{
	uint32_t *renamed = memory_new(c->keys.end, sizeof *renamed);

	hash_map_compact(&c->keys, renamed);
	for (size_t i = 0; i < c->nslots; i++) {
		struct slot *s = &c->slots[i];

		for (size_t cell = 0; cell < s->n; cell++)
			s->keys[cell] = renamed[s->keys[cell]];
		free(s->index);
		s->index = NULL;
	}
	free(renamed);
}

void
slot_counter_report(struct slot_counter *c, slot_counter_fn *fn, void *arg)
{
	for (uint32_t id = 0; id < c->keys.end; id++) {
		struct state *k;

		if (!hash_map_is_live(&c->keys, id))
			continue;
		k = state_of(c, id);
		if (k->open_or_shown != 0)
			fn(arg, hash_map_label(&c->keys, id), k->total,
			    k->open_or_shown < OPEN);
		set_shown(c, k, k->open_or_shown >= OPEN);
		if (k->slot == 0)
			hash_map_del(&c->keys, id);
	}
	if (hash_map_is_sparse(&c->keys))
		compact(c);
}

void
slot_counter_each_key(struct slot_counter *c, uint32_t from,
    slot_counter_key_fn *fn, void *arg)
{
	for (uint32_t id = from; id < c->keys.end; id++)
		if (hash_map_is_live(&c->keys, id))
			fn(arg, id, state_of(c, id)->total,
			    (state_of(c, id)->open_or_shown & SHOWN) != 0);
}

static void
each_cell_in(struct slot_counter *c, const struct slot_list *l, int64_t from,
    slot_counter_cell_fn *fn, void *arg)
{
	for (size_t i = position(c, l, from); i < l->n; i++) {
		uint32_t id = l->ids[l->first + i];

		for (uint32_t cell = 0; cell < c->slots[id].n; cell++)
			fn(arg, c->slots[id].keys[cell], c->slots[id].number,
			    *count_at(c, id, cell));
	}
}

void
slot_counter_each_cell(struct slot_counter *c, int64_t from,
    slot_counter_cell_fn *fn, void *arg)
{
	each_cell_in(c, &c->open, from, fn, arg);
	each_cell_in(c, &c->ahead, from, fn, arg);
}

void
slot_counter_put_key(struct slot_counter *c, const struct key *key, bool shown)
{
	bool added;
	uint32_t id = hash_map_put(&c->keys, key->bytes, key->spelling,
	    key->hash, &added);

	set_shown(c, state_of(c, id), shown);
}

void
slot_counter_put_cell(struct slot_counter *c, const struct key *key,
    int64_t slot, struct total count)
{
	uint32_t id = hash_map_get(&c->keys, key->bytes, key->hash);

	if (id != HASH_MAP_NONE)
		*count_elsewhere(c, id, slot_of(c, slot)) = count;
}

void
slot_counter_put_total(struct slot_counter *c, const struct key *key,
    struct total total)
{
	uint32_t id = hash_map_get(&c->keys, key->bytes, key->hash);

	if (id == HASH_MAP_NONE)
		return;
	sum_clear(&c->sums, &state_of(c, id)->total);
	state_of(c, id)->total = total;
}

static int64_t
first_of(const struct slot_counter *c, const struct slot_list *l)
{
	return l->n == 0 ? INT64_MAX : c->slots[l->ids[l->first]].number;
}

int64_t
slot_counter_first(const struct slot_counter *c)
{
	int64_t open = first_of(c, &c->open), ahead = first_of(c, &c->ahead);

	return open < ahead ? open : ahead;
}

bool
slot_counter_next(const struct slot_counter *c, int64_t *slot)
{
	if (c->ahead.n == 0)
		return false;
	*slot = c->slots[c->ahead.ids[c->ahead.first]].number;
	return true;
}
