/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/packed.h"
#include "base/prefetch.h"
#include "state/persistent_map_internal.h"

enum { BATCH_FORM = 1 };

/* Entries are fetched so many rows before they are saved. */
enum { ENTRIES_AHEAD = 8 };

struct prefix {
	struct persistent_map *m;
	const struct key *key;
	struct span spelling;
};

static void
fill_prefix(void *arg, size_t i, struct stored_value *row)
{
	const struct prefix *p = arg;

	(void)i;
	stored_key_columns(p->key->bytes, p->m->nprefix, row);
}

/* The columns of a row that are not the type's. */
static const struct stored_value *
touched_column(const struct persistent_map *m, const struct stored_value *row)
{
	return &row[m->nkeys + m->type->ncolumns];
}

/* Read the key of a row, and when it was touched. */
static int64_t
read_key(struct persistent_map *m, const struct stored_value *row)
{
	const struct stored_value *touched = touched_column(m, row);

	if (!store_int_is(touched, 1, m->touched) ||
	    !stored_key_read(&m->key, row, m->nkeys, touched + 1))
		store_table_damaged(m->table);
	return touched->i;
}

/* Cut the spelling of a row's whole key down to that of its first parts. */
static void
found_prefix(void *arg, size_t i, const struct stored_value *row)
{
	struct prefix *p = arg;
	struct persistent_map *m = p->m;
	struct span spelling, rest;

	(void)i;
	read_key(m, row);
	spelling = rest = m->key.key.spelling;
	for (size_t k = 0; k < m->nprefix; k++)
		key_next_part(&rest);
	m->scratch.n = 0;
	buffer_put(&m->scratch,
	    (struct span){ spelling.p, spelling.n - rest.n - 1 });
	p->spelling = buffer_span(&m->scratch);
}

struct span
persistent_map_spelling(struct persistent_map *m, const struct key *key)
{
	uint32_t id =
	    hash_map_get_hinted(&m->prefixes, key->hint, key->bytes, key->hash);
	struct prefix p = { m, key, key->spelling };
	bool added;

	if (id == HASH_MAP_NONE) {
		if (m->by_prefix != NULL && !m->complete)
			store_table_get(m->by_prefix, 1, fill_prefix,
			    found_prefix, &p);
		id = hash_map_put(&m->prefixes, key->bytes, p.spelling,
		    key->hash, &added);
	}
	return hash_map_label(&m->prefixes, id);
}

static void
fill_key(void *arg, size_t i, struct stored_value *row)
{
	struct persistent_map *m = arg;

	stored_key_columns(m->selected.places[i].bytes, m->nkeys, row);
}

/* Use the spelling that the store has, if it is another one. */
static void
respell(struct persistent_map *m, uint32_t id, struct span spelling)
{
	if (span_eq(persistent_spelling_of(m, id), spelling))
		return;
	m->others = memory_grow(m->others, &m->others_cap, m->nothers + 1,
	    sizeof *m->others);
	m->others[m->nothers++] = span_dup(spelling);
	m->notes[id].other = (uint32_t)m->nothers;
}

/* Fold in a row whose key has been read. */
static void
fold_row(struct persistent_map *m, uint32_t id, const struct stored_value *row)
{
	struct persistent_note *n = &m->notes[id];
	int64_t touched = touched_column(m, row)->i;

	if (touched > m->ended || n->touched == 0)
		n->touched = touched;
	if (m->type->once)
		id_set_del(&m->dirty, id);
	respell(m, id, m->key.key.spelling);
	if (!m->type->fold(m->self, persistent_value_of(m, id), row))
		store_table_damaged(m->table);
}

static void
found(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;

	read_key(m, row);
	fold_row(m, m->selected.places[i].id, row);
}

void
persistent_map_load(struct persistent_map *m)
{
	if (m->nfresh == 0)
		return;
	m->selected.n = 0;
	for (size_t i = 0; i < m->nfresh; i++)
		persistent_map_select(m, m->fresh[i]);
	row_order_sort(&m->selected);
	store_table_get(m->table, m->selected.n, fill_key, found, m);
	m->selected.n = m->nfresh = 0;
}

/* Take in a row as it is. */
static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;
	const struct key *key = &m->key.key;
	bool added;
	uint32_t id;

	(void)i;
	read_key(m, row);
	id = hash_map_put(&m->keys, key->bytes, key->spelling, key->hash,
	    &added);
	if (!added)
		store_table_damaged(m->table);
	persistent_map_begin_note(m, id);
	fold_row(m, id, row);
}

/* The same in the order in which keys were touched, each at another time. */
static void
take_touched_row(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;

	take_row(m, i, row);
	if (i != 0 &&
	    m->notes[m->keys.end - 2].touched >=
		m->notes[m->keys.end - 1].touched)
		store_table_damaged(m->table);
}

/* See whether a row can be taken in. */
static void
check_row(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;
	void *value;

	(void)i;
	read_key(m, row);
	m->scratch.n = 0;
	value = buffer_room(&m->scratch, m->type->size);
	memset(value, 0, m->type->size);
	if (!m->type->fold(m->self, value, row))
		store_table_damaged(m->table);
	m->type->drop(m->self, value);
}

/* The open batch: how many tuples, and its keys as they came. */
static void
put_batch(struct persistent_map *m, struct buffer *b)
{
	pack_form(b, BATCH_FORM);
	pack_int(b, m->ntuples);
	for (size_t i = 0; i < m->nbatch; i++) {
		pack_bytes(b, hash_map_key(&m->keys, m->batch[i]));
		pack_bytes(b, persistent_spelling_of(m, m->batch[i]));
	}
}

