/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "window/slot_counter_internal.h"

void
slot_counter_each_key(struct slot_counter *c, uint32_t from,
    slot_counter_key_fn *fn, void *arg)
{
	for (uint32_t id = from; id < c->keys.end; id++)
		if (hash_map_is_live(&c->keys, id))
			fn(arg, id,
			    (counter_key_of(c, id)->open_or_shown &
				KEY_SHOWN) != 0);
}

void
slot_counter_each_touched(struct slot_counter *c, slot_counter_cell_fn *fn,
    void *arg)
{
	size_t n;
	uint32_t *ids = slots_list(&c->slots, &n);

	for (size_t i = 0; i < n; i++) {
		struct slot_cells *s = counter_cells_of(c, ids[i]);
		int64_t number = slots_get(&c->slots, ids[i])->number;

		if (!s->touched)
			continue;
		s->touched = false;
		for (uint32_t cell = 0; cell < s->n; cell++)
			if (id_set_has(&c->changed, s->keys[cell]))
				fn(arg, s->keys[cell], number,
				    *counter_count_at(c, ids[i], cell));
	}
	free(ids);
	id_set_fini(&c->changed);
	/* The next one counted in the same slot touches it again. */
	c->last_slot = 0;
}

bool
slot_counter_put_key(struct slot_counter *c, const struct key *key, bool shown)
{
	bool added;
	uint32_t id = hash_map_put(&c->keys, key->bytes, key->spelling,
	    key->hash, &added);

	counter_set_shown(c, counter_key_of(c, id), shown);
	id_set_add(&c->due, id);
	return added;
}

/* Tell whether a slot has a cell of the key. */
static bool
has_cell(struct slot_counter *c, uint32_t key, uint32_t slot)
{
	const struct counter_key *k = counter_key_of(c, key);

	/* The slots of a key are never newer than its newest. */
	return k->slot == slot + 1 ||
	    (k->slot != 0 &&
		slots_get(&c->slots, k->slot - 1)->number >
		    slots_get(&c->slots, slot)->number &&
		slot_cells_find(counter_cells_of(c, slot), key) !=
		    SLOT_CELLS_NONE);
}

bool
slot_counter_put_cell(struct slot_counter *c, const struct key *key,
    int64_t slot, struct total count, void **value)
{
	uint32_t id = hash_map_get(&c->keys, key->bytes, key->hash), place;

	if (id == HASH_MAP_NONE)
		return false;
	place = slots_put(&c->slots, slot);
	if (has_cell(c, id, place))
		return false;
	*slot_counter_find_count(c, id, place) = count;
	if (c->aggregates != NULL)
		*value = slot_counter_value(c, id, slot);
	return true;
}

void *
slot_counter_value(struct slot_counter *c, uint32_t key, int64_t slot)
{
	return panes_value(counter_panes_of(c, key), c->aggregates, slot);
}
