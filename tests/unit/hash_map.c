/*
 * hash_map - random operations on a map and on a plain list, and what is
 * promised of ids, labels and the order.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/hash_map.h"
#include "base/random.h"
#include "check.h"

enum { KEYS = 3000, LONGEST = 60, ROUNDS = 60000 };

/* A key that may be in the map, and what the map must know of it. */
struct known {
	char key[LONGEST];
	size_t n;
	char label[LONGEST];
	size_t label_n;
	int64_t value;
	uint32_t id;
	uint64_t when; /* inserted; 0: not in the map */
};

static struct random rng = { 3 };
static struct known known[KEYS];
static uint64_t now;
static size_t nknown;

static struct span
key_of(const struct known *k)
{
	return (struct span){ k->key, k->n };
}

/* Different keys of lengths around HASH_MAP_INLINE, with NUL within. */
static void
make_keys(void)
{
	for (size_t i = 0; i < KEYS; i++) {
		struct known *k = &known[i];

		k->n = i < 2 ? i : 2 + random_below(&rng, i % 3 == 0 ? 4 : 40);
		memset(k->key, i % 2 == 0 ? 0 : 'x', k->n);
		if (i > 1) {
			k->key[0] = (char)(i & 0xff);
			k->key[k->n - 1] = (char)(i >> 8);
		}
		if (k->n > 2)
			k->key[1] = (char)random_next(&rng);
		for (size_t j = 0; j < i; j++)
			if (span_eq(key_of(&known[j]), key_of(k))) {
				i--; /* once more */
				break;
			}
	}
}

static void
put(struct hash_map *m, struct known *k)
{
	uint32_t before = m->live;
	struct span key = key_of(k), label = key;
	char text[LONGEST];
	bool added, labelled = random_below(&rng, 3) == 0;
	uint32_t id, hint;

	if (labelled) {
		size_t n = random_below(&rng, 30);

		memset(text, (int)random_below(&rng, 256), sizeof text);
		label = (struct span){ text, n };
	}
	/* Whatever the hint is, also a hole or another's place. */
	hint = k->when != 0 && random_below(&rng, 2) == 0 ?
	    k->id :
	    (uint32_t)random_below(&rng, m->end + 2);
	CHECK_EQ(hash_map_get_hinted(m, hint, key, hash_bytes(key)),
	    k->when == 0 ? HASH_MAP_NONE : k->id);
	if (random_below(&rng, 2) == 0)
		id = hash_map_put_hinted(m, hint, key, label, hash_bytes(key),
		    &added);
	else
		id = hash_map_put(m, key, label, hash_bytes(key), &added);
	CHECK(added == (k->when == 0));
	CHECK(m->live == before + added);
	if (added) {
		int64_t *value = hash_map_value(m, id);

		CHECK_EQ(*value, 0);
		CHECK_EQ(id, m->end - 1);
		k->id = id;
		k->when = ++now;
		k->label_n = label.n;
		memcpy(k->label, label.p, label.n);
		*value = k->value = (int64_t)random_next(&rng);
		nknown++;
	}
	CHECK_EQ(id, k->id);
}

static void
forget_all(void)
{
	for (size_t i = 0; i < KEYS; i++)
		known[i].when = 0;
	nknown = 0;
}

static void
del(struct hash_map *m, struct known *k)
{
	if (k->when == 0)
		return;
	hash_map_del(m, k->id);
	k->when = 0;
	nknown--;
	CHECK(nknown == 0 || !hash_map_is_live(m, k->id));
}

static void
compact(struct hash_map *m)
{
	uint32_t *renamed = memory_new(m->end, sizeof *renamed);
	bool wanted = random_below(&rng, 2) == 0;

	hash_map_compact(m, wanted ? renamed : NULL);
	for (size_t i = 0; i < KEYS; i++) {
		struct known *k = &known[i];
		uint32_t id;

		if (k->when == 0)
			continue;
		id = hash_map_get(m, key_of(k), hash_bytes(key_of(k)));
		CHECK(!wanted || renamed[k->id] == id);
		CHECK(id <= k->id);
		k->id = id;
	}
	CHECK_EQ(m->end, m->live);
	CHECK(!hash_map_is_sparse(m));
	free(renamed);
}

