/*
 * ranking_groups - groups against rankings of each group by itself, batch by
 * batch; keys that were made ahead.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "base/random.h"
#include "check.h"
#include "padded.h"
#include "window/group_number.h"
#include "window/ranking_groups.h"

enum { GROUPS = 300 }; /* the numbers of some take two bytes */

static struct random rng = { 23 };
static struct buffer seen;

static void
note(void *arg, size_t rank, struct span line)
{
	(void)arg;
	buffer_int(&seen, (int64_t)rank);
	buffer_byte(&seen, ':');
	buffer_put(&seen, line);
	buffer_byte(&seen, ' ');
}

static void
set_key(struct key *k, char text[16], uint64_t i)
{
	k->bytes = (struct span){ text, (size_t)sprintf(text, "%d", (int)i) };
	k->spelling = k->bytes;
	k->hash = hash_bytes(k->bytes);
	k->hint = HASH_MAP_NONE;
}

static void
check_report(struct ranking_groups *g, struct rankings *each)
{
	struct buffer got;
	size_t live = 0;

	seen.n = 0;
	ranking_groups_report(g, note, NULL);
	got = seen;
	seen = (struct buffer){ 0 };
	for (int i = 0; i < GROUPS; i++) {
		rankings_report(&each[i], note, NULL);
		live += rankings_live(&each[i]);
	}
	CHECK_EQ(ranking_groups_live(g), live);
	CHECK(span_eq(buffer_span(&got), buffer_span(&seen)));
	buffer_fini(&got);
}

/* Rank or remove a random tuple here and there. */
static void
step(struct ranking_groups *g, struct rankings *each, bool keyed)
{
	char group_text[16], key_text[16], line[64];
	uint64_t i = random_below(&rng, GROUPS);
	struct number x = { .is_int = true };
	struct key group = { 0 }, key = { 0 };
	struct span text;

	x.i = (int64_t)random_below(&rng, 20);
	x.d = (double)x.i;
	text.p = line;
	text.n = (size_t)sprintf(line, "%d#%d", (int)i,
	    (int)random_below(&rng, 1000000));
	x.text = text;
	set_key(&group, group_text, i);
	set_key(&key, key_text, random_below(&rng, 9));
	if (keyed && x.i == 0)
		rankings_remove(&each[i], &key);
	else
		rankings_update(&each[i], keyed ? &key : NULL, &x, text);
	CHECK(ranking_groups_update(g, &group, keyed ? &key : NULL,
	    keyed && x.i == 0 ? NULL : &x, text));
}

static void
batches(size_t n, bool keyed, bool smallest)
{
	static struct rankings each[GROUPS];
	struct ranking_groups g;

	ranking_groups_init(&g, n, true, keyed, smallest);
	for (int i = 0; i < GROUPS; i++)
		rankings_init(&each[i], n, keyed, smallest);
	for (int batch = 0; batch < 5; batch++) {
		/* The last ones are small, and begin with other groups. */
		for (int i = 0; i < 4000 >> (2 * batch); i++) {
			step(&g, each, keyed);
			if (i % 900 == 899)
				check_report(&g, each);
		}
		check_report(&g, each);
		ranking_groups_clear(&g);
		for (int i = 0; i < GROUPS; i++)
			rankings_clear(&each[i]);
		check_report(&g, each);
	}
	ranking_groups_fini(&g);
	for (int i = 0; i < GROUPS; i++)
		rankings_fini(&each[i]);
}

/* Numbers of all lengths come back, and leave what follows. */
static void
numbers(void)
{
	struct buffer b = { 0 };
	struct span key;

	for (int shift = 0; shift < 64; shift++)
		for (uint64_t add = 0; add < 2; add++) {
			uint64_t number = (UINT64_C(1) << shift) - add;

			b.n = 0;
			group_number_put(&b, number);
			CHECK_EQ(b.n,
			    number == 0 ? 1 :
					  (size_t)(shift - (int)add) / 7 + 1);
			buffer_put(&b, SPAN("\"k\""));
			key = buffer_span(&b);
			CHECK(group_number_take(&key) == number);
			CHECK(span_eq(key, SPAN("\"k\"")));
		}
	buffer_fini(&b);
}

/* A tuple's keys, whether what was looked up ahead is used or not. */
static void
rank(struct ranking_groups *g, struct group_keys *k, struct scanned *s,
    bool joined)
{
	const struct number x = { .is_int = true, .text = SPAN("0") };
	const struct key *group, *key;

	CHECK(ranking_groups_keys_of(g, k, &s->tuple, &group, &key,
		  &s->fault) == 0);
	CHECK((group == NULL) == joined);
	CHECK((key == s->tuple.key) == joined);
	CHECK(ranking_groups_update(g, group, key, &x, s->tuple.line));
	CHECK_EQ(ranking_groups_live(g), 1);
}

/* A key with a group that was forgotten is not taken for one of today. */
static void
forgotten(void)
{
	struct ranking_groups g;
	struct group_keys k = { .group = { 0, 1 }, .key = { 1, 1 } };
	struct scanned s;
	struct tuple *next = &s.tuple;

	scanned_init(&s, "g,k");
	ranking_groups_init(&g, 2, true, true, false);
	for (int batch = 0; batch < 3; batch++) {
		CHECK(scanned_line(&s, SPAN("{\"g\":\"a\",\"k\":1}")) == 0);
		ranking_groups_look_ahead(&g, &k, &next, 1);
		CHECK(s.tuple.key == NULL); /* the group is new */
		rank(&g, &k, &s, false);
		ranking_groups_look_ahead(&g, &k, &next, 1);
		rank(&g, &k, &s, true);
		ranking_groups_clear(&g);
		rank(&g, &k, &s, false);
		ranking_groups_clear(&g);
	}
	CHECK(scanned_line(&s, SPAN("{\"g\":\"a\",\"k\":[]}")) == 0);
	CHECK(ranking_groups_keys_of(&g, &k, &s.tuple,
		  &(const struct key *){ 0 }, &(const struct key *){ 0 },
		  &s.fault) < 0);
	group_keys_fini(&k);
	ranking_groups_fini(&g);
	scanned_fini(&s);
}

int
main(void)
{
	hash_init();
	numbers();
	forgotten();
	for (int i = 0; i < 4; i++) {
		batches(3, i % 2 == 0, i / 2 == 0);
		batches(40, i % 2 == 0, i / 2 == 0);
	}
	buffer_fini(&seen);
	return check_done("ranking_groups");
}
