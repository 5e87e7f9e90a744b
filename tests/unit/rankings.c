/*
 * rankings - the cases of Storm's RankingsTest and of
 * RankableObjectWithFieldsTest, and random updates against a sort.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "window/rankings.h"

static struct buffer seen;

static void
note(void *arg, size_t rank, struct span line)
{
	size_t *next = arg;

	CHECK_EQ(rank, ++*next);
	if (seen.n > 0)
		buffer_byte(&seen, ' ');
	buffer_put(&seen, line);
}

/* The ranking's lines in one C string. */
static const char *
report(struct rankings *r)
{
	size_t next = 0;

	seen.n = 0;
	rankings_report(r, note, &next);
	buffer_byte(&seen, '\0');
	return seen.p;
}

/* Put in `name|value` under name, if keyed, as Storm writes a rankable. */
static void
put(struct rankings *r, const char *line)
{
	struct span text = span_of(strchr(line, '|') + 1);
	char name[64];
	struct number value;
	struct key key = { 0 };

	snprintf(name, sizeof name, "\"%.*s\"", (int)(text.p - line - 1), line);
	key.bytes = key.spelling = span_of(name);
	key.hash = hash_bytes(key.bytes);
	CHECK(number_parse(&value, text) == 0);
	rankings_update(r, r->keyed ? &key : NULL, &value, span_of(line));
}

/* Lines put in, and what is reported of the best n. */
static void
table(void)
{
	static const struct {
		const char *lines[8];
		size_t n;
		bool keyed, smallest;
		const char *best;
	} rows[] = {
		/* updateWith, sortsByCount, shrinks to n */
		{ { NULL }, 10, true, false, "" },
		{ { "A|1" }, 1, true, false, "A|1" },
		{ { "A|1", "B|2" }, 2, true, false, "B|2 A|1" },
		{ { "A|1", "B|2", "C|3" }, 2, true, false, "C|3 B|2" },
		{ { "D|4", "A|1", "C|3", "B|2" }, 4, true, false,
		    "D|4 C|3 B|2 A|1" },
		{ { "A|1", "A|2", "A|3" }, 3, true, false, "A|3" },
		{ { "A|3", "A|1" }, 3, true, false, "A|1" },
		/* The object is case-sensitive. */
		{ { "foo|3", "FOO|2" }, 2, true, false, "foo|3 FOO|2" },
		/*
		 * Equal counts.  Storm leaves them as they happen to stand
		 * and turns them round at every update; here the key decides,
		 * whatever came first.
		 */
		{ { "B|2", "A|2", "C|2" }, 3, true, false, "A|2 B|2 C|2" },
		{ { "C|2", "B|2", "A|2" }, 2, true, false, "A|2 B|2" },
		{ { "C|2", "B|2", "A|2" }, 2, true, true, "A|2 B|2" },
		/* Without keys first come is first. */
		{ { "B|2", "A|2", "C|2" }, 2, false, false, "B|2 A|2" },
		{ { "B|2", "A|2", "C|2" }, 2, false, true, "B|2 A|2" },
		{ { "A|1", "A|2", "A|3" }, 2, false, false, "A|3 A|2" },
		/*
		 * Storm's rankers keep n entries, so a key that was pushed
		 * out stays out until it is seen again; here it comes back.
		 */
		{ { "A|5", "B|4", "C|3", "A|1" }, 2, true, false, "B|4 C|3" },
		/* A count below 0 is none for Storm. */
		{ { "A|-1", "B|0", "C|-2.5" }, 3, true, false,
		    "B|0 A|-1 C|-2.5" },
		{ { "A|-1", "B|0", "C|-2.5" }, 3, true, true,
		    "C|-2.5 A|-1 B|0" },
		/* By value, not by double or spelling. */
		{ { "A|9007199254740992", "B|9007199254740993" }, 1, true,
		    false, "B|9007199254740993" },
		{ { "B|1.0", "A|1e0", "C|10e-1" }, 3, true, false,
		    "A|1e0 B|1.0 C|10e-1" },
		{ { "A|1e400", "B|1e401", "C|1" }, 2, false, false,
		    "B|1e401 A|1e400" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rankings r;

		rankings_init(&r, rows[i].n, rows[i].keyed, rows[i].smallest);
		for (size_t k = 0; k < 8 && rows[i].lines[k] != NULL; k++)
			put(&r, rows[i].lines[k]);
		CHECK_STR(report(&r), rows[i].best);
		/* Reporting takes nothing away. */
		CHECK_STR(report(&r), rows[i].best);
		rankings_clear(&r);
		CHECK_STR(report(&r), "");
		CHECK_EQ(rankings_live(&r), 0);
		put(&r, "Z|1");
		CHECK_STR(report(&r), "Z|1");
		rankings_fini(&r);
	}
}

enum { KEYS = 300, ENTRIES = 2000 };

struct entry {
	int key;
	int64_t value; /* quarters */
	uint64_t order;
	bool there;
	char line[96];
};

static struct random rng = { 17 };
static struct entry entries[ENTRIES];
static bool by_key, smallest;

static void
key_text(char text[16], int key)
{
	/* Numbers below ten, then strings. */
	snprintf(text, 16, key < 10 ? "%d" : "\"k%d\"", key);
}

static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = (x->value < y->value) - (x->value > y->value);
	char s[16], t[16];

	if (x->there != y->there)
		return x->there ? -1 : 1;
	if (c != 0)
		return smallest ? -c : c;
	if (by_key && (x->key < 10 || y->key < 10))
		return x->key - y->key;
	key_text(s, x->key);
	key_text(t, y->key);
	s[strlen(s) - 1] = t[strlen(t) - 1] = '\0'; /* "k1" before "k10" */
	if (by_key)
		return strcmp(s, t);
	return (x->order > y->order) - (x->order < y->order);
}

