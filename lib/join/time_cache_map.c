/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "join/time_cache_map.h"

void
time_cache_map_init(struct time_cache_map *c, int64_t timeout, int64_t span,
    uint32_t nbuckets, size_t value_size)
{
	assert(timeout >= 0 && span >= timeout);
	*c = (struct time_cache_map){ .timeout = timeout,
		.earliest = INT64_MAX };
	/* Of two buckets, a period could be longer than an int64_t tells. */
	while (c->period_log2 < 62 &&
	    span / (nbuckets - 1) >> c->period_log2 != 0)
		c->period_log2++;
	rotating_map_init(&c->buckets, nbuckets,
	    sizeof(struct time_cache_stamp) + value_size);
}

void
time_cache_map_fini(struct time_cache_map *c)
{
	rotating_map_fini(&c->buckets);
	heap_fini(&c->expiring);
	*c = (struct time_cache_map){ 0 };
}

/* Tell whether what the heap has of an entry is still true of it. */
static bool
is_current(const void *arg, const struct heap_entry *e)
{
	const struct time_cache_map *c = arg;

	return hash_map_is_live(time_cache_map_keys(c), e->id) &&
	    time_cache_map_stamp(c, e->id)->order == e->order &&
	    time_cache_map_stamp(c, e->id)->time == e->time;
}

static void
push(struct time_cache_map *c, uint32_t id)
{
	const struct time_cache_stamp *s = time_cache_map_stamp(c, id);

	/* What is no longer true may be most of it. */
	if (heap_size(&c->expiring) >= 2 * time_cache_map_size(c) + 64)
		heap_filter(&c->expiring, is_current, c);
	heap_push(&c->expiring, (struct heap_entry){ s->time, s->order, id });
}

/* a - b, of which a is the greater; it may be more than an int64_t holds. */
static inline uint64_t
distance(int64_t a, int64_t b)
{
	return (uint64_t)a - (uint64_t)b;
}

/* Which period a time is in; of negative ones >> is towards the past too. */
static inline int64_t
period_of(const struct time_cache_map *c, int64_t time)
{
	return time >> c->period_log2;
}

/*
 * The bucket for a time.  What is too old for the oldest belongs there; what
 * is too far ahead waits in the newest, and is looked at again when that has
 * become the oldest.
 */
static inline uint32_t
bucket_of(struct time_cache_map *c, int64_t time)
{
	int64_t number = period_of(c, time);
	uint32_t last = c->buckets.nbuckets - 1;

	if (!c->started) {
		c->oldest =
		    number < INT64_MIN + last ? INT64_MIN : number - last;
		c->started = true;
	}
	if (number <= c->oldest)
		return last;
	if (distance(number, c->oldest) >= last)
		return 0;
	return last - (uint32_t)distance(number, c->oldest);
}

/* Stamp an entry that is in its bucket. */
static void
stamp(struct time_cache_map *c, uint32_t id, uint32_t bucket, int64_t time,
    uint64_t order)
{
	struct time_cache_stamp *s = time_cache_map_stamp(c, id);

	s->time = time;
	s->order = order;
	if (time < c->earliest)
		c->earliest = time;
	if (bucket == c->buckets.nbuckets - 1)
		push(c, id);
}

uint32_t
time_cache_map_add(struct time_cache_map *c, struct span key, struct span label,
    uint64_t hash, int64_t time, uint64_t order)
{
	uint32_t bucket = bucket_of(c, time);
	uint32_t id = rotating_map_add(&c->buckets, key, label, hash, bucket);

	time_cache_map_stamp(c, id)->hash = hash;
	stamp(c, id, bucket, time, order);
	return id;
}

void
time_cache_map_set_time(struct time_cache_map *c, uint32_t id, int64_t time,
    uint64_t order)
{
	uint32_t bucket = bucket_of(c, time);

	rotating_map_move(&c->buckets, id, bucket);
	stamp(c, id, bucket, time, order);
}

