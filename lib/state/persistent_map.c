/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/word.h"
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
	free(m->sorted);
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
	if (m->table != NULL && (added || !m->type->once) &&
	    !id_set_has(&m->dirty, id))
		id_set_add(&m->dirty, id);
	return value;
}

void
persistent_map_select(struct persistent_map *m, uint32_t id)
{
	struct span bytes = hash_map_key(&m->keys, id);

	m->sorted = memory_grow(m->sorted, &m->sorted_cap, m->nsorted + 1,
	    sizeof *m->sorted);
	m->sorted[m->nsorted++] = (struct persistent_key){ .bytes = bytes,
		.first = __builtin_bswap64(word_load_first(bytes.p, bytes.n)),
		.id = id };
}

static int
by_bytes(const void *a, const void *b)
{
	const struct persistent_key *x = a, *y = b;

	return span_cmp(x->bytes, y->bytes);
}

/*
 * Copy keys in the order of one of their first bytes.  False: it is the same in
 * all, and nothing is copied.
 */
static bool
sort_by_byte(const struct persistent_key *from, size_t n,
    struct persistent_key *to, unsigned shift)
{
	size_t before[257] = { 0 };

	for (size_t i = 0; i < n; i++)
		before[(from[i].first >> shift & 255) + 1]++;
	if (before[(from[0].first >> shift & 255) + 1] == n)
		return false;
	for (size_t byte = 1; byte < 256; byte++)
		before[byte] += before[byte - 1];
	for (size_t i = 0; i < n; i++)
		to[before[from[i].first >> shift & 255]++] = from[i];
	return true;
}

/* By the first bytes: qsort(3) alone took a fourth of a commit. */
static void
sort_by_first(struct persistent_map *m)
{
	size_t n = m->nsorted;
	struct persistent_key *from = m->sorted, *other, *to, *spare;

	to = other = memory_new(n, sizeof *other);
	/* Each byte leaves those in order that only lower ones tell apart. */
	for (unsigned shift = 0; shift < 64; shift += 8)
		if (sort_by_byte(from, n, to, shift)) {
			spare = from;
			from = to;
			to = spare;
		}
	if (from != m->sorted)
		memcpy(m->sorted, from, n * sizeof *from);
	free(other);
}

void
persistent_map_sort(struct persistent_map *m)
{
	size_t n = m->nsorted;

	if (n > 1)
		sort_by_first(m);
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && m->sorted[end].first == m->sorted[i].first)
			end++;
		if (end - i > 1)
			qsort(m->sorted + i, end - i, sizeof *m->sorted,
			    by_bytes);
	}
}

static int
by_key(const void *a, const void *b)
{
	const struct persistent_key *x = a, *y = b;

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
	if (m->by_key && m->nsorted != 0)
		qsort(m->sorted, m->nsorted, sizeof *m->sorted, by_key);
	for (size_t i = 0; i < m->nsorted; i++)
		report(m, m->sorted[i].id);
	m->nsorted = 0;
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