/* A line of any length whose value is one of few. */
static void
random_update(struct rankings *r, struct entry *e, int key, uint64_t order)
{
	char name[16], value[32];
	struct number x;
	struct key k = { 0 };
	int n;

	e->key = key;
	e->value = (int64_t)random_below(&rng, 200) - 100;
	e->order = order;
	e->there = true;
	n = snprintf(value, sizeof value, "%.*f",
	    2 + (int)random_below(&rng, 20), (double)e->value / 4);
	CHECK(number_parse(&x, (struct span){ value, (size_t)n }) == 0);
	n = snprintf(e->line, sizeof e->line, "%d#%d,%.*s", key, (int)order,
	    (int)random_below(&rng, 60),
	    "and more of it, so that some lines outgrow their places");
	key_text(name, key);
	k.bytes = k.spelling = span_of(name);
	k.hash = hash_bytes(k.bytes);
	rankings_update(r, by_key ? &k : NULL, &x,
	    (struct span){ e->line, (size_t)n });
	/* Nothing of the caller's may be needed any longer. */
	memset(value, '9', sizeof value);
	memset(name, 'x', sizeof name);
}

static void
random_remove(struct rankings *r, struct entry *e, int key)
{
	char name[16];
	struct key k = { 0 };

	key_text(name, key);
	k.bytes = span_of(name);
	k.hash = hash_bytes(k.bytes);
	rankings_remove(r, &k);
	e->there = false;
}

static void
check_best(struct rankings *r, size_t n)
{
	static struct entry sorted[ENTRIES];
	struct buffer want = { 0 };
	size_t live = 0;

	memcpy(sorted, entries, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare);
	for (size_t i = 0; i < n; i++)
		live += sorted[i].there;
	CHECK_EQ(rankings_live(r), by_key || live < r->n ? live : r->n);
	for (size_t i = 0; i < r->n && i < live; i++) {
		if (i > 0)
			buffer_byte(&want, ' ');
		buffer_put(&want, span_of(sorted[i].line));
	}
	buffer_byte(&want, '\0');
	CHECK_STR(report(r), want.p);
	buffer_fini(&want);
}

static void
random_keyed(size_t n, int updates)
{
	struct rankings r;

	by_key = true;
	memset(entries, 0, sizeof entries);
	rankings_init(&r, n, true, smallest);
	for (int i = 0; i < updates; i++) {
		int key = (int)random_below(&rng, KEYS);
		bool shrinking = i / 2000 % 2 == 1;

		if (random_below(&rng, 10) < (shrinking ? 7 : 2))
			random_remove(&r, &entries[key], key);
		else
			random_update(&r, &entries[key], key, (uint64_t)i);
		if (i % 97 == 0)
			check_best(&r, KEYS);
	}
	check_best(&r, KEYS);
	CHECK(r.lines.n < 200000);
	rankings_fini(&r);
}

static void
random_unkeyed(size_t n)
{
	struct rankings r;

	by_key = false;
	memset(entries, 0, sizeof entries);
	rankings_init(&r, n, false, smallest);
	for (int i = 0; i < 2000; i++) {
		random_update(&r, &entries[i], (int)random_below(&rng, KEYS),
		    (uint64_t)i);
		if (i % 97 == 0)
			check_best(&r, (size_t)i + 1);
	}
	rankings_fini(&r);
}

int
main(void)
{
	static const size_t sizes[] = { 1, 2, 7, 100, 1000 };

	hash_init();
	table();
	for (int i = 0; i < 10; i++) {
		smallest = i % 2 == 1;
		random_keyed(sizes[i / 2], i < 2 ? 20000 : 6000);
		random_unkeyed(sizes[i / 2]);
	}
	buffer_fini(&seen);
	return check_done("rankings");
}
