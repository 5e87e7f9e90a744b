/*
 * lookup_table - random rows against what a state would have of them: at each
 * note it has just the rows that are there, as they were put in last.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "join/lookup_table.h"

enum { KEYS = 5, TIMES = 1000, ROUNDS = 200 };

static struct random rng = { 20261125 };

/* What the state has, by key and time: the number of the put; 0: nothing. */
static unsigned stored[KEYS][TIMES];

static struct key
key_of_number(size_t k, char *text)
{
	struct key key = { .hint = HASH_MAP_NONE };

	snprintf(text, 32, "\"key %zu\"", k);
	key.bytes = key.spelling = span_of(text);
	key.hash = hash_bytes(key.bytes);
	return key;
}

static void
put(struct lookup_table *t, size_t k, int64_t time, int64_t now, unsigned i)
{
	char name[32], line[32] = { 0 };
	struct key key = key_of_number(k, name);
	struct join_part part = { .time = time };

	snprintf(line, sizeof line, "%u", i);
	part.line = line;
	part.n = (uint32_t)strlen(line);
	lookup_table_put(t, &key, &part, now);
}

/* The number of the row of a key at a time, or 0. */
static unsigned
number_of(const struct lookup_table *t, size_t k, int64_t time)
{
	char name[32], line[32] = { 0 };
	struct key key = key_of_number(k, name);
	const struct lookup_row *row = lookup_table_find(t, &key, time);
	struct span kept;

	if (row == NULL || row->time != time)
		return 0;
	kept = lookup_table_line(t, row);
	memcpy(line, kept.p, kept.n);
	return (unsigned)atoi(line);
}

/* Do with a change what a state does. */
static void
store(const struct lookup_table *t, const struct lookup_change *c, bool there)
{
	size_t k = (size_t)(t->changed_keys.p[c->at + 5] - '0');

	stored[k][c->time] = there ? number_of(t, k, c->time) : 0;
	CHECK(!there || stored[k][c->time] != 0);
}

static void
commit(struct lookup_table *t)
{
	size_t there = lookup_table_sort_changes(t);

	/* No more than the rows that are there, and those that left the state. */
	CHECK(t->nchanges <= t->nrows + t->ngone);
	for (size_t i = there; i < t->nchanges; i++)
		store(t, &t->changes[i], false);
	for (size_t i = 0; i < there; i++)
		store(t, &t->changes[i], true);
	for (size_t k = 0; k < KEYS; k++)
		for (int64_t time = 0; time < TIMES; time++)
			CHECK(number_of(t, k, time) == stored[k][time]);
	lookup_table_note(t);
}

/* Of each key: its latest time; -1: it was never put, or must be gone. */
static int64_t latest[KEYS];

/* Forget what is from before a time, and hold what is left against latest. */
static void
expire(struct lookup_table *t, int64_t time)
{
	size_t live = 0;

	lookup_table_expire(t, time);
	for (size_t k = 0; k < KEYS; k++) {
		if (latest[k] < time)
			latest[k] = -1;
		live += latest[k] >= 0;
		CHECK(latest[k] < 0 || number_of(t, k, latest[k]) != 0);
	}
	CHECK(t->keys.live == live);
	CHECK(heap_size(&t->by_age) == live);
}

/*
 * Rows up to so far ahead of now, which goes on by up to so much at a time; so
 * many are put in between two commits.  They expire when they are so old, or
 * never if that is 0.
 */
static void
round_of(size_t ahead, size_t jump, size_t puts, int64_t age)
{
	struct lookup_table t;
	int64_t now = 0;

	memset(stored, 0, sizeof stored);
	lookup_table_init(&t, 0);
	t.expires = age != 0;
	for (size_t k = 0; k < KEYS; k++)
		latest[k] = -1;
	lookup_table_note(&t);
	for (unsigned i = 1; now + (int64_t)ahead < TIMES; i++) {
		size_t k = random_below(&rng, KEYS);
		int64_t time = now + (int64_t)random_below(&rng, ahead);

		put(&t, k, time, now, i);
		latest[k] = time > latest[k] ? time : latest[k];
		if (age != 0)
			expire(&t, now - age);
		if (random_below(&rng, jump) == 0)
			now += (int64_t)random_below(&rng, jump + 1);
		if (random_below(&rng, puts) == 0)
			commit(&t);
	}
	commit(&t);
	lookup_table_fini(&t);
}

int
main(void)
{
	for (int i = 0; i < ROUNDS; i++)
		round_of(1 + random_below(&rng, 200),
		    2 + random_below(&rng, 200), 20 + random_below(&rng, 1000),
		    i % 2 * (1 + (int64_t)random_below(&rng, 50)));
	return check_done("lookup_table");
}
