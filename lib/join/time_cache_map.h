/*
 * time_cache_map - a map whose entries expire a fixed time after their own
 * time: the tuples that wait in a join, or the keys that dedup has seen.
 *
 * An entry of time t expires when now is more than t + timeout.  Entries expire
 * in the order of their times, then of the numbers that they were added with.
 * The caller says what time it is; entries can be added in any order of times.
 *
 * Entries are in the buckets of a rotating_map, each of which covers a period
 * of time.  Only the oldest bucket is sorted, by a heap.  So get, add and del
 * are O(1), and only entries that are not deleted before they expire cost the
 * logarithm of a sort.  A period is a power of two, so that the bucket of a
 * time is found without dividing; it is span / (buckets - 1) or more.
 *
 *	times    [ 80..96 ) [ 64..80 ) ... [ 16..32 )   timeout 40, now 65
 *	buckets      0          1            4 (heap)   next to go: below 25
 *
 * Source: Storm's TimeCacheMap.  There a thread that sleeps expires a whole
 *         bucket at once, between timeout and timeout * (1 + 1/(buckets-1))
 *         after its entries were put.  Here each expires at its timeout, in
 *         a call of the owner.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_TIME_CACHE_MAP_H
#define JOIN_TIME_CACHE_MAP_H

#include "base/heap.h"
#include "join/rotating_map.h"

/* What is before each value. */
struct time_cache_stamp {
	int64_t time;
	uint64_t order;
	uint64_t hash; /* of the key */
};

struct time_cache_map {
	struct rotating_map buckets;
	int64_t earliest; /* no entry has an earlier time */
	int64_t timeout;
	int period_log2;
	int64_t oldest;	      /* which period the oldest bucket has */
	bool started;	      /* oldest is set */
	struct heap expiring; /* the oldest bucket; some are deleted already */
};

/* How many buckets a map has, but for tests. */
enum { TIME_CACHE_MAP_BUCKETS = 64 };

/*
 * Make an empty map.
 *
 * Shape:  timeout >= 0; 2 <= nbuckets <= 65536; span >= timeout is how far
 *         apart the times of entries usually are.
 * Errors: none.
 */
void time_cache_map_init(struct time_cache_map *c, int64_t timeout,
    int64_t span, uint32_t nbuckets, size_t value_size);
void time_cache_map_fini(struct time_cache_map *c);

/*
 * The keys and labels by id, for keys_look_ahead or for walking all entries.
 *
 * Owns:   they are the map's; those of an entry are valid until the next add.
 */
static inline const struct hash_map *
time_cache_map_keys(const struct time_cache_map *c)
{
	return &c->buckets.keys;
}

/* The number of entries, with expired ones that were not deleted yet. */
static inline size_t
time_cache_map_size(const struct time_cache_map *c)
{
	return time_cache_map_keys(c)->live;
}

/* The entry of key, or HASH_MAP_NONE; for hint see hash_map_look_ahead. */
static inline uint32_t
time_cache_map_get(const struct time_cache_map *c, uint32_t hint,
    struct span key, uint64_t hash)
{
	return hash_map_get_hinted(time_cache_map_keys(c), hint, key, hash);
}

/*
 * Add a key that is not there, with its time.  The value is not zeroed.
 *
 * Shape:  no other entry has the same order.
 * Owns:   copies key and label, see hash_map_put.
 * Errors: none.
 */
uint32_t time_cache_map_add(struct time_cache_map *c, struct span key,
    struct span label, uint64_t hash, int64_t time, uint64_t order);

/* Give an entry another time and order. */
void time_cache_map_set_time(struct time_cache_map *c, uint32_t id,
    int64_t time, uint64_t order);

/* Delete an entry. */
static inline void time_cache_map_del(struct time_cache_map *c, uint32_t id);

/*
 * What an entry has: its value, time, order, key and label.  (_stamp is used
 * by this module only.)
 *
 * Owns:   valid until the next add.
 */
static inline struct time_cache_stamp *
time_cache_map_stamp(const struct time_cache_map *c, uint32_t id)
{
	return rotating_map_value(&c->buckets, id);
}

static inline void
time_cache_map_del(struct time_cache_map *c, uint32_t id)
{
	rotating_map_del(&c->buckets, id, time_cache_map_stamp(c, id)->hash);
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
 * The entry that expires next, if its time is `last` or earlier.
 *
 * Errors: HASH_MAP_NONE if there is none.
 */
uint32_t time_cache_map_next(struct time_cache_map *c, int64_t last);

/*
 * The next entry that has expired.  The caller deletes it, or gives it another
 * time.
 *
 * Errors: HASH_MAP_NONE if none has expired.
 */
static inline uint32_t
time_cache_map_expired(struct time_cache_map *c, int64_t now)
{
	int64_t limit;

	/* At time + timeout it has not expired yet. */
	if (__builtin_sub_overflow(now, c->timeout, &limit) ||
	    limit <= c->earliest)
		return HASH_MAP_NONE;
	return time_cache_map_next(c, limit - 1);
}

/*
 * How many entries before its turn an entry is fetched into the cache: its
 * stamp, then what is read to delete it, then what its value points to.
 */
enum {
	TIME_CACHE_MAP_STAMP_SOON = 16,
	TIME_CACHE_MAP_KEY_SOON = 8,
	TIME_CACHE_MAP_VALUE_SOON = 4,
};

/*
 * For prefetching: the entry that probably expires as the i-th after the next,
 * which may be deleted already.
 *
 * Errors: HASH_MAP_NONE if there are not so many, or the map fits a core's
 *         cache.
 */
static inline uint32_t
time_cache_map_soon(const struct time_cache_map *c, size_t i)
{
	enum { MANY = 16384 };
	const struct heap_entry *e = heap_soon(&c->expiring, i);

	return e == NULL || time_cache_map_size(c) < MANY ? HASH_MAP_NONE :
							    e->id;
}

/*
 * The entry that expires next, whenever that is.
 *
 * Errors: HASH_MAP_NONE if the map is empty.
 */
uint32_t time_cache_map_oldest(struct time_cache_map *c);

#endif
