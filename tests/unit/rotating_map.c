/*
 * rotating_map - the cases that Storm's class has no test for, and random
 * operations on a map and on a naive one.
 *
 * SPDX-License-Identifier: ISC
 */
#include "join/rotating_map.h"
#include "base/random.h"
#include "check.h"

enum { KEYS = 40, ROUNDS = 30000, MOST = 8 };

static char dropped[4 * KEYS * 8];
static int last_value;

static void
note(void *arg, struct rotating_map *m, uint32_t id)
{
	struct span key = hash_map_key(&m->map, id);

	(void)arg;
	strncat(dropped, key.p, key.n);
	last_value = *(int *)rotating_map_value(m, id);
}

/* Rotate, and give what was dropped. */
static const char *
rotate(struct rotating_map *m)
{
	dropped[0] = '\0';
	rotating_map_rotate(m, note, NULL);
	return dropped;
}

static void
put(struct rotating_map *m, const char *key, int value)
{
	struct span k = span_of(key);
	bool added;
	uint32_t id = rotating_map_put(m, k, k, hash_bytes(k), 0, &added);

	*(int *)rotating_map_value(m, id) = value;
}

static uint32_t
get(struct rotating_map *m, const char *key)
{
	return rotating_map_get(m, span_of(key), hash_bytes(span_of(key)));
}

static void
del(struct rotating_map *m, const char *key)
{
	rotating_map_del(m, get(m, key), hash_bytes(span_of(key)));
}

static void
expiry_and_refresh(void)
{
	struct rotating_map m;

	rotating_map_init(&m, 3, sizeof(int));
	put(&m, "a", 1);
	CHECK_STR(rotate(&m), "");
	put(&m, "b", 2);
	CHECK_STR(rotate(&m), "");
	put(&m, "a", 3);
	CHECK_EQ(rotating_map_size(&m), 2);
	CHECK_STR(rotate(&m), "");
	CHECK_STR(rotate(&m), "b");
	CHECK_EQ(rotating_map_size(&m), 1);
	CHECK_STR(rotate(&m), "a");
	CHECK_EQ(last_value, 3);
	CHECK_EQ(rotating_map_size(&m), 0);
	CHECK_EQ(get(&m, "a"), HASH_MAP_NONE);
	rotating_map_fini(&m);
}

static void
removed_is_not_dropped(void)
{
	struct rotating_map m;

	rotating_map_init(&m, 3, sizeof(int));
	put(&m, "a", 1);
	del(&m, "a");
	for (int i = 0; i < 4; i++)
		CHECK_STR(rotate(&m), "");
	rotating_map_fini(&m);
}

static void
get_does_not_refresh(void)
{
	struct rotating_map m;

	rotating_map_init(&m, 3, sizeof(int));
	put(&m, "a", 1);
	CHECK(get(&m, "a") != HASH_MAP_NONE);
	CHECK_STR(rotate(&m), "");
	CHECK(get(&m, "a") != HASH_MAP_NONE);
	CHECK_STR(rotate(&m), "");
	CHECK(get(&m, "a") != HASH_MAP_NONE);
	CHECK_STR(rotate(&m), "a");
	rotating_map_fini(&m);
}

/* As a callback may: put what was just dropped, and drop something else. */
static void
put_again(void *arg, struct rotating_map *m, uint32_t id)
{
	const char *victim = arg;
	struct span key = hash_map_key(&m->map, id);
	char name[8] = "";

	strncat(name, key.p, key.n);
	CHECK_EQ(get(m, name), HASH_MAP_NONE); /* it is gone already */
	put(m, name, 9);
	if (get(m, victim) != HASH_MAP_NONE)
		del(m, victim);
}

static void
callback_may_change_the_map(void)
{
	struct rotating_map m;

	rotating_map_init(&m, 2, sizeof(int));
	put(&m, "a", 1);
	put(&m, "b", 2);
	CHECK_STR(rotate(&m), "");
	put(&m, "c", 3);
	rotating_map_rotate(&m, put_again, (void *)(uintptr_t) "c");
	CHECK_EQ(rotating_map_size(&m), 2);
	CHECK_STR(rotate(&m), "");
	CHECK_STR(rotate(&m), "ab");
	CHECK_EQ(last_value, 9);
	rotating_map_fini(&m);
}

/* The same with an age for each key: dropped at age nbuckets. */
static void
random_operations(uint32_t nbuckets)
{
	struct random rng = { 7 + nbuckets };
	struct rotating_map m;
	int age[KEYS], value[KEYS] = { 0 };
	uint64_t order[KEYS] = { 0 };
	size_t live = 0;

	rotating_map_init(&m, nbuckets, sizeof(int));
	for (int i = 0; i < KEYS; i++)
		age[i] = -1;
	for (int i = 1; i < ROUNDS; i++) {
		size_t k = random_below(&rng, KEYS);
		char name[8];

		snprintf(name, sizeof name, "%c", (int)('0' + k));
		switch (random_below(&rng, 8)) {
		case 0:
			if (age[k] < 0)
				break;
			del(&m, name);
			age[k] = -1;
			live--;
			break;
		case 1: {
			char want[KEYS + 1] = "";

			for (int j = 0; j < KEYS; j++)
				age[j] += age[j] >= 0;
			for (;;) { /* in the order in which they were put */
				int next = -1;

				for (int j = 0; j < KEYS; j++)
					if (age[j] == (int)nbuckets &&
					    (next < 0 ||
						order[j] < order[next]))
						next = j;
				if (next < 0)
					break;
				want[strlen(want)] = (char)('0' + next);
				age[next] = -1;
				live--;
			}
			CHECK_STR(rotate(&m), want);
			break;
		}
		case 2:
		case 3:
			live += age[k] < 0;
			put(&m, name, i);
			age[k] = 0;
			value[k] = i;
			order[k] = (uint64_t)i;
			break;
		default:
			CHECK_EQ(get(&m, name) != HASH_MAP_NONE, age[k] >= 0);
			if (age[k] >= 0)
				CHECK_EQ(*(int *)rotating_map_value(&m,
					     get(&m, name)),
				    value[k]);
		}
		CHECK_EQ(rotating_map_size(&m), live);
	}
	rotating_map_fini(&m);
}

int
main(void)
{
	expiry_and_refresh();
	removed_is_not_dropped();
	get_does_not_refresh();
	callback_may_change_the_map();
	for (uint32_t n = 2; n <= MOST; n++)
		random_operations(n);
	random_operations(300);
	return check_done("rotating_map");
}
