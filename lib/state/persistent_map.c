/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "state/persistent_map_internal.h"

void
persistent_map_init(struct persistent_map *m)
{
	hash_map_init(&m->keys, m->type->size);
	hash_map_init(&m->prefixes, 0);
	m->nbatches = 1;
}

void
persistent_map_drop_all(struct persistent_map *m)
{
	for (uint32_t id = 0; id < m->keys.end; id++)
		m->type->drop(m->self, persistent_value_of(m, id));
	for (size_t i = 0; i < m->nothers; i++)
		span_free(m->others[i]);
	m->nothers = 0;
	hash_map_clear(&m->keys);
	hash_map_clear(&m->prefixes);
}

void
persistent_map_fini(struct persistent_map *m)
{
	persistent_map_drop_all(m);
	hash_map_fini(&m->keys);
	hash_map_fini(&m->prefixes);
	free(m->batch);
	free(m->fresh);
	id_set_fini(&m->dirty);
	free(m->notes);
	row_order_fini(&m->selected);
	free(m->others);
	stored_key_fini(&m->key);
	buffer_fini(&m->scratch);
}

void
persistent_map_append(uint32_t **ids, size_t *n, size_t *cap, uint32_t id)
{
	*ids = memory_grow(*ids, cap, *n + 1, sizeof **ids);
	(*ids)[(*n)++] = id;
}

/* A key that was not in the map. */
static void
begin_key(struct persistent_map *m, uint32_t id)
{
	if (m->table == NULL || m->complete)
		return;
	persistent_map_append(&m->fresh, &m->nfresh, &m->fresh_cap, id);
}

void
persistent_map_add_to_batch(struct persistent_map *m, uint32_t id)
{
	m->notes[id].batch = m->nbatches;
	persistent_map_append(&m->batch, &m->nbatch, &m->batch_cap, id);
}

void
persistent_map_begin_note(struct persistent_map *m, uint32_t id)
{
	m->notes = memory_grow(m->notes, &m->notes_cap, (size_t)id + 1,
	    sizeof *m->notes);
	m->notes[id] = (struct persistent_note){ 0 };
}

void *
persistent_map_touch(struct persistent_map *m, const struct key *key)
{
	void *value;
	uint32_t id;
	bool added;

	if (key_limit_refuses(m->limit, m->keys.live, &m->keys, key))
		return NULL;
	id = hash_map_put_hinted(&m->keys, key->hint, key->bytes, key->spelling,
	    key->hash, &added);
	value = persistent_value_of(m, id);
	if (!m->changes && m->table == NULL)
		return value;
	if (added) {
		persistent_map_begin_note(m, id);
		m->notes[id].touched = ++m->touched;
		begin_key(m, id);
	}
	if (m->changes && m->notes[id].batch != m->nbatches)
		persistent_map_add_to_batch(m, id);
	if (m->table != NULL && (added || !m->type->once))
		id_set_add(&m->dirty, id);
	return value;
}

void
persistent_map_select(struct persistent_map *m, uint32_t id)
{
	row_order_add(&m->selected, 0, hash_map_key(&m->keys, id), id);
}

static int
by_key(const void *a, const void *b)
{
	const struct row_place *x = a, *y = b;

	return key_cmp(x->bytes, y->bytes);
}

static void
report(struct persistent_map *m, uint32_t id)
{
	m->type->report(m->self, persistent_spelling_of(m, id),
	    persistent_value_of(m, id));
}

static void
report_selected(struct persistent_map *m)
{
	struct row_order *o = &m->selected;

	if (m->by_key && o->n != 0)
		qsort(o->places, o->n, sizeof *o->places, by_key);
	for (size_t i = 0; i < o->n; i++)
		report(m, o->places[i].id);
	o->n = 0;
}

void
persistent_map_report_all(struct persistent_map *m)
{
	for (uint32_t id = 0; id < m->keys.end; id++)
		if (m->by_key)
			persistent_map_select(m, id);
		else
			report(m, id);
	report_selected(m);
}

void
persistent_map_end_batch(struct persistent_map *m)
{
	persistent_map_load(m);
	if (m->changes) {
		for (size_t i = 0; i < m->nbatch; i++)
			persistent_map_select(m, m->batch[i]);
		report_selected(m);
	}
	m->nbatch = 0;
	m->ntuples = 0;
	m->nbatches++;
}

void
persistent_map_count(struct persistent_map *m)
{
	if (++m->ntuples >= m->batch_size)
		persistent_map_end_batch(m);
}

void
persistent_map_finish(struct persistent_map *m)
{
	persistent_map_end_batch(m);
	m->ended = m->touched;
	if (!m->changes)
		persistent_map_report_all(m);
}
