/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "base/hash_map_entry.h"

/*
 * What an entry has in the arena: a key, and behind it the label if there is
 * one; or, WITH_LABEL, the length of the label in place of a key.
 */
struct arena_key {
	uint64_t at;
	uint32_t n, label_n;
};

static struct arena_key
arena_key_of(const struct hash_map *m, const struct entry_key *f)
{
	struct arena_key k = { .n = sizeof k.label_n };
	uint32_t low;

	if (f->n < WITH_LABEL) {
		memcpy(&k, f->key, sizeof k);
		return k;
	}
	memcpy(&low, f->key + LABELLED_INLINE, sizeof low);
	k.at = (uint64_t)(uint8_t)f->key[HASH_MAP_INLINE - 1] << 32 | low;
	memcpy(&k.label_n, m->arena.p + k.at, sizeof k.label_n);
	return k;
}

static void
set_arena_key(struct entry_key *f, const struct arena_key *k)
{
	uint32_t low = (uint32_t)k->at;

	if (f->n < WITH_LABEL) {
		memcpy(f->key, k, sizeof *k);
		return;
	}
	assert(k->at >> 8 * PLACE == 0);
	memcpy(f->key + LABELLED_INLINE, &low, sizeof low);
	f->key[HASH_MAP_INLINE - 1] = (char)(k->at >> 32);
}

void
hash_map_look_further(const struct hash_map *m, uint32_t hint)
{
	const struct entry_key *f;

	if (hint == HASH_MAP_NONE)
		return;
	f = entry_key_of(m, hint);
	if (entry_key_n(f) > HASH_MAP_INLINE)
		__builtin_prefetch(m->arena.p + arena_key_of(m, f).at);
}

size_t
entry_key_bytes(const struct hash_map *m, const struct entry_key *f)
{
	struct arena_key k;

	if (f->n <= HASH_MAP_INLINE || f->n == HOLE)
		return 0;
	k = arena_key_of(m, f);
	return (size_t)k.n + k.label_n;
}

struct span
hash_map_key(const struct hash_map *m, uint32_t id)
{
	const struct entry_key *f = entry_key_of(m, id);
	struct arena_key k;

	if (entry_key_n(f) <= HASH_MAP_INLINE)
		return (struct span){ f->key, entry_key_n(f) };
	k = arena_key_of(m, f);
	return (struct span){ m->arena.p + k.at, k.n };
}

struct span
hash_map_label_or(const struct hash_map *m, uint32_t id, struct span key)
{
	const struct entry_key *f = entry_key_of(m, id);
	struct arena_key k;

	if (f->n < LABELLED)
		return key;
	k = arena_key_of(m, f);
	return (struct span){ m->arena.p + k.at + k.n, k.label_n };
}

struct span
hash_map_label(const struct hash_map *m, uint32_t id)
{
	return hash_map_label_or(m, id, hash_map_key(m, id));
}

bool
hash_map_is_live(const struct hash_map *m, uint32_t id)
{
	return entry_key_of(m, id)->n != HOLE;
}

uint32_t
hash_map_next(const struct hash_map *m, uint32_t id)
{
	while (id < m->end && !hash_map_is_live(m, id))
		id++;
	return id < m->end ? id : HASH_MAP_NONE;
}

void
entry_key_move(const struct hash_map *m, struct entry_key *f, struct buffer *to)
{
	size_t n = entry_key_bytes(m, f);
	struct arena_key k;

	if (n == 0)
		return;
	k = arena_key_of(m, f);
	buffer_put(to, (struct span){ m->arena.p + k.at, n });
	k.at = to->n - n;
	set_arena_key(f, &k);
}

/* Copy the arena without its garbage. */
static void
compact_arena(struct hash_map *m)
{
	struct buffer arena = { 0 };

	for (uint32_t id = 0; id < m->end; id++)
		entry_key_move(m, entry_key_of(m, id), &arena);
	buffer_fini(&m->arena);
	m->arena = arena;
	m->garbage = 0;
}

/* Not in line: it is rare, and would take registers of those that call it. */
__attribute__((noinline)) void
entry_key_set_long(struct hash_map *m, struct entry_key *f, struct span key,
    struct span label, bool labelled)
{
	struct arena_key k = { .n = (uint32_t)key.n };
	struct span first = key;

	assert(key.n < 1U << 30);
	f->n = HOLE; /* it has nothing in the arena yet */
	/* So much garbage pays for looking at all entries. */
	if (m->garbage > m->arena.n / 2 && m->garbage >= 65536 &&
	    m->garbage / 16 >= m->end)
		compact_arena(m);
	k.at = m->arena.n;
	k.label_n = labelled ? (uint32_t)label.n : 0;
	if (labelled && key.n <= LABELLED_INLINE) {
		f->n = (uint8_t)(WITH_LABEL + key.n);
		span_copy(f->key, key);
		first = (struct span){ (char *)&k.label_n, sizeof k.label_n };
	} else {
		f->n = labelled ? LABELLED : LONG_KEY;
		m->has_long = true;
	}
	buffer_put(&m->arena, first);
	if (labelled)
		buffer_put(&m->arena, label);
	set_arena_key(f, &k);
}
