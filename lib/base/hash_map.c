/*
 * SPDX-License-Identifier: ISC
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/hash_map_entry.h"

enum {
	/* Of 12 places 10 are used, so that few homes overflow. */
	USED = 10,
	MOST_CHUNKS = UINT32_MAX / USED,
	FIRST_CHUNKS = 32,
	CACHE_LINE = 64,
	REBUILD_AHEAD = 16,
};

_Static_assert((uint64_t)MOST_CHUNKS *USED > HASH_MAP_MOST,
    "ids run out before places do");

static uint8_t
tag_of(uint64_t hash)
{
	uint8_t tag = (uint8_t)hash;

	return tag == 0 ? 1 : tag;
}

static uint32_t
next_chunk(const struct hash_map *m, uint32_t i)
{
	return i + 1 == m->nchunks ? 0 : i + 1;
}

/* The places of a chunk that have this tag, a bit each. */
static uint32_t
matches(const struct hash_map_chunk *c, uint8_t tag)
{
#ifdef __SSE2__
	__m128i tags = _mm_load_si128((const __m128i *)(const void *)c);
	__m128i same = _mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag));

	return (uint32_t)_mm_movemask_epi8(same) & ((1U << HASH_MAP_CHUNK) - 1);
#else
	uint32_t found = 0;

	for (uint32_t i = 0; i < HASH_MAP_CHUNK; i++)
		found |= (uint32_t)(c->tags[i] == tag) << i;
	return found;
#endif
}

/* The first line of the cache that begins in what is allocated at p. */
static uintptr_t
first_line(const void *p)
{
	return ((uintptr_t)p + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1);
}

/* Give m chunks for so many entries, all empty. */
static void
new_chunks(struct hash_map *m, uint32_t nchunks)
{
	free(m->allocation);
	m->allocation =
	    memory_new_large((size_t)nchunks + 1, sizeof *m->chunks);
	m->chunks = (struct hash_map_chunk *)first_line(m->allocation);
	m->nchunks = nchunks;
	m->room = nchunks * USED;
	m->passed = 0;
}

void
hash_map_init(struct hash_map *m, size_t value_size)
{
	*m = (struct hash_map){ .value_size = value_size };
	m->stride = (value_size + sizeof(struct entry_key) + 7) & ~(size_t)7;
	new_chunks(m, FIRST_CHUNKS);
}

void
hash_map_fini(struct hash_map *m)
{
	free(m->allocation);
	for (size_t i = 0; i < HASH_MAP_SEGMENTS; i++)
		free(m->segments[i]);
	buffer_fini(&m->arena);
	free(m->holes);
	*m = (struct hash_map){ 0 };
}

/* Tell whether the entry, which may be a hole, is that of key. */
static inline bool
has_key(const struct hash_map *m, uint32_t id, struct span key)
{
	const char *value = hash_map_value(m, id);
	const struct entry_key *f =
	    (const struct entry_key *)(value + m->value_size);

	/* It may lie in another line of the cache. */
	__builtin_prefetch(value, 1);
	if (entry_key_n(f) <= HASH_MAP_INLINE)
		return entry_key_n(f) == key.n &&
		    span_eq((struct span){ f->key, key.n }, key);
	return (f->n == LONG_KEY || f->n == LABELLED) &&
	    span_eq(hash_map_key(m, id), key);
}

/* The entry of key, or HASH_MAP_NONE. */
static inline uint32_t
find(const struct hash_map *m, struct span key, uint64_t hash)
{
	uint8_t tag = tag_of(hash);
	uint32_t home = hash_map_home(m, hash), i = home;

	do {
		const struct hash_map_chunk *c = &m->chunks[i];

		for (uint32_t found = matches(c, tag); found != 0;
		     found &= found - 1) {
			uint32_t id = c->ids[__builtin_ctz(found)];

			if (has_key(m, id, key))
				return id;
		}
		if (c->overflow == 0)
			break;
		i = next_chunk(m, i);
	} while (i != home); /* every chunk may have overflowed at some time */
	return HASH_MAP_NONE;
}

/* Tell whether a look at its home shows that a key is not there. */
static inline bool
is_absent(const struct hash_map *m, uint64_t hash)
{
	const struct hash_map_chunk *c = &m->chunks[hash_map_home(m, hash)];

	return c->overflow == 0 && matches(c, tag_of(hash)) == 0;
}