/* Everything is there, nothing else is, and ids ascend with time. */
static void
compare(const struct hash_map *m)
{
	uint64_t *when = memory_new((size_t)m->end + 1, sizeof *when);
	uint64_t last = 0;
	uint32_t nlive = 0;

	for (size_t i = 0; i < KEYS; i++) {
		const struct known *k = &known[i];
		uint32_t id = hash_map_get(m, key_of(k), hash_bytes(key_of(k)));

		if (k->when == 0) {
			CHECK(id == HASH_MAP_NONE);
			continue;
		}
		if (!CHECK(id == k->id))
			continue;
		when[id] = k->when;
		CHECK(hash_map_is_live(m, id));
		CHECK(span_eq(hash_map_key(m, id), key_of(k)));
		CHECK(span_eq(hash_map_label(m, id),
		    (struct span){ k->label, k->label_n }));
		CHECK(*(int64_t *)hash_map_value(m, id) == k->value);
	}
	for (uint32_t id = 0; id < m->end; id++) {
		CHECK(hash_map_is_live(m, id) == (when[id] != 0));
		if (when[id] == 0)
			continue;
		nlive++;
		CHECK(when[id] > last);
		last = when[id];
	}
	CHECK_EQ(nlive, nknown);
	CHECK_EQ(m->live, nknown);
	free(when);
}

static void
random_operations(void)
{
	struct hash_map m;

	hash_map_init(&m, sizeof(int64_t));
	for (unsigned i = 0; i < ROUNDS; i++) {
		/* Grow for a while, shrink for a while. */
		struct known *k = &known[random_below(&rng, KEYS)];
		bool growing = i / 10000 % 2 == 0;

		if (random_below(&rng, 10) < (growing ? 7 : 2))
			put(&m, k);
		else
			del(&m, k);
		if (i % 3000 == 2999)
			compare(&m);
		if (hash_map_is_sparse(&m) && i % 5 == 0)
			compact(&m);
		if (i == ROUNDS / 2) {
			hash_map_clear(&m);
			forget_all();
			compare(&m);
		}
	}
	for (size_t i = 0; i < KEYS; i++)
		del(&m, &known[i]);
	compare(&m);
	CHECK_EQ(m.end, 0);
	put(&m, &known[1]);
	CHECK_EQ(known[1].id, 0);
	hash_map_fini(&m);
	forget_all();
}

/* Some small cases by hand. */
static void
by_hand(void)
{
	struct hash_map m;
	struct span a = SPAN("a\0b"), b = SPAN("a\0c"), none = SPAN("");
	struct span label = SPAN("\"a\"");
	bool added;
	uint32_t id;

	hash_map_init(&m, 0);
	CHECK(hash_map_get(&m, a, hash_bytes(a)) == HASH_MAP_NONE);
	CHECK(hash_map_put(&m, a, label, hash_bytes(a), &added) == 0 && added);
	CHECK(hash_map_put(&m, b, b, hash_bytes(b), &added) == 1 && added);
	CHECK(hash_map_put(&m, a, a, hash_bytes(a), &added) == 0 && !added);
	CHECK(span_eq(hash_map_label(&m, 0), label)); /* the first one's */
	CHECK(span_eq(hash_map_key(&m, 0), a));
	CHECK(span_eq(hash_map_label(&m, 1), b));
	id = hash_map_put(&m, none, none, hash_bytes(none), &added);
	CHECK(id == 2 && added && hash_map_key(&m, id).n == 0);
	hash_map_del(&m, 0);
	CHECK(!hash_map_is_live(&m, 0) && hash_map_is_live(&m, 1));
	CHECK(hash_map_put(&m, a, a, hash_bytes(a), &added) == 3 && added);
	CHECK(span_eq(hash_map_label(&m, 3), a));
	hash_map_clear(&m);
	CHECK(m.live == 0 && m.end == 0);
	CHECK(hash_map_get(&m, b, hash_bytes(b)) == HASH_MAP_NONE);
	hash_map_fini(&m);
}

/* Keys with labels: those of up to 14 bytes are in their entries, others not. */
static void
labels(void)
{
	static const char text[] = "abcdefghijklmnopqrstuvwxyz";
	struct span key = { text, 0 }, label = { text + 1, 25 };
	struct hash_map m;

	hash_map_init(&m, 8);
	for (; key.n <= 24; key.n++, label.n--)
		CHECK_EQ(hash_map_add(&m, key, label, hash_bytes(key)), key.n);
	for (uint32_t id = 1; id <= 24; id += 2)
		hash_map_del(&m, id);
	hash_map_compact(&m, NULL);
	for (uint32_t id = 0; id <= 12; id++) {
		key.n = 2 * id;
		label.n = 25 - key.n;
		CHECK_EQ(hash_map_get(&m, key, hash_bytes(key)), id);
		CHECK(span_eq(hash_map_key(&m, id), key));
		CHECK(span_eq(hash_map_label(&m, id), label));
	}
	hash_map_fini(&m);
}

