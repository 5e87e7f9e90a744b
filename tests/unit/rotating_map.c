/*
 * rotating_map - random operations against an array that has the bucket of
 * each key, and when it came into it.
 *
 * SPDX-License-Identifier: ISC
 */
#include "join/rotating_map.h"
#include "base/random.h"
#include "check.h"

enum { KEYS = 40, ROUNDS = 5000, MOST = 6 };

struct known {
	bool live;
	uint32_t bucket;
	int since;
	uint32_t id;
};

static struct span
name_of(size_t key, char text[4])
{
	return (struct span){ text, (size_t)snprintf(text, 4, "%zu", key) };
}

/* The key that came into a bucket first after a time; KEYS where none did. */
static size_t
next_of(const struct known *known, uint32_t bucket, int since)
{
	size_t next = KEYS;

	for (size_t i = 0; i < KEYS; i++)
		if (known[i].live && known[i].bucket == bucket &&
		    known[i].since > since &&
		    (next == KEYS || known[i].since < known[next].since))
			next = i;
	return next;
}

static void
check_buckets(const struct rotating_map *m, const struct known *known)
{
	for (uint32_t bucket = 0; bucket < m->nbuckets; bucket++) {
		uint32_t id = rotating_map_first(m, bucket);
		int since = 0;
		size_t key;

		while ((key = next_of(known, bucket, since)) < KEYS) {
			CHECK_EQ(id, known[key].id);
			if (id != known[key].id)
				return;
			CHECK_EQ(*(size_t *)rotating_map_value(m, id), key);
			since = known[key].since;
			id = rotating_map_next(m, id);
		}
		CHECK_EQ(id, HASH_MAP_NONE);
	}
}

static void
random_operations(uint32_t nbuckets)
{
	struct random rng = { 7 + nbuckets };
	struct known known[KEYS] = { { 0 } };
	struct rotating_map m;
	char text[4];

	rotating_map_init(&m, nbuckets, sizeof(size_t));
	for (int i = 1; i < ROUNDS; i++) {
		size_t key = random_below(&rng, KEYS);
		struct known *k = &known[key];
		uint32_t bucket = (uint32_t)random_below(&rng, nbuckets);
		uint32_t steps = (uint32_t)random_below(&rng, 2 * nbuckets);
		struct span name = name_of(key, text);

		if (random_below(&rng, 8) == 0) {
			rotating_map_rotate(&m, steps);
			for (size_t j = 0; j < KEYS; j++)
				known[j].bucket =
				    (known[j].bucket + steps) % nbuckets;
		} else if (!k->live) {
			*k = (struct known){ true, bucket, i,
				rotating_map_add(&m, name, name,
				    hash_bytes(name), bucket) };
			*(size_t *)rotating_map_value(&m, k->id) = key;
		} else if (random_below(&rng, 3) == 0) {
			rotating_map_del(&m, k->id, hash_bytes(name));
			k->live = false;
		} else {
			rotating_map_move(&m, k->id, bucket);
			k->bucket = bucket;
			k->since = i;
		}
		check_buckets(&m, known);
	}
	rotating_map_fini(&m);
}

int
main(void)
{
	for (uint32_t n = 2; n <= MOST; n++)
		random_operations(n);
	random_operations(300);
	return check_done("rotating_map");
}
