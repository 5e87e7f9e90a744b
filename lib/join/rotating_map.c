/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "join/rotating_map.h"

/* The link of an entry, or the head of a bucket. */
static inline struct rotating_link *
link_of(const struct rotating_map *m, uint32_t id)
{
	return id < HASH_MAP_MOST ? hash_map_value(&m->keys, id) :
				    &m->buckets[id - HASH_MAP_MOST];
}

/* Where in the ring the bucket of that age is. */
static uint32_t
place_of(const struct rotating_map *m, uint32_t bucket)
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
	hash_map_init(&m->keys, sizeof(struct rotating_link) + value_size);
	m->keys.fill_holes = true;
	m->buckets = memory_new(nbuckets, sizeof *m->buckets);
	for (uint32_t i = 0; i < nbuckets; i++)
		m->buckets[i] = (struct rotating_link){ HASH_MAP_MOST + i,
			HASH_MAP_MOST + i };
}

void
rotating_map_fini(struct rotating_map *m)
{
	hash_map_fini(&m->keys);
	free(m->buckets);
	*m = (struct rotating_map){ 0 };
}

static uint32_t
entry_or_none(uint32_t id)
{
	return id < HASH_MAP_MOST ? id : HASH_MAP_NONE;
}

uint32_t
rotating_map_first(const struct rotating_map *m, uint32_t bucket)
{
	return entry_or_none(m->buckets[place_of(m, bucket)].next);
}

uint32_t
rotating_map_next(const struct rotating_map *m, uint32_t id)
{
	return entry_or_none(link_of(m, id)->next);
}

static inline void
take_out(struct rotating_map *m, const struct rotating_link *l)
{
	link_of(m, l->previous)->next = l->next;
	link_of(m, l->next)->previous = l->previous;
}

static void
append(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	uint32_t place = place_of(m, bucket);
	struct rotating_link *head = &m->buckets[place];

	*link_of(m, id) =
	    (struct rotating_link){ HASH_MAP_MOST + place, head->previous };
	link_of(m, head->previous)->next = id;
	head->previous = id;
}

uint32_t
rotating_map_add(struct rotating_map *m, struct span key, struct span label,
    uint64_t hash, uint32_t bucket)
{
	uint32_t id = hash_map_add(&m->keys, key, label, hash);

	append(m, id, bucket);
	return id;
}

void
rotating_map_move(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	take_out(m, link_of(m, id));
	append(m, id, bucket);
}

void
rotating_map_del(struct rotating_map *m, uint32_t id, uint64_t hash)
{
	take_out(m, link_of(m, id));
	hash_map_unlink(&m->keys, id, hash);
	hash_map_release(&m->keys, id);
}

void
rotating_map_rotate(struct rotating_map *m, uint32_t steps)
{
	m->newest =
	    (m->newest + m->nbuckets - steps % m->nbuckets) % m->nbuckets;
}
