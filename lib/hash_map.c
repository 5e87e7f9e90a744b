/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "diagnostics.h"
#include "hash_map.h"

enum { FIRST_SLOTS_LOG2 = 6 };

#define HOLE UINT32_MAX
#define LABEL 0x80000000U /* the key has a label; both are in the arena */
#define LENGTH 0x7fffffffU

static struct hash_map_entry *
entry(const struct hash_map *m, uint32_t id)
{
	return (struct hash_map_entry *)(void *)(m->entries + id * m->stride);
}

static uint32_t
tag_of(uint64_t slot)
{
	return (uint32_t)(slot >> 32);
}

static uint32_t
id_of(uint64_t slot)
{
	return (uint32_t)slot - 1;
}

void
hash_map_init(struct hash_map *m, size_t value_size)
{
	*m = (struct hash_map){ 0 };
	m->stride =
	    (sizeof(struct hash_map_entry) + value_size + 7) & ~(size_t)7;
	m->shift = 32 - FIRST_SLOTS_LOG2;
	m->mask = (1U << FIRST_SLOTS_LOG2) - 1;
	m->slots = memory_new((size_t)m->mask + 1, sizeof *m->slots);
}

void
hash_map_fini(struct hash_map *m)
{
	free(m->slots);
	free(m->entries);
	buffer_fini(&m->arena);
	*m = (struct hash_map){ 0 };
}

void
hash_map_clear(struct hash_map *m)
{
	memset(m->slots, 0, ((size_t)m->mask + 1) * sizeof *m->slots);
	m->end = m->live = m->free = 0;
	m->arena.n = m->garbage = 0;
}

/* Where a long key lies in the arena. */
static const char *
long_key(const struct hash_map *m, const struct hash_map_entry *e)
{
	uint64_t at;

	memcpy(&at, e->key, sizeof at);
	return m->arena.p + at;
}

struct span
hash_map_key(const struct hash_map *m, uint32_t id)
{
	const struct hash_map_entry *e = entry(m, id);

	if (e->n <= HASH_MAP_INLINE)
		return (struct span){ e->key, e->n };
	return (struct span){ long_key(m, e), e->n & LENGTH };
}

struct span
hash_map_label(const struct hash_map *m, uint32_t id)
{
	const struct hash_map_entry *e = entry(m, id);
	struct span key = hash_map_key(m, id);
	uint32_t n;

	if ((e->n & LABEL) == 0)
		return key;
	memcpy(&n, e->key + sizeof(uint64_t), sizeof n);
	return (struct span){ key.p + key.n, n };
}

bool
hash_map_is_live(const struct hash_map *m, uint32_t id)
{
	return entry(m, id)->n != HOLE;
}

/* The slot that has key, or the empty one where it belongs. */
static uint32_t
find(const struct hash_map *m, struct span key, uint32_t tag)
{
	uint32_t i = tag >> m->shift;

	for (;; i = (i + 1) & m->mask) {
		uint64_t slot = m->slots[i];

		if (slot == 0)
			return i;
		if (tag_of(slot) == tag &&
		    span_eq(hash_map_key(m, id_of(slot)), key))
			return i;
	}
}

/* Put a slot that is not there yet. */
static void
place(struct hash_map *m, uint64_t slot)
{
	uint32_t i = tag_of(slot) >> m->shift;

	while (m->slots[i] != 0)
		i = (i + 1) & m->mask;
	m->slots[i] = slot;
}

static void
grow(struct hash_map *m)
{
	uint64_t *old = m->slots;
	size_t n = (size_t)m->mask + 1;

	if (m->shift <= 1)
		die("more than %u keys", m->mask / 4 * 3);
	m->slots = memory_new(n * 2, sizeof *m->slots);
	m->mask = (uint32_t)(n * 2 - 1);
	m->shift--;
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			place(m, old[i]);
	free(old);
}

uint32_t
hash_map_get(const struct hash_map *m, struct span key, uint64_t hash)
{
	uint64_t slot = m->slots[find(m, key, tag_of(hash))];

	return slot == 0 ? HASH_MAP_NONE : id_of(slot);
}

/* Copy what e keeps in the arena to another one. */
static void
move_key(struct hash_map *m, struct hash_map_entry *e, struct buffer *to)
{
	uint64_t at = to->n;
	uint32_t n = 0;

	if (e->n <= HASH_MAP_INLINE)
		return;
	if ((e->n & LABEL) != 0)
		memcpy(&n, e->key + sizeof at, sizeof n);
	buffer_put(to, (struct span){ long_key(m, e), (e->n & LENGTH) + n });
	memcpy(e->key, &at, sizeof at);
}

/* Copy the arena without its garbage. */
static void
compact_arena(struct hash_map *m)
{
	struct buffer arena = { 0 };

	for (uint32_t id = 0; id < m->end; id++)
		if (entry(m, id)->n != HOLE)
			move_key(m, entry(m, id), &arena);
	buffer_fini(&m->arena);
	m->arena = arena;
	m->garbage = 0;
}

