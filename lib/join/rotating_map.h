/*
 * rotating_map - a map whose entries lie in buckets that age by rotations.
 *
 * A rotation by one step makes each bucket the next older one; the oldest
 * comes round to the front:
 *
 *	     +-> [ bucket 0 ] -> [ bucket 1 ] -> [ bucket 2 ] --+
 *	     +--------------------------------------------------+
 *
 * There is one hash map for all; a bucket is a list through its entries.  So
 * get, add, move and del cost the same whatever the number of buckets, and a
 * rotation costs nothing.
 *
 * Source: Storm's RotatingMap, a list of hash maps that are all searched.  It
 *         drops what is in the oldest bucket; here the owner empties that
 *         before, or finds it in the newest.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_ROTATING_MAP_H
#define JOIN_ROTATING_MAP_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/span.h"

/*
 * In front of each value, and the head of a bucket, whose first and last entry
 * are the next and the previous one: a ring of ids, in which the head has the
 * number HASH_MAP_MOST and its place.
 */
struct rotating_link {
	uint32_t next, previous;
};

struct rotating_map {
	struct hash_map keys;
	struct rotating_link *buckets; /* a ring */
	uint32_t nbuckets;
	uint32_t newest; /* its place in the ring */
};

/*
 * Shape:  nbuckets is 2, as in Storm, to 65536; values have value_size bytes.
 * Errors: none.
 */
void rotating_map_init(struct rotating_map *m, uint32_t nbuckets,
    size_t value_size);
void rotating_map_fini(struct rotating_map *m);

/*
 * Make an entry of a key that is not there, in a bucket, 0 the newest.
 *
 * Shape:  hash is hash_bytes(key); the value is not zeroed.
 * Owns:   copies key, and label as hash_map_put does.  An id is good until its
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
	return (struct rotating_link *)hash_map_value(&m->keys, id) + 1;
}

/*
 * The first entry of a bucket, or the one after; in the order in which they
 * came into it.
 *
 * Errors: HASH_MAP_NONE at the end.
 */
uint32_t rotating_map_first(const struct rotating_map *m, uint32_t bucket);
uint32_t rotating_map_next(const struct rotating_map *m, uint32_t id);

/*
 * Make all buckets older by so many steps; those that were too old for that
 * are the newest then.
 *
 * Errors: none.
 */
void rotating_map_rotate(struct rotating_map *m, uint32_t steps);

#endif
