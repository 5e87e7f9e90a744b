/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "state/persistent_map.h"

/* What lies before each value. */
struct entry {
	int64_t touched;
	uint32_t batch;	     /* the last one that touched it */
	unsigned other : 31; /* its spelling in others, plus 1 */
	unsigned dirty : 1;
};

static struct entry *
entry_of(const struct persistent_map *m, uint32_t id)
{
	return hash_map_value(&m->keys, id);
}

static void *
value_of(const struct persistent_map *m, uint32_t id)
{
	return entry_of(m, id) + 1;
}

static struct span
spelling_of(const struct persistent_map *m, uint32_t id)
{
	uint32_t other = entry_of(m, id)->other;

	return other == 0 ? hash_map_label(&m->keys, id) : m->others[other - 1];
}

void
persistent_map_init(struct persistent_map *m)
{
	hash_map_init(&m->keys, sizeof(struct entry) + m->type->size);
	hash_map_init(&m->prefixes, 0);
	m->nbatches = 1;
}

static void
drop_all(struct persistent_map *m)
{
	for (uint32_t id = 0; id < m->keys.end; id++)
		m->type->drop(m->self, value_of(m, id));
	for (size_t i = 0; i < m->nothers; i++)
		span_free(m->others[i]);
	m->nothers = 0;
	hash_map_clear(&m->keys);
}

void
persistent_map_fini(struct persistent_map *m)
{
	drop_all(m);
	hash_map_fini(&m->keys);
	hash_map_fini(&m->prefixes);
	free(m->batch);
	free(m->fresh);
	free(m->dirty);
	free(m->sorted);
	free(m->others);
	key_fini(&m->key);
	buffer_fini(&m->scratch);
}

static void
append(uint32_t **ids, size_t *n, size_t *cap, uint32_t id)
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
	append(&m->fresh, &m->nfresh, &m->fresh_cap, id);
}

/* Count the key among those of the batch. */
static void
add_to_batch(struct persistent_map *m, uint32_t id)
{
	entry_of(m, id)->batch = m->nbatches;
	append(&m->batch, &m->nbatch, &m->batch_cap, id);
}

void *
persistent_map_touch(struct persistent_map *m, const struct key *key)
{
	bool added;
	uint32_t id = hash_map_put_hinted(&m->keys, key->hint, key->bytes,
	    key->spelling, key->hash, &added);
	struct entry *e = entry_of(m, id);

	if (added) {
		e->touched = ++m->touched;
		begin_key(m, id);
	}
	if (m->changes && e->batch != m->nbatches)
		add_to_batch(m, id);
	if (m->table != NULL && !e->dirty) {
		e->dirty = true;
		append(&m->dirty, &m->ndirty, &m->dirty_cap, id);
	}
	return e + 1;
}

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
	key_columns(p->key->bytes, p->m->nprefix, row);
}

/* Cut the spelling of a row's whole key down to that of its first parts. */
static void
found_prefix(void *arg, size_t i, const struct stored_value *row)
{
	struct prefix *p = arg;
	const struct stored_value *c =
	    &row[p->m->nkeys + p->m->type->ncolumns + 1];
	struct span rest = c->bytes;

	(void)i;
	p->spelling = p->key->bytes;
	if (c->kind != STORED_BLOB)
		return;
	for (size_t k = 0; k < p->m->nprefix; k++)
		key_next_part(&rest);
	p->m->scratch.n = 0;
	buffer_put(&p->m->scratch,
	    (struct span){ c->bytes.p, c->bytes.n - rest.n - 1 });
	p->spelling = buffer_span(&p->m->scratch);
}

struct span
persistent_map_spelling(struct persistent_map *m, const struct key *key)
{
	uint32_t id = hash_map_get(&m->prefixes, key->bytes, key->hash);
	struct prefix p = { m, key, key->spelling };
	bool added;

	if (id == HASH_MAP_NONE) {
		if (m->by_prefix != NULL)
			store_table_get(m->by_prefix, 1, fill_prefix,
			    found_prefix, &p);
		id = hash_map_put(&m->prefixes, key->bytes, p.spelling,
		    key->hash, &added);
	}
	return hash_map_label(&m->prefixes, id);
}

