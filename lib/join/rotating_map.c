/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "join/rotating_map.h"

/* The link of an entry. */
static inline uint32_t
link_of(const struct rotating_map *m, uint32_t id)
{
	return m->nbuckets + id;
}

/* Which entry a link is of. */
static inline uint32_t
entry_or_none(const struct rotating_map *m, uint32_t link)
{
	return link < m->nbuckets ? HASH_MAP_NONE : link - m->nbuckets;
}

/* Where in the ring the bucket of that age is: the link that is its head. */
static inline uint32_t
head_of(const struct rotating_map *m, uint32_t bucket)
{
	uint32_t place = m->newest + bucket;

	assert(bucket < m->nbuckets);
	return place < m->nbuckets ? place : place - m->nbuckets;
}

void
rotating_map_init(struct rotating_map *m, uint32_t nbuckets, size_t value_size)
{
	assert(nbuckets >= 2 && nbuckets <= HASH_MAP_NONE - HASH_MAP_MOST);
	*m = (struct rotating_map){ .nbuckets = nbuckets };
	hash_map_init(&m->keys, value_size);
	m->keys.fill_holes = true;
	m->links = memory_grow(NULL, &m->cap, nbuckets, sizeof *m->links);
	for (uint32_t i = 0; i < nbuckets; i++)
		m->links[i] = (struct rotating_link){ i, i };
}

void
rotating_map_fini(struct rotating_map *m)
{
	hash_map_fini(&m->keys);
	free(m->links);
	*m = (struct rotating_map){ 0 };
}

uint32_t
rotating_map_first(const struct rotating_map *m, uint32_t bucket)
{
	return entry_or_none(m, m->links[head_of(m, bucket)].next);
}

uint32_t
rotating_map_next(const struct rotating_map *m, uint32_t id)
{
	return entry_or_none(m, m->links[link_of(m, id)].next);
}

static inline void
take_out(struct rotating_map *m, uint32_t id)
{
	struct rotating_link l = m->links[link_of(m, id)];

	m->links[l.previous].next = l.next;
	m->links[l.next].previous = l.previous;
}

static inline void
append(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	struct rotating_link *links = m->links;
	uint32_t link = link_of(m, id), head = head_of(m, bucket);
	uint32_t last = links[head].previous;

	links[link] = (struct rotating_link){ head, last };
	links[last].next = link;
	links[head].previous = link;
}

uint32_t
rotating_map_add(struct rotating_map *m, struct span key, struct span label,
    uint64_t hash, uint32_t bucket)
{
	uint32_t id = hash_map_add(&m->keys, key, label, hash);

	if (link_of(m, id) >= m->cap)
		m->links = memory_grow(m->links, &m->cap,
		    (size_t)link_of(m, id) + 1, sizeof *m->links);
	append(m, id, bucket);
	return id;
}

void
rotating_map_move(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	take_out(m, id);
	append(m, id, bucket);
}

void
rotating_map_del(struct rotating_map *m, uint32_t id, uint64_t hash)
{
	take_out(m, id);
	hash_map_del_hashed(&m->keys, id, hash);
}

void
rotating_map_rotate(struct rotating_map *m, uint32_t steps)
{
	m->newest =
	    (m->newest + m->nbuckets - steps % m->nbuckets) % m->nbuckets;
}
