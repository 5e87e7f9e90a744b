/*
 * time_cache_map - a map whose entries expire a fixed time after they were
 * added: the table of what waits in a join.
 *
 * An entry added at time t expires once now is more than t + timeout.  Entries
 * expire in the order of their times, then of the order that they were added
 * with.  Time is the caller's, and may go back and forth: what is added need
 * not be newer than what is there.
 *
 * It is a rotating_map, a bucket for each period: span / (buckets - 1) or
 * more, a power of two for the bucket of a time to be found without dividing.
 * Only the oldest bucket, which is expiring, is kept in order (a heap).  So
 * get, add and del are O(1) whatever the number of buckets and entries, and
 * ordering costs only those that live on until they expire.
 *
 *	times    [ 80..96 ) [ 64..80 ) ... [ 16..32 )   timeout 40, now 65
 *	buckets      0          1            4 (heap)   next to go: below 25
 *
 * Source: Storm's TimeCacheMap, whose entries expire a whole bucket at a
 *         time, between timeout and timeout * (1 + 1/(buckets-1)) after it
 *         was put, from a thread that sleeps.  Here they expire at timeout, in
 *         the call that says that time has come.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_TIME_CACHE_MAP_H
#define JOIN_TIME_CACHE_MAP_H

#include "base/heap.h"
#include "join/rotating_map.h"

/* In front of each value. */
struct time_cache_stamp {
	int64_t time;
	uint64_t order;
};

struct time_cache_map {
	struct rotating_map buckets;
	int64_t earliest; /* no entry is older than that */
	int64_t timeout;
	int period_log2;
	int64_t oldest;	      /* the number of the oldest bucket's period */
	bool started;	      /* oldest is set */
	struct heap expiring; /* the oldest bucket, and entries gone since */
};

/*
 * Shape:  timeout >= 0; nbuckets >= 2; span >= timeout is how far apart the
 *         times of entries usually are, which buckets are cut for.
 * Errors: none.
 */
void time_cache_map_init(struct time_cache_map *c, int64_t timeout,
    int64_t span, uint32_t nbuckets, size_t value_size);
void time_cache_map_fini(struct time_cache_map *c);

/*
 * The keys and labels, by id, for a look ahead or for walking them all.
 *
 * Owns:   the map's; an entry's are good until the next add.
 */
static inline const struct hash_map *
time_cache_map_keys(const struct time_cache_map *c)
{
	return &c->buckets.keys;
}

/* The number of entries, expired ones that were not deleted among them. */
static inline size_t
time_cache_map_size(const struct time_cache_map *c)
{
	return time_cache_map_keys(c)->live;
}

/* Find key, or HASH_MAP_NONE; hint as hash_map_get_hinted takes it. */
static inline uint32_t
time_cache_map_get(const struct time_cache_map *c, uint32_t hint,
    struct span key, uint64_t hash)
{
	return hash_map_get_hinted(time_cache_map_keys(c), hint, key, hash);
}

/*
 * Make an entry of a key that is not there, which counts as put at time.
 *
 * Shape:  order is unique; the value is not zeroed.
 * Owns:   copies key and label, see hash_map_put.
 * Errors: none.
 */
uint32_t time_cache_map_add(struct time_cache_map *c, struct span key,
    struct span label, uint64_t hash, int64_t time, uint64_t order);

/* Let an entry count as added at another time. */
void time_cache_map_set_time(struct time_cache_map *c, uint32_t id,
    int64_t time, uint64_t order);

/* Shape:  hash is that of the entry's key. */
static inline void
time_cache_map_del(struct time_cache_map *c, uint32_t id, uint64_t hash)
{
	rotating_map_del(&c->buckets, id, hash);
}

/*
 * The value, when it was added, and what with: order, key, label.
 * The stamp is for the others and this module.
 *
 * Owns:   good until the next add.
 */
static inline struct time_cache_stamp *
time_cache_map_stamp(const struct time_cache_map *c, uint32_t id)
{
	return rotating_map_value(&c->buckets, id);
}

static inline void *
time_cache_map_value(const struct time_cache_map *c, uint32_t id)
{
	return time_cache_map_stamp(c, id) + 1;
}

static inline int64_t
time_cache_map_time(const struct time_cache_map *c, uint32_t id)
{
	return time_cache_map_stamp(c, id)->time;
}

static inline uint64_t
time_cache_map_order(const struct time_cache_map *c, uint32_t id)
{
	return time_cache_map_stamp(c, id)->order;
}

static inline struct span
time_cache_map_key(const struct time_cache_map *c, uint32_t id)
{
	return hash_map_key(time_cache_map_keys(c), id);
}

static inline struct span
time_cache_map_label(const struct time_cache_map *c, uint32_t id)
{
	return hash_map_label(time_cache_map_keys(c), id);
}

/*
 * Tell which entry is the next to go, if it was added at `last` or before.
 *
 * Errors: HASH_MAP_NONE where there is none.
 */
uint32_t time_cache_map_next(struct time_cache_map *c, int64_t last);

/*
 * Tell which entry has expired by now and is the next to go: the caller
 * deletes it, or sets another time.
 *
 * Errors: HASH_MAP_NONE where none has.
 */
static inline uint32_t
time_cache_map_expired(struct time_cache_map *c, int64_t now)
{
	int64_t limit;

	/* The bound itself has not expired; one of INT64_MIN never has. */
	if (__builtin_sub_overflow(now, c->timeout, &limit) ||
	    limit <= c->earliest)
		return HASH_MAP_NONE;
	return time_cache_map_next(c, limit - 1);
}

/*
 * Tell which entry is the next to go, whenever that may be.
 *
 * Errors: HASH_MAP_NONE where there is none.
 */
uint32_t time_cache_map_oldest(struct time_cache_map *c);

#endif
