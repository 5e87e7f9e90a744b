/*
 * rotating_map - a map whose entries are in buckets by age.
 *
 * A rotation by one step makes each bucket the next older one; the oldest
 * comes round to the front:
 *
 *	     +-> [ bucket 0 ] -> [ bucket 1 ] -> [ bucket 2 ] --+
 *	     +--------------------------------------------------+
 *
 * All entries are in one hash map, and a bucket is a linked list of entries.
 * So get, add, move, del and a rotation take constant time, however many
 * buckets there are.
 *
 * Source: Storm's RotatingMap, a list of hash maps, all of which are searched.
 *         Its rotation drops the oldest bucket; here the owner empties that
 *         bucket first, or its entries are in the newest one afterwards.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_ROTATING_MAP_H
#define JOIN_ROTATING_MAP_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/span.h"

/*
 * The neighbours of an entry in the ring that its bucket is, or of the head of
 * the bucket: their indexes in links.  Links are not beside the values: both
 * neighbours of an entry that is deleted are written to, and eight links share
 * a line of the cache.
 */
struct rotating_link {
	uint32_t next, previous;
};

struct rotating_map {
	struct hash_map keys;
	/* The heads of the nbuckets buckets, then one for each id. */
	struct rotating_link *links;
	size_t cap;
	uint32_t nbuckets;
	uint32_t newest; /* its place in the ring */
};

/*
 * Make an empty map whose values have value_size bytes.
 *
 * Shape:  2 <= nbuckets <= 65536.
 * Errors: none.
 */
void rotating_map_init(struct rotating_map *m, uint32_t nbuckets,
    size_t value_size);
void rotating_map_fini(struct rotating_map *m);

/*
 * Add a key, which is not there, to a bucket; 0 is the newest.  Returns the id
 * of the entry, whose value is not zeroed.
 *
 * Shape:  hash is hash_bytes(key).
 * Owns:   copies key and label, see hash_map_put.  The id is valid until the
 *         entry is deleted.
 * Errors: none.
 */
uint32_t rotating_map_add(struct rotating_map *m, struct span key,
    struct span label, uint64_t hash, uint32_t bucket);

/*
 * Move an entry to a bucket, or delete it.
 *
 * Shape:  hash is that of the entry's key.
 * Errors: none.
 */
void rotating_map_move(struct rotating_map *m, uint32_t id, uint32_t bucket);
void rotating_map_del(struct rotating_map *m, uint32_t id, uint64_t hash);

static inline void *
rotating_map_value(const struct rotating_map *m, uint32_t id)
{
	return hash_map_value(&m->keys, id);
}

/* Fetch into the cache what deleting an entry will read. */
static inline void
rotating_map_prefetch(const struct rotating_map *m, uint32_t id)
{
	__builtin_prefetch(&m->links[m->nbuckets + id], 1);
}

/*
 * Walk the entries of a bucket, in the order in which they came into it.
 *
 * Errors: HASH_MAP_NONE at the end.
 */
uint32_t rotating_map_first(const struct rotating_map *m, uint32_t bucket);
uint32_t rotating_map_next(const struct rotating_map *m, uint32_t id);

/*
 * Make all buckets older by some steps.  The oldest ones become the newest.
 *
 * Errors: none.
 */
void rotating_map_rotate(struct rotating_map *m, uint32_t steps);

#endif