/* Fetch the stamp of an entry into the cache, and tell the next one. */
static inline uint32_t
fetch_stamp(const struct time_cache_map *c, uint32_t id)
{
	if (id == HASH_MAP_NONE)
		return id;
	__builtin_prefetch(time_cache_map_stamp(c, id));
	return rotating_map_next(&c->buckets, id);
}

/* Put what is in a bucket where it belongs; order what is expiring. */
static void
sort_out(struct time_cache_map *c, uint32_t from)
{
	enum { AHEAD = 8 };
	uint32_t id = rotating_map_first(&c->buckets, from), ahead = id, next;

	for (int i = 0; i < AHEAD; i++)
		ahead = fetch_stamp(c, ahead);
	for (; id != HASH_MAP_NONE; id = next) {
		uint32_t bucket =
		    bucket_of(c, time_cache_map_stamp(c, id)->time);

		next = rotating_map_next(&c->buckets, id);
		ahead = fetch_stamp(c, ahead);
		if (bucket != from)
			rotating_map_move(&c->buckets, id, bucket);
		else if (from == c->buckets.nbuckets - 1)
			push(c, id);
	}
}

/*
 * Let the period `number` be the oldest one, now that nothing is left in the
 * oldest bucket.  The buckets that are passed over come in front.
 */
static void
rotate_to(struct time_cache_map *c, int64_t number)
{
	uint32_t n = c->buckets.nbuckets;
	uint64_t ahead = distance(number, c->oldest);
	uint32_t steps = ahead < n ? (uint32_t)ahead : n;

	c->oldest = number;
	heap_clear(&c->expiring);
	rotating_map_rotate(&c->buckets, steps);
	for (uint32_t i = 0; i < steps && i < n - 1; i++)
		sort_out(c, i);
	sort_out(c, n - 1);
}

/*
 * Note that no entry is older than the top of the heap or, where that is empty,
 * than the bucket after the oldest.
 */
static void
note_earliest(struct time_cache_map *c)
{
	int64_t period = INT64_C(1) << c->period_log2, end;
	const struct heap_entry *first = heap_first(&c->expiring);

	if (first != NULL)
		c->earliest = first->time;
	else if (!c->started)
		c->earliest = INT64_MAX;
	else if (!__builtin_add_overflow(c->oldest, 1, &end) &&
	    !__builtin_mul_overflow(end, period, &end))
		c->earliest = end;
}

/*
 * Fetch into the cache the stamp of an entry that expires soon, and what is
 * needed to delete one that expires sooner, whose stamp is there by then.  In
 * line, as gcc drops a call of what only fetches.
 */
static inline __attribute__((always_inline)) void
look_at_next(const struct time_cache_map *c)
{
	uint32_t soon = time_cache_map_soon(c, TIME_CACHE_MAP_STAMP_SOON);
	uint32_t sooner = time_cache_map_soon(c, TIME_CACHE_MAP_KEY_SOON);

	if (soon != HASH_MAP_NONE)
		__builtin_prefetch(time_cache_map_stamp(c, soon));
	if (sooner == HASH_MAP_NONE)
		return;
	hash_map_prefetch(&c->buckets.keys,
	    time_cache_map_stamp(c, sooner)->hash);
	rotating_map_prefetch(&c->buckets, sooner);
}

uint32_t
time_cache_map_next(struct time_cache_map *c, int64_t last)
{
	int64_t number = period_of(c, last);
	const struct heap_entry *first;

	for (;;) {
		while ((first = heap_first(&c->expiring)) != NULL &&
		    !is_current(c, first))
			heap_pop(&c->expiring);
		if (first != NULL && first->time <= last) {
			look_at_next(c);
			return first->id;
		}
		if (first != NULL || !c->started || number <= c->oldest)
			break;
		rotate_to(c, number);
	}
	note_earliest(c);
	return HASH_MAP_NONE;
}

uint32_t
time_cache_map_oldest(struct time_cache_map *c)
{
	return time_cache_map_next(c, INT64_MAX);
}
