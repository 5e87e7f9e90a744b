/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "rotating_map.h"

static struct rotating_link *
link_of(const struct rotating_map *m, uint32_t id)
{
	return hash_map_value(&m->map, id);
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
	assert(nbuckets >= 2);
	*m = (struct rotating_map){ .nbuckets = nbuckets };
	hash_map_init(&m->map, sizeof(struct rotating_link) + value_size);
	m->map.fill_holes = true;
	m->buckets = memory_new(nbuckets, sizeof *m->buckets);
}

void
rotating_map_fini(struct rotating_map *m)
{
	hash_map_fini(&m->map);
	free(m->buckets);
	*m = (struct rotating_map){ 0 };
}

uint32_t
rotating_map_first(const struct rotating_map *m, uint32_t bucket)
{
	return m->buckets[place_of(m, bucket)].first - 1;
}

uint32_t
rotating_map_next(const struct rotating_map *m, uint32_t id)
{
	return link_of(m, id)->next - 1;
}

static inline void
take_out(struct rotating_map *m, const struct rotating_link *l)
{
	struct rotating_bucket *b = &m->buckets[l->place];

	if (l->previous != 0)
		link_of(m, l->previous - 1)->next = l->next;
	else
		b->first = l->next;
	if (l->next != 0)
		link_of(m, l->next - 1)->previous = l->previous;
	else
		b->last = l->previous;
}

static void
append(struct rotating_map *m, struct rotating_link *l, uint32_t id,
    uint32_t place)
{
	struct rotating_bucket *b = &m->buckets[place];
	uint32_t last = b->last;

	*l = (struct rotating_link){ .previous = last, .place = place };
	b->last = id + 1;
	if (last != 0)
		link_of(m, last - 1)->next = id + 1;
	else
		b->first = id + 1;
}

uint32_t
rotating_map_put(struct rotating_map *m, struct span key, struct span label,
    uint64_t hash, uint32_t bucket, bool *added)
{
	uint32_t id = hash_map_put(&m->map, key, label, hash, added);

	if (!*added)
		take_out(m, link_of(m, id));
	append(m, link_of(m, id), id, place_of(m, bucket));
	return id;
}

void
rotating_map_enter(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	append(m, link_of(m, id), id, place_of(m, bucket));
}

void
rotating_map_move(struct rotating_map *m, uint32_t id, uint32_t bucket)
{
	struct rotating_link *l = link_of(m, id);

	take_out(m, l);
	append(m, l, id, place_of(m, bucket));
}

void
rotating_map_del(struct rotating_map *m, uint32_t id, uint64_t hash)
{
	take_out(m, link_of(m, id));
	hash_map_unlink(&m->map, id, hash);
	hash_map_release(&m->map, id);
}

void
rotating_map_turn(struct rotating_map *m, uint32_t steps)
{
	m->newest =
	    (m->newest + m->nbuckets - steps % m->nbuckets) % m->nbuckets;
}

void
rotating_map_rotate(struct rotating_map *m, rotating_map_fn *fn, void *arg)
{
	uint32_t oldest = place_of(m, m->nbuckets - 1);
	uint32_t first = m->buckets[oldest].first;

	m->buckets[oldest] = (struct rotating_bucket){ 0 };
	m->newest = oldest;
	for (uint32_t at = first; at != 0; at = link_of(m, at - 1)->next)
		hash_map_unlink(&m->map, at - 1,
		    hash_bytes(hash_map_key(&m->map, at - 1)));
	while (first != 0) {
		uint32_t id = first - 1;

		first = link_of(m, id)->next;
		if (fn != NULL)
			fn(arg, m, id);
		hash_map_release(&m->map, id);
	}
}