/* Select a key for sorting. */
static void
select_key(struct persistent_map *m, uint32_t id)
{
	m->sorted = memory_grow(m->sorted, &m->sorted_cap, m->nsorted + 1,
	    sizeof *m->sorted);
	m->sorted[m->nsorted++] =
	    (struct persistent_key){ hash_map_key(&m->keys, id), id };
}

static int
by_key(const void *a, const void *b)
{
	const struct persistent_key *x = a, *y = b;

	return key_cmp(x->bytes, y->bytes);
}

/* The order of the database's tree, nearly, and quicker to tell. */
static int
by_bytes(const void *a, const void *b)
{
	const struct persistent_key *x = a, *y = b;

	return span_cmp(x->bytes, y->bytes);
}

static void
report(struct persistent_map *m, uint32_t id)
{
	m->type->report(m->self, spelling_of(m, id), value_of(m, id));
}

static void
report_selected(struct persistent_map *m)
{
	if (m->by_key && m->nsorted != 0)
		qsort(m->sorted, m->nsorted, sizeof *m->sorted, by_key);
	for (size_t i = 0; i < m->nsorted; i++)
		report(m, m->sorted[i].id);
	m->nsorted = 0;
}

/* Report all keys. */
static void
report_all(struct persistent_map *m)
{
	for (uint32_t id = 0; id < m->keys.end; id++)
		if (m->by_key)
			select_key(m, id);
		else
			report(m, id);
	report_selected(m);
}

static void
read_key(struct persistent_map *m, const struct stored_value *row)
{
	key_of_columns(&m->key, row, m->nkeys,
	    &row[m->nkeys + m->type->ncolumns + 1]);
}

static void
fill_key(void *arg, size_t i, struct stored_value *row)
{
	struct persistent_map *m = arg;

	key_columns(m->sorted[i].bytes, m->nkeys, row);
}

/* Use the spelling that the store has, if it is another one. */
static void
respell(struct persistent_map *m, uint32_t id, struct span spelling)
{
	if (span_eq(spelling_of(m, id), spelling))
		return;
	m->others = memory_grow(m->others, &m->others_cap, m->nothers + 1,
	    sizeof *m->others);
	m->others[m->nothers++] = span_dup(spelling);
	entry_of(m, id)->other = (unsigned)m->nothers & 0x7fffffff;
}

static void
fold_row(struct persistent_map *m, uint32_t id, const struct stored_value *row)
{
	struct entry *e = entry_of(m, id);
	int64_t touched = row[m->nkeys + m->type->ncolumns].i;

	if (touched > m->ended || e->touched == 0)
		e->touched = touched;
	read_key(m, row);
	respell(m, id, m->key.spelling);
	m->type->fold(m->self, e + 1, row + m->nkeys);
}

static void
found(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;

	fold_row(m, m->sorted[i].id, row);
}

/* Ask the store for what it has of the keys that are new here. */
static void
load(struct persistent_map *m)
{
	if (m->nfresh == 0)
		return;
	m->nsorted = 0;
	for (size_t i = 0; i < m->nfresh; i++)
		select_key(m, m->fresh[i]);
	qsort(m->sorted, m->nsorted, sizeof *m->sorted, by_bytes);
	store_table_get(m->table, m->nsorted, fill_key, found, m);
	m->nsorted = m->nfresh = 0;
}

void
persistent_map_end_batch(struct persistent_map *m)
{
	load(m);
	if (m->changes) {
		for (size_t i = 0; i < m->nbatch; i++)
			select_key(m, m->batch[i]);
		report_selected(m);
	}
	m->nbatch = 0;
	m->ntuples = 0;
	m->nbatches++;
}

void
persistent_map_count(struct persistent_map *m)
{
	if (++m->ntuples == m->batch_size)
		persistent_map_end_batch(m);
}

void
persistent_map_finish(struct persistent_map *m)
{
	persistent_map_end_batch(m);
	m->ended = m->touched;
	if (!m->changes)
		report_all(m);
}

/* Take in a row as it is. */
static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct persistent_map *m = arg;
	bool added;
	uint32_t id;

	(void)i;
	read_key(m, row);
	id = hash_map_put(&m->keys, m->key.bytes, m->key.spelling, m->key.hash,
	    &added);
	fold_row(m, id, row);
}

static void
put_sized(struct buffer *b, struct span s)
{
	uint32_t n = (uint32_t)s.n;

	buffer_put(b, (struct span){ (char *)&n, sizeof n });
	buffer_put(b, s);
}

