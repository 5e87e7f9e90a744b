/*
 * time_cache_map - when entries expire and in which order, whatever the
 * buckets; random operations against a naive map.
 *
 * SPDX-License-Identifier: ISC
 */
#include "join/time_cache_map.h"
#include "base/random.h"
#include "check.h"

enum { KEYS = 300, ROUNDS = 20000, TIMEOUT = 1000 };

struct known {
	bool live;
	int64_t time;
	uint64_t order;
};

static uint32_t
get(const struct time_cache_map *c, size_t key)
{
	char name[8];
	struct span k = { name, 0 };

	k.n = (size_t)snprintf(name, sizeof name, "%zu", key);
	return time_cache_map_get(c, HASH_MAP_NONE, k, hash_bytes(k));
}

/* Add a key, or have it count as added now. */
static void
put(struct time_cache_map *c, size_t key, int64_t time, uint64_t order)
{
	char name[8];
	struct span k = { name, 0 };
	uint32_t id = get(c, key);

	k.n = (size_t)snprintf(name, sizeof name, "%zu", key);
	if (id != HASH_MAP_NONE)
		time_cache_map_set_time(c, id, time, order);
	else
		time_cache_map_add(c, k, k, hash_bytes(k), time, order);
}

static void
init(struct time_cache_map *c, uint32_t nbuckets)
{
	time_cache_map_init(c, TIMEOUT, TIMEOUT, nbuckets, sizeof(int));
}

static void
bound_is_included(void)
{
	struct time_cache_map c;

	init(&c, 3);
	put(&c, 1, 5, 1);
	CHECK_EQ(time_cache_map_expired(&c, 5 + TIMEOUT), HASH_MAP_NONE);
	CHECK(get(&c, 1) != HASH_MAP_NONE); /* get does not refresh */
	CHECK_EQ(time_cache_map_expired(&c, 6 + TIMEOUT), get(&c, 1));
	CHECK_EQ(time_cache_map_size(&c), 1); /* until it is deleted */
	time_cache_map_set_time(&c, get(&c, 1), 6, 2);
	CHECK_EQ(time_cache_map_expired(&c, 6 + TIMEOUT), HASH_MAP_NONE);
	CHECK_EQ(time_cache_map_expired(&c, 7 + TIMEOUT), get(&c, 1));
	time_cache_map_set_time(&c, get(&c, 1), 100, 2);
	CHECK_EQ(time_cache_map_expired(&c, 7 + TIMEOUT), HASH_MAP_NONE);
	time_cache_map_del(&c, get(&c, 1));
	CHECK_EQ(time_cache_map_oldest(&c), HASH_MAP_NONE);
	time_cache_map_fini(&c);
}

static void
far_future_and_past(void)
{
	static const int64_t times[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1,
		INT64_MAX - TIMEOUT, INT64_MAX - 1, INT64_MAX };
	enum { N = sizeof times / sizeof times[0] };

	for (uint32_t nbuckets = 2; nbuckets < 400; nbuckets += 99)
		for (size_t start = 0; start < N; start++) {
			struct time_cache_map c;
			uint32_t id;

			init(&c, nbuckets);
			for (size_t i = 0; i < N; i++)
				put(&c, (start + i) % N, times[(start + i) % N],
				    i);
			for (size_t i = 0; i < N; i++) {
				int64_t last;

				/* Not before its time, if there is one. */
				if (!__builtin_add_overflow(times[i],
					(int64_t)TIMEOUT, &last)) {
					CHECK_EQ(time_cache_map_expired(&c,
						     last),
					    HASH_MAP_NONE);
					if (last < INT64_MAX)
						CHECK_EQ(time_cache_map_expired(
							     &c, last + 1),
						    get(&c, i));
				}
				id = time_cache_map_oldest(&c);
				CHECK_EQ(id, get(&c, i));
				time_cache_map_del(&c, id);
			}
			CHECK_EQ(time_cache_map_size(&c), 0);
			time_cache_map_fini(&c);
		}
}