/* Put an id that is not there yet where its hash belongs. */
static inline void
place(struct hash_map *m, uint64_t hash, uint32_t id)
{
	uint32_t i = hash_map_home(m, hash), empty;

	while ((empty = matches(&m->chunks[i], 0)) == 0) {
		m->chunks[i].overflow++;
		m->passed++;
		i = next_chunk(m, i);
	}
	m->chunks[i].tags[__builtin_ctz(empty)] = tag_of(hash);
	m->chunks[i].ids[__builtin_ctz(empty)] = id;
}

/*
 * Tell whether there should be more chunks.  A key that went past its home, which
 * was full, does not move back when there is room again.  So where keys come and
 * go, ever more are away from home: with 76 % of all places taken, a search for
 * what is not there looks at 4.4 chunks, and when they have just been made anew
 * at 1.1.  In a few chunks that costs little.
 */
static bool
is_crowded(const struct hash_map *m)
{
	return m->live == m->room ||
	    (m->passed > m->nchunks && m->nchunks > FIRST_CHUNKS &&
		m->nchunks < MOST_CHUNKS && m->live > m->room / 2);
}

/*
 * Make the chunks anew, half as many again.  Not in line, as others that are
 * rare: they would take the registers of those that call them.
 */
static __attribute__((noinline)) void
grow(struct hash_map *m)
{
	uint64_t nchunks = m->nchunks + (uint64_t)m->nchunks / 2;
	uint64_t hashes[REBUILD_AHEAD];

	if (nchunks > MOST_CHUNKS)
		nchunks = MOST_CHUNKS;
	new_chunks(m, (uint32_t)nchunks);
	for (uint32_t id = 0, n; id < m->end; id += n) {
		for (n = 0; n < REBUILD_AHEAD && n < m->end - id; n++) {
			if (!hash_map_is_live(m, id + n))
				continue;
			hashes[n] = hash_bytes(hash_map_key(m, id + n));
			__builtin_prefetch(&m->chunks[hash_map_home(m,
					       hashes[n])],
			    1);
		}
		for (uint32_t k = 0; k < n; k++)
			if (hash_map_is_live(m, id + k))
				place(m, hashes[k], id + k);
	}
}

/* Not in line, for what has a hint and mostly finds it by that. */
__attribute__((noinline)) uint32_t
hash_map_get(const struct hash_map *m, struct span key, uint64_t hash)
{
	return find(m, key, hash);
}

uint32_t
hash_map_look_ahead(const struct hash_map *m, uint64_t hash)
{
	const struct hash_map_chunk *c = &m->chunks[hash_map_home(m, hash)];
	uint32_t found = matches(c, tag_of(hash));
	/* If none matches, any: a branch would be hard to predict. */
	uint32_t id = c->ids[__builtin_ctz(found | 1U << (HASH_MAP_CHUNK - 1))];
	const char *e = hash_map_value(m, id);

	/* It may lie in several lines. */
	for (size_t at = 0; at < m->stride; at += CACHE_LINE)
		__builtin_prefetch(e + at, 1);
	__builtin_prefetch(e + m->stride - 1, 1);
	return found != 0 ? id : HASH_MAP_NONE;
}

/* One entry more. */
static uint32_t
new_id(struct hash_map *m)
{
	uint32_t at = m->end + (1U << HASH_MAP_FIRST_LOG2);
	int log2 = 31 - __builtin_clz(at);
	void **segment = &m->segments[log2 - HASH_MAP_FIRST_LOG2];

	if (m->end == HASH_MAP_MOST)
		memory_exhausted();
	if (*segment == NULL) {
		*segment =
		    memory_new_large((m->stride << log2) + CACHE_LINE, 1);
		m->origins[log2 - HASH_MAP_FIRST_LOG2] =
		    first_line(*segment) - (m->stride << log2);
	}
	return m->end++;
}

uint32_t
hash_map_add(struct hash_map *m, struct span key, struct span label,
    uint64_t hash)
{
	uint32_t id;

	if (is_crowded(m))
		grow(m);
	id = m->nholes != 0 ? m->holes[--m->nholes] : new_id(m);
	m->live++;
	entry_key_set(m, entry_key_of(m, id), key, label);
	place(m, hash, id);
	return id;
}