static struct span
take_sized(struct span *rest)
{
	uint32_t n;
	struct span s;

	memcpy(&n, rest->p, sizeof n);
	s = (struct span){ rest->p + sizeof n, n };
	rest->p += sizeof n + n;
	rest->n -= sizeof n + n;
	return s;
}

/* The open batch: how many tuples, and its keys as they came. */
static void
put_batch(struct persistent_map *m, struct buffer *b)
{
	buffer_put(b, (struct span){ (char *)&m->ntuples, sizeof m->ntuples });
	for (size_t i = 0; i < m->nbatch; i++) {
		put_sized(b, hash_map_key(&m->keys, m->batch[i]));
		put_sized(b, spelling_of(m, m->batch[i]));
	}
}

/* Open a batch again; the values of its keys are in the store. */
static void
take_batch(struct persistent_map *m, struct span rest)
{
	m->nbatch = 0;
	if (rest.n < sizeof m->ntuples)
		return;
	memcpy(&m->ntuples, rest.p, sizeof m->ntuples);
	rest.p += sizeof m->ntuples;
	rest.n -= sizeof m->ntuples;
	while (rest.n != 0) {
		struct span key = take_sized(&rest);
		struct span spelling = take_sized(&rest);
		bool added;
		uint32_t id;

		if (span_eq(key, spelling))
			spelling = key;
		id = hash_map_put(&m->keys, key, spelling, hash_bytes(key),
		    &added);
		if (added)
			begin_key(m, id);
		add_to_batch(m, id);
	}
}

void
persistent_map_restore(struct persistent_map *m, struct store *s,
    const struct span *names)
{
	size_t n = m->nkeys + m->type->ncolumns;
	struct span *all = memory_new(n + 2, sizeof *all);
	struct buffer batch = { 0 };

	memcpy(all, names, n * sizeof *all);
	all[n] = SPAN("_touched");
	all[n + 1] = SPAN("_spelling");
	m->table = store_table(s, NULL, all, m->nkeys, n + 2);
	if (m->nprefix != 0)
		m->by_prefix = store_table(s, NULL, all, m->nprefix, n + 2);
	free(all);
	m->touched = store_get_int(s, "touched");
	m->ended = store_get_int(s, "ended");
	m->complete = m->touched == 0;
	if (!m->changes && m->touched > m->ended)
		store_table_scan(m->table, "_touched", m->ended, take_row, m);
	if (m->changes && store_get_value(s, "batch", &batch))
		take_batch(m, buffer_span(&batch));
	buffer_fini(&batch);
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	struct persistent_map *m = arg;
	struct span key = m->sorted[i].bytes;
	struct span spelling = spelling_of(m, m->sorted[i].id);
	size_t n = m->nkeys + m->type->ncolumns;

	key_columns(key, m->nkeys, row);
	m->type->save(m->self, value_of(m, m->sorted[i].id), row + m->nkeys);
	row[n] = stored_value_of_int(entry_of(m, m->sorted[i].id)->touched);
	row[n + 1] = key_spelling_column(key, spelling);
}

void
persistent_map_save(struct persistent_map *m, struct store *s)
{
	struct buffer batch = { 0 };

	load(m);
	for (size_t i = 0; i < m->ndirty; i++) {
		entry_of(m, m->dirty[i])->dirty = false;
		select_key(m, m->dirty[i]);
	}
	if (m->nsorted != 0)
		qsort(m->sorted, m->nsorted, sizeof *m->sorted, by_bytes);
	store_table_put(m->table, m->nsorted, fill_row, m);
	m->nsorted = m->ndirty = 0;
	if (m->changes)
		put_batch(m, &batch);
	store_put_value(s, "batch", buffer_span(&batch));
	store_put_int(s, "touched", m->touched);
	store_put_int(s, "ended", m->ended);
	if (m->changes && m->keys.live > PERSISTENT_MAP_HELD) {
		drop_all(m);
		m->complete = false;
		take_batch(m, buffer_span(&batch));
	}
	buffer_fini(&batch);
}

void
persistent_map_dump(struct persistent_map *m)
{
	drop_all(m);
	store_table_scan(m->table, NULL, 0, take_row, m);
	m->by_key = true;
	report_all(m);
}
