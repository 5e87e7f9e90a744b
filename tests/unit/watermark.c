/*
 * watermark - least of the streams, ended and idle ones excepted, and never
 * back; random streams against a naive reading of that.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/watermark.h"
#include "base/random.h"
#include "check.h"

enum { STREAMS = 4, ROUNDS = 20000 };

static void
least_of_streams(void)
{
	struct watermark w;

	watermark_init(&w, 2, 10);
	CHECK_EQ(w.now, INT64_MIN);
	CHECK(!watermark_see(&w, 0, 100)); /* the other may be older */
	CHECK(watermark_see(&w, 1, 50));
	CHECK_EQ(w.now, 40);
	CHECK(!watermark_see(&w, 1, 30)); /* disorder */
	CHECK(!watermark_see(&w, 0, 200));
	CHECK(watermark_set_idle(&w, 1, true));
	CHECK_EQ(w.now, 190);
	CHECK(!watermark_set_idle(&w, 1, false)); /* back, but not in time */
	CHECK(!watermark_see(&w, 1, 60));
	CHECK_EQ(w.now, 190);
	CHECK(!watermark_set_idle(&w, 0, true));
	CHECK(!watermark_set_idle(&w, 1, true)); /* nobody is left */
	CHECK_EQ(w.now, 190);
	watermark_fini(&w);
}

static void
ends_of_time(void)
{
	struct watermark w;

	watermark_init(&w, 1, 10);
	CHECK(!watermark_see(&w, 0, INT64_MIN));
	CHECK(!watermark_see(&w, 0, INT64_MIN + 9));
	CHECK(!watermark_see(&w, 0, INT64_MIN + 10));
	CHECK(watermark_see(&w, 0, INT64_MIN + 11));
	CHECK_EQ(w.now, INT64_MIN + 1);
	CHECK(watermark_see(&w, 0, INT64_MAX));
	CHECK_EQ(w.now, INT64_MAX - 10);
	watermark_fini(&w);
}

static void
goes_on_by_itself(void)
{
	struct watermark w;

	watermark_init(&w, 2, 10);
	watermark_advance_by(&w, 5); /* from nowhere */
	CHECK_EQ(w.now, INT64_MIN);
	watermark_see(&w, 0, 100);
	watermark_see(&w, 1, 50);
	watermark_advance_by(&w, 5);
	CHECK_EQ(w.now, 45);
	CHECK(!watermark_see(&w, 1, 54)); /* which leaves it where it was */
	CHECK_EQ(w.now, 45);
	watermark_advance_by(&w, 5);
	CHECK(!watermark_see(&w, 1, 60));
	CHECK(watermark_see(&w, 1, 61));
	CHECK_EQ(w.now, 51);
	watermark_advance_by(&w, INT64_MAX);
	CHECK_EQ(w.now, INT64_MAX);
	watermark_fini(&w);
}

static void
random_streams(void)
{
	struct random rng = { 5 };
	struct watermark w;
	int64_t max[STREAMS], now = INT64_MIN;
	bool seen[STREAMS] = { false }, out[STREAMS] = { false };

	watermark_init(&w, STREAMS, 7);
	for (int i = 0; i < ROUNDS; i++) {
		size_t s = random_below(&rng, STREAMS);
		int64_t time = i + (int64_t)random_below(&rng, 50) - 25;
		int64_t before = now, least = INT64_MAX;
		bool ready = true, any = false, moved;

		if (random_below(&rng, 10) == 0) {
			out[s] = random_below(&rng, 2) == 0;
			moved = watermark_set_idle(&w, s, out[s]);
		} else {
			if (!seen[s] || time > max[s])
				max[s] = time;
			seen[s] = true;
			moved = watermark_see(&w, s, time);
		}
		for (size_t j = 0; j < STREAMS; j++) {
			if (out[j])
				continue;
			any = true;
			ready = ready && seen[j];
			if (seen[j] && max[j] < least)
				least = max[j];
		}
		if (any && ready && least - 7 > now)
			now = least - 7;
		CHECK_EQ(w.now, now);
		CHECK_EQ(moved, now != before);
	}
	watermark_fini(&w);
}

/* At the end of all it is where the last stream came to, whichever ended last. */
static void
ends(void)
{
	struct watermark w;

	watermark_init(&w, 3, 5);
	CHECK(!watermark_end(&w));
	watermark_see(&w, 0, 100);
	watermark_see(&w, 1, 40);
	CHECK(!watermark_set_idle(&w, 0, true));
	CHECK(!watermark_set_idle(&w, 1, true));
	CHECK(!watermark_set_idle(&w, 2, true));
	CHECK_EQ(w.now, INT64_MIN);
	CHECK(watermark_end(&w));
	CHECK_EQ(w.now, 95);
	CHECK(!watermark_end(&w));
	watermark_fini(&w);
}

/* The stream that is furthest behind, by how much it moves if that catches up. */
static void
holder(void)
{
	struct watermark w;
	size_t s = 9;

	watermark_init(&w, 3, 10);
	CHECK_EQ(watermark_held_by(&w, &s), 0); /* nothing is ahead */
	watermark_see(&w, 0, -100);
	watermark_see(&w, 2, -50);
	CHECK_EQ(watermark_held_by(&w, &s), INT64_MAX);
	CHECK_EQ(s, 1);
	watermark_see(&w, 1, -20);
	CHECK_EQ(watermark_held_by(&w, &s), 80);
	CHECK_EQ(s, 0);
	watermark_advance_by(&w, 79);
	CHECK_EQ(watermark_held_by(&w, &s), 1);
	watermark_advance_by(&w, 1);
	CHECK_EQ(watermark_held_by(&w, &s), 0);
	watermark_see(&w, 2, 30);
	CHECK(!watermark_set_idle(&w, 1, true));
	CHECK_EQ(watermark_held_by(&w, &s), 50);
	CHECK_EQ(s, 0);
	watermark_set_idle(&w, 0, true);
	CHECK_EQ(watermark_held_by(&w, &s), 0);
	watermark_set_idle(&w, 2, true); /* nobody is left */
	CHECK_EQ(watermark_held_by(&w, &s), 0);
	watermark_fini(&w);
}

/* All lateness: nothing moves it, neither a time nor an end. */
static void
never_moves(void)
{
	struct watermark w;

	watermark_init(&w, 2, INT64_MAX);
	CHECK(!watermark_see(&w, 0, INT64_MAX));
	CHECK(!watermark_see(&w, 1, INT64_MAX));
	CHECK(!watermark_set_idle(&w, 0, true));
	CHECK(!watermark_end(&w));
	CHECK_EQ(w.now, INT64_MIN);
	watermark_fini(&w);
}

int
main(void)
{
	least_of_streams();
	ends_of_time();
	goes_on_by_itself();
	random_streams();
	ends();
	holder();
	never_moves();
	return check_done("watermark");
}