static void
set_key(struct hash_map *m, struct hash_map_entry *e, struct span key,
    struct span label)
{
	uint64_t at = m->arena.n;
	uint32_t n = (uint32_t)label.n;
	bool labelled = label.p != key.p || label.n != key.n;

	assert(key.n < LENGTH);
	e->n = (uint32_t)key.n;
	if (!labelled && key.n <= HASH_MAP_INLINE) {
		if (key.n != 0)
			memcpy(e->key, key.p, key.n);
		return;
	}
	memcpy(e->key, &at, sizeof at);
	buffer_put(&m->arena, key);
	if (labelled) {
		e->n |= LABEL;
		memcpy(e->key + sizeof at, &n, sizeof n);
		buffer_put(&m->arena, label);
	}
}

/* A hole, or one more entry. */
static uint32_t
new_id(struct hash_map *m)
{
	uint32_t id = m->free - 1;

	if (m->free != 0) {
		memcpy(&m->free, entry(m, id)->key, sizeof m->free);
		return id;
	}
	if (m->end == HASH_MAP_NONE - 1)
		die("more than %u keys", m->end);
	if (m->end == m->cap)
		m->entries = memory_grow(m->entries, &m->cap,
		    (size_t)m->end + 1, m->stride);
	return m->end++;
}

uint32_t
hash_map_put(struct hash_map *m, struct span key, struct span label,
    uint64_t hash, bool *added)
{
	uint32_t tag = tag_of(hash);
	uint32_t i = find(m, key, tag), id;

	*added = m->slots[i] == 0;
	if (!*added)
		return id_of(m->slots[i]);
	if (m->live >= m->mask / 4 * 3) {
		grow(m);
		i = find(m, key, tag);
	}
	if (m->garbage > m->arena.n / 2 && m->garbage >= 65536)
		compact_arena(m);
	id = new_id(m);
	m->live++;
	memset(entry(m, id), 0, m->stride);
	set_key(m, entry(m, id), key, label);
	m->slots[i] = (uint64_t)tag << 32 | (id + 1);
	return id;
}

/*
 * Empty slot i and close the gap: what was pushed past it moves back, so
 * that no search ends too early and no tombstone is ever needed.
 */
static void
empty_slot(struct hash_map *m, uint32_t i)
{
	for (uint32_t k = (i + 1) & m->mask; m->slots[k] != 0;
	     k = (k + 1) & m->mask) {
		uint32_t home = tag_of(m->slots[k]) >> m->shift;

		if (((k - home) & m->mask) >= ((k - i) & m->mask)) {
			m->slots[i] = m->slots[k];
			i = k;
		}
	}
	m->slots[i] = 0;
}

void
hash_map_unlink(struct hash_map *m, uint32_t id)
{
	struct span key = hash_map_key(m, id);

	empty_slot(m, find(m, key, tag_of(hash_bytes(key))));
	m->live--;
}

void
hash_map_release(struct hash_map *m, uint32_t id)
{
	struct hash_map_entry *e = entry(m, id);

	if (e->n > HASH_MAP_INLINE)
		m->garbage += hash_map_key(m, id).n +
		    ((e->n & LABEL) != 0 ? hash_map_label(m, id).n : 0);
	e->n = HOLE;
	if (!m->fill_holes)
		return;
	memcpy(e->key, &m->free, sizeof m->free);
	m->free = id + 1;
}

void
hash_map_del(struct hash_map *m, uint32_t id)
{
	hash_map_unlink(m, id);
	hash_map_release(m, id);
	if (m->live == 0 && !m->fill_holes) {
		m->end = 0;
		m->arena.n = m->garbage = 0;
	}
}

bool
hash_map_is_sparse(const struct hash_map *m)
{
	return m->end - m->live > m->live && m->end - m->live >= 64;
}

void
hash_map_compact(struct hash_map *m, uint32_t *renamed)
{
	uint32_t *names = renamed;
	struct buffer arena = { 0 };
	uint32_t next = 0;

	if (names == NULL)
		names = memory_new(m->end, sizeof *names);
	for (uint32_t id = 0; id < m->end; id++) {
		struct hash_map_entry *e = entry(m, id);

		if (e->n == HOLE)
			continue;
		move_key(m, e, &arena);
		if (next != id)
			memcpy(entry(m, next), e, m->stride);
		names[id] = next++;
	}
	for (size_t i = 0; i <= m->mask; i++)
		if (m->slots[i] != 0)
			m->slots[i] = (m->slots[i] & ~(uint64_t)UINT32_MAX) |
			    (names[id_of(m->slots[i])] + 1);
	buffer_fini(&m->arena);
	m->arena = arena;
	m->garbage = 0;
	m->end = next;
	if (names != renamed)
		free(names);
}