/* What looking ahead says of keys that are there is right for nearly all. */
static void
looking_ahead(void)
{
	struct hash_map m;
	uint32_t right = 0;
	bool added;

	hash_map_init(&m, 8);
	for (size_t i = 0; i < KEYS; i++)
		hash_map_put(&m, key_of(&known[i]), key_of(&known[i]),
		    hash_bytes(key_of(&known[i])), &added);
	for (uint32_t i = 0; i < KEYS; i++) {
		uint64_t hash = hash_bytes(key_of(&known[i]));

		hash_map_prefetch(&m, hash);
		right += hash_map_look_ahead(&m, hash) == i;
	}
	CHECK(right > KEYS / 10 * 9);
	hash_map_fini(&m);
}

/* Hashes that collide in all their bits, and in their homes only. */
static void
collisions(void)
{
	struct hash_map m;
	char text[16];
	bool added;

	hash_map_init(&m, 4);
	for (uint32_t i = 0; i < 300; i++) {
		int n = snprintf(text, sizeof text, "%u", i);
		struct span key = { text, (size_t)n };
		uint64_t hash =
		    i < 150 ? UINT64_MAX : UINT64_MAX - ((uint64_t)i << 32);

		CHECK_EQ(hash_map_put(&m, key, key, hash, &added), i);
	}
	for (uint32_t i = 0; i < 300; i++) {
		int n = snprintf(text, sizeof text, "%u", i);
		struct span key = { text, (size_t)n };
		uint64_t hash =
		    i < 150 ? UINT64_MAX : UINT64_MAX - ((uint64_t)i << 32);

		CHECK_EQ(hash_map_get(&m, key, hash), i);
	}
	hash_map_fini(&m);
}

/*
 * Where keys came and went, those that had once gone past their home made a
 * search look at 4 chunks when three quarters were full, at 16 when 83 % were.
 */
static void
churn(void)
{
	enum { LIVE = 3330, PUTS = 100000 };
	struct hash_map m;
	bool added;

	hash_map_init(&m, 8);
	m.fill_holes = true;
	for (uint64_t i = 0; i < PUTS; i++) {
		struct span new = { (const char *)&i, sizeof i };
		uint64_t last = i - LIVE;
		struct span old = { (const char *)&last, sizeof last };

		hash_map_put(&m, new, new, hash_bytes(new), &added);
		CHECK(added);
		if (i >= LIVE)
			hash_map_del(&m,
			    hash_map_get(&m, old, hash_bytes(old)));
	}
	CHECK_EQ(m.live, LIVE);
	CHECK(m.passed <= m.nchunks);
	CHECK(m.room < 3 * LIVE);
	hash_map_fini(&m);
}

/* The hash_map_put of so many keys of a hundred bytes from a number on. */
static void
put_long(struct hash_map *m, int first, int n)
{
	char text[101] = "";
	bool added;

	for (int i = first; i < first + n; i++) {
		struct span key = { text, sizeof text - 1 };

		snprintf(text, sizeof text, "%0100d", i);
		hash_map_put(m, key, key, hash_bytes(key), &added);
		CHECK(added);
	}
}

/*
 * What the entry that a key is put into was before the map was cleared was
 * copied along, when the keys were moved to leave out the deleted ones.
 */
static void
garbage(void)
{
	struct hash_map m;

	hash_map_init(&m, 8);
	put_long(&m, 0, 2000);
	hash_map_clear(&m);
	put_long(&m, 0, 1000);
	for (uint32_t id = 0; id < 700; id++)
		hash_map_del(&m, id);
	put_long(&m, 1000, 1);
	CHECK_EQ(m.arena.n, 301 * 100);
	hash_map_fini(&m);
}

int
main(void)
{
	hash_init();
	make_keys();
	random_operations();
	by_hand();
	labels();
	collisions();
	looking_ahead();
	churn();
	garbage();
	return check_done("hash_map");
}