/*
 * Open a batch again; the values of its keys are in the store.  False: it is
 * none.
 */
static bool
take_batch(struct persistent_map *m, struct span packed)
{
	struct unpacker u = unpack_form(packed, BATCH_FORM);
	const struct key *key = &m->key.key;

	m->nbatch = 0;
	m->ntuples = unpack_int(&u, 0, PACKED_MOST);
	while (unpack_more(&u)) {
		struct span bytes = unpack_bytes(&u);
		bool added;
		uint32_t id;

		if (!stored_key_check(&m->key, bytes, unpack_bytes(&u),
			m->nkeys))
			return false;
		id = hash_map_put(&m->keys, key->bytes, key->spelling,
		    key->hash, &added);
		if (!added)
			return false;
		persistent_map_append(&m->fresh, &m->nfresh, &m->fresh_cap, id);
		persistent_map_begin_note(m, id);
		persistent_map_add_to_batch(m, id);
	}
	/* A tuple can have several keys, as an interval has slices. */
	return unpack_done(&u) && (m->ntuples != 0 || m->nbatch == 0);
}

/* Take in all rows now, since whoever reads the output may be slow. */
static void
take_all(struct persistent_map *m, struct store *s)
{
	persistent_map_drop_all(m);
	store_table_scan(m->table, STORE_TABLE_KEY, take_row, m);
	store_commit(s);
}

/* Go on with the batch that was open, if there was one. */
static void
restore_batch(struct persistent_map *m, struct store *s)
{
	struct buffer batch = { 0 };
	bool good = store_get_value(s, "batch", &batch);

	if (good && m->changes && batch.n != 0) {
		good = take_batch(m, buffer_span(&batch));
		persistent_map_load(m);
		for (size_t i = 0; i < m->nbatch; i++)
			good = good && m->notes[m->batch[i]].touched != 0;
	}
	if (!good)
		store_damaged(s, "batch");
	buffer_fini(&batch);
}

static void
open_tables(struct persistent_map *m, struct store *s, const struct span *names)
{
	size_t n = m->nkeys + m->type->ncolumns;
	struct span *all = memory_new(n + 2, sizeof *all);

	memcpy(all, names, n * sizeof *all);
	all[n] = SPAN("_touched");
	all[n + 1] = SPAN("_spelling");
	m->table = store_table(s, PART_ITSELF, all, m->nkeys, n + 2);
	if (m->nprefix != 0)
		m->by_prefix =
		    store_table(s, PART_ITSELF, all, m->nprefix, n + 2);
	free(all);
}

void
persistent_map_restore(struct persistent_map *m, struct store *s,
    const struct span *names)
{
	open_tables(m, s, names);
	m->complete = store_is_new(s);
	if (m->complete)
		return;
	m->touched = store_get_int_within(s, "touched", 0, PACKED_MOST);
	m->ended = store_get_int_within(s, "ended", 0, m->touched);
	m->complete = m->touched == 0;
	/* Where it is to be empty, there is nothing to look at. */
	if (m->complete || store_checks_rows(s))
		store_table_scan(m->table, STORE_TABLE_KEY, check_row, m);
	if (!m->changes && m->touched > m->ended)
		store_table_scan_above(m->table, m->nkeys + m->type->ncolumns,
		    m->ended, take_touched_row, m);
	restore_batch(m, s);
	if (store_is_read_only(s))
		take_all(m, s);
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	struct persistent_map *m = arg;
	const struct row_place *p = &m->selected.places[i];
	struct span spelling = persistent_spelling_of(m, p->id);
	size_t n = m->nkeys + m->type->ncolumns;

	/* In the order of keys they lie anywhere. */
	if (i + ENTRIES_AHEAD < m->selected.n) {
		uint32_t next = m->selected.places[i + ENTRIES_AHEAD].id;

		prefetch(persistent_value_of(m, next), m->keys.stride);
		prefetch(&m->notes[next], sizeof *m->notes);
	}
	stored_key_columns(p->bytes, m->nkeys, row);
	m->type->save(m->self, persistent_value_of(m, p->id), row + m->nkeys);
	row[n] = stored_value_of_int(m->notes[p->id].touched);
	row[n + 1] = stored_key_spelling(p->bytes, spelling);
}

void
persistent_map_save(struct persistent_map *m, struct store *s)
{
	struct buffer batch = { 0 };
	uint32_t id = 0;

	persistent_map_load(m);
	while ((id = id_set_next(&m->dirty, id)) != ID_SET_NONE) {
		persistent_map_select(m, id);
		id_set_del(&m->dirty, id);
	}
	row_order_sort(&m->selected);
	store_table_put(m->table, m->selected.n, fill_row, m);
	m->selected.n = 0;
	if (m->changes)
		put_batch(m, &batch);
	store_put_value(s, "batch", buffer_span(&batch));
	store_put_int(s, "touched", m->touched);
	store_put_int(s, "ended", m->ended);
	if (m->changes && m->keys.live > PERSISTENT_MAP_HELD) {
		persistent_map_drop_all(m);
		m->complete = false;
		take_batch(m, buffer_span(&batch));
	}
	buffer_fini(&batch);
}

void
persistent_map_dump(struct persistent_map *m)
{
	m->by_key = true;
	persistent_map_report_all(m);
}
