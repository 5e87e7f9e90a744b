/*
 * rotating_map - a map whose entries age by rotations, and fall out.
 *
 * Entries are in buckets, 0 the newest.  A rotation drops the oldest bucket
 * and puts a new one in front, so that with n buckets an entry falls out at
 * the n-th rotation after it was put, if it was not put again meanwhile.
 *
 *	put(k) -> [ bucket 0 ] [ bucket 1 ] [ bucket 2 ] -> dropped
 *	               after one, two,          three rotations
 *
 * There is one hash map for all; a bucket is a list through its entries.  So
 * get, put and del cost the same whatever the number of buckets, and a
 * rotation costs what it drops.
 *
 * Source: Storm's RotatingMap, a list of hash maps that are all searched.
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
	struct hash_map map;
	struct rotating_link *buckets; /* a ring */
	uint32_t nbuckets;
	uint32_t newest; /* its place in the ring */
};

/*
 * Shape:  nbuckets is 2, as in Storm, to 65536; values have value_size bytes,
 *         zeroed.
 * Errors: none.
 */
void rotating_map_init(struct rotating_map *m, uint32_t nbuckets,
    size_t value_size);
void rotating_map_fini(struct rotating_map *m);

/*
 * Find key, or HASH_MAP_NONE.  This does not make it younger.
 *
 * Shape:  hash is hash_bytes(key).
 * Owns:   an id is good until its entry is deleted or dropped.
 */
static inline uint32_t
rotating_map_get(const struct rotating_map *m, struct span key, uint64_t hash)
{
	return hash_map_get(&m->map, key, hash);
}

/*
 * Find or make the entry of key, and put it into a bucket, 0 the newest.
 *
 * Owns:   copies key, and label as hash_map_put does.
 */
uint32_t rotating_map_put(struct rotating_map *m, struct span key,
    struct span label, uint64_t hash, uint32_t bucket, bool *added);

/*
 * Put an entry into a bucket that was made in m->map by hash_map_add, and so
 * has a value that is not zeroed.
 */
void rotating_map_enter(struct rotating_map *m, uint32_t id, uint32_t bucket);

/* Move an entry to a bucket. */
void rotating_map_move(struct rotating_map *m, uint32_t id, uint32_t bucket);

/* Shape:  hash is that of the entry's key. */
void rotating_map_del(struct rotating_map *m, uint32_t id, uint64_t hash);

static inline void *
rotating_map_value(const struct rotating_map *m, uint32_t id)
{
	return (struct rotating_link *)hash_map_value(&m->map, id) + 1;
}

/* The number of entries. */
static inline size_t
rotating_map_size(const struct rotating_map *m)
{
	return m->map.live;
}

/* The first entry of a bucket, or the one after; HASH_MAP_NONE at the end. */
uint32_t rotating_map_first(const struct rotating_map *m, uint32_t bucket);
uint32_t rotating_map_next(const struct rotating_map *m, uint32_t id);

/*
 * Make all entries older by so many buckets.  What is too old for the oldest
 * one comes back in front, for the caller to put where it belongs.
 */
void rotating_map_turn(struct rotating_map *m, uint32_t steps);

/*
 * Drop the oldest bucket, then call fn for each entry that was in it, in the
 * order in which they were put.
 *
 * Shape:  fn may be NULL; it may put and delete other entries, also such
 *         that have the key of a dropped one.
 * Owns:   a dropped id can be read until fn returns.
 */
typedef void rotating_map_fn(void *arg, struct rotating_map *m, uint32_t id);
void rotating_map_rotate(struct rotating_map *m, rotating_map_fn *fn,
    void *arg);

#endif