uint32_t
hash_map_put(struct hash_map *m, struct span key, struct span label,
    uint64_t hash, bool *added)
{
	uint32_t id = find(m, key, hash);

	*added = id == HASH_MAP_NONE;
	if (!*added)
		return id;
	id = hash_map_add(m, key, label, hash);
	memset(hash_map_value(m, id), 0, m->value_size);
	return id;
}

uint32_t
hash_map_get_hinted(const struct hash_map *m, uint32_t hint, struct span key,
    uint64_t hash)
{
	if (hint < m->end)
		return has_key(m, hint, key) ? hint :
					       hash_map_get(m, key, hash);
	return is_absent(m, hash) ? HASH_MAP_NONE : hash_map_get(m, key, hash);
}

uint32_t
hash_map_put_hinted(struct hash_map *m, uint32_t hint, struct span key,
    struct span label, uint64_t hash, bool *added)
{
	if (hint >= m->end || !has_key(m, hint, key))
		return hash_map_put(m, key, label, hash, added);
	*added = false;
	return hint;
}

/* Take an id from where its hash belongs. */
static inline void
take_away(struct hash_map *m, uint64_t hash, uint32_t id)
{
	uint8_t tag = tag_of(hash);

	for (uint32_t i = hash_map_home(m, hash);; i = next_chunk(m, i)) {
		struct hash_map_chunk *c = &m->chunks[i];

		for (uint32_t found = matches(c, tag); found != 0;
		     found &= found - 1)
			if (c->ids[__builtin_ctz(found)] == id) {
				c->tags[__builtin_ctz(found)] = 0;
				return;
			}
		c->overflow--;
		m->passed--;
	}
}

void
hash_map_del_hashed(struct hash_map *m, uint32_t id, uint64_t hash)
{
	struct entry_key *f = entry_key_of(m, id);

	take_away(m, hash, id);
	m->live--;
	if (f->n > HASH_MAP_INLINE)
		m->garbage += entry_key_bytes(m, f);
	f->n = HOLE;
	if (!m->fill_holes)
		return;
	if (m->nholes == m->holes_cap)
		m->holes = memory_grow(m->holes, &m->holes_cap, m->nholes + 1,
		    sizeof *m->holes);
	m->holes[m->nholes++] = id;
}

void
hash_map_clear(struct hash_map *m)
{
	/* After many entries the chunks are many for a few. */
	if (m->end < m->nchunks) {
		for (uint32_t id = 0; id < m->end; id++)
			if (hash_map_is_live(m, id))
				take_away(m, hash_bytes(hash_map_key(m, id)),
				    id);
	} else {
		memset(m->chunks, 0, m->nchunks * sizeof *m->chunks);
	}
	m->end = m->live = m->passed = 0;
	m->nholes = 0;
	m->arena.n = m->garbage = 0;
	m->has_long = false;
}

void
hash_map_del(struct hash_map *m, uint32_t id)
{
	hash_map_del_hashed(m, id, hash_bytes(hash_map_key(m, id)));
	if (m->live == 0 && !m->fill_holes) {
		m->end = 0;
		m->arena.n = m->garbage = 0;
		m->has_long = false;
	}
}

bool
hash_map_is_sparse(const struct hash_map *m)
{
	uint32_t holes = m->end - m->live;

	return holes > m->live && holes >= 64 && holes >= m->nchunks;
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
		if (!hash_map_is_live(m, id))
			continue;
		entry_key_move(m, entry_key_of(m, id), &arena);
		if (next != id)
			memcpy(hash_map_value(m, next), hash_map_value(m, id),
			    m->stride);
		names[id] = next++;
	}
	for (uint32_t i = 0; i < m->nchunks; i++)
		for (size_t k = 0; k < HASH_MAP_CHUNK; k++)
			if (m->chunks[i].tags[k] != 0)
				m->chunks[i].ids[k] =
				    names[m->chunks[i].ids[k]];
	buffer_fini(&m->arena);
	m->arena = arena;
	m->garbage = 0;
	m->end = next;
	if (names != renamed)
		free(names);
}