/* What the heap has of former times is thrown away, and nothing else. */
static void
many_renewals(void)
{
	struct time_cache_map c;

	init(&c, 3);
	put(&c, 9, 100 * TIMEOUT,
	    1); /* what is older is of the oldest bucket */
	for (uint64_t i = 0; i < 1000; i++) {
		put(&c, i % 3, (int64_t)(i * 7 % 5), i + 2);
		CHECK(heap_size(&c.expiring) <=
		    2 * time_cache_map_size(&c) + 65);
	}
	/* The last times are those of i 997, 998 and 999: 4, 1 and 3. */
	for (size_t i = 0; i < 3; i++) {
		static const size_t order[] = { 2, 0, 1 };
		uint32_t id = time_cache_map_expired(&c, 10 + TIMEOUT);

		CHECK_EQ(id, get(&c, order[i]));
		time_cache_map_del(&c, id);
	}
	CHECK_EQ(time_cache_map_oldest(&c), get(&c, 9));
	time_cache_map_fini(&c);
}

/* The first to go of those that are at most that old; KEYS where none is. */
static size_t
first_to_go(const struct known *known, int64_t now)
{
	size_t first = KEYS;

	for (size_t i = 0; i < KEYS; i++)
		if (known[i].live && now - known[i].time > TIMEOUT &&
		    (first == KEYS || known[i].time < known[first].time ||
			(known[i].time == known[first].time &&
			    known[i].order < known[first].order)))
			first = i;
	return first;
}

static void
random_operations(uint32_t nbuckets, uint64_t seed)
{
	struct random rng = { seed };
	struct known known[KEYS] = { { 0 } };
	struct time_cache_map c;
	int64_t now = 0;
	size_t live = 0;

	init(&c, nbuckets);
	for (uint64_t i = 1; i < ROUNDS; i++) {
		size_t k = random_below(&rng, KEYS), first;
		int64_t time =
		    now + (int64_t)random_below(&rng, 3 * TIMEOUT) - TIMEOUT;
		uint32_t id = get(&c, k);

		CHECK_EQ(id != HASH_MAP_NONE, known[k].live);
		if (random_below(&rng, 50) == 0)
			time += 40 * TIMEOUT;
		switch (random_below(&rng, 6)) {
		case 0:
			if (known[k].live)
				time_cache_map_del(&c, id);
			live -= known[k].live;
			known[k].live = false;
			break;
		case 1:
			if (!known[k].live)
				break;
			time_cache_map_set_time(&c, id, time, i);
			known[k] = (struct known){ true, time, i };
			break;
		case 2: /* now may go back, too */
			now += (int64_t)random_below(&rng, 400) - 50;
			if (random_below(&rng, 200) == 0)
				now += 30 * TIMEOUT;
			while ((first = first_to_go(known, now)) < KEYS) {
				id = time_cache_map_expired(&c, now);
				CHECK_EQ(id, get(&c, first));
				if (id == HASH_MAP_NONE)
					return;
				CHECK_EQ(time_cache_map_time(&c, id),
				    known[first].time);
				time_cache_map_del(&c, id);
				known[first].live = false;
				live--;
			}
			CHECK_EQ(time_cache_map_expired(&c, now),
			    HASH_MAP_NONE);
			break;
		default:
			put(&c, k, time, i);
			live += !known[k].live;
			known[k] = (struct known){ true, time, i };
		}
		CHECK_EQ(time_cache_map_size(&c), live);
	}
	time_cache_map_fini(&c);
}

int
main(void)
{
	bound_is_included();
	far_future_and_past();
	many_renewals();
	for (uint32_t n = 2; n <= 5; n++)
		random_operations(n, n);
	random_operations(64, 64);
	random_operations(300, 300);
	return check_done("time_cache_map");
}
