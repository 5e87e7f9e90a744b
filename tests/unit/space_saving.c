/* SPDX-License-Identifier: ISC */
#include <stdlib.h>

#include "base/hyperloglog.h"
#include "base/random.h"
#include "check.h"
#include "grouping/space_saving.h"

/* Random steps, beside plain counters. */
static void
summary_is_sorted(void)
{
	enum { N = 40, STEPS = 20000 };
	struct stream_summary s;
	struct random r = { 1 };
	uint64_t counts[N] = { 0 };
	uint32_t n;

	stream_summary_init(&s, N);
	for (int i = 0; i < STEPS; i++) {
		uint32_t c =
		    (uint32_t)(random_below(&r, N) * random_below(&r, N) / N);
		uint64_t least = UINT64_MAX, first;

		stream_summary_add(&s, c);
		counts[c]++;
		CHECK_EQ(stream_summary_count(&s, c), counts[c]);
		for (uint32_t k = 0; k < N; k++)
			least = counts[k] < least ? counts[k] : least;
		first = stream_summary_least(&s, &n);
		CHECK_EQ(first, least);
		CHECK_EQ(counts[s.order[n - 1]], least);
		CHECK(n == N || counts[s.order[n]] > least);
	}
	for (uint32_t k = 1; k < N; k++)
		CHECK(counts[s.order[k - 1]] <= counts[s.order[k]]);
	stream_summary_fini(&s);
}

static void
sketch_bounds_hold(void)
{
	enum { COUNTERS = 50, KEYS = 1000, STEPS = 100000 };
	struct space_saving s;
	struct random r = { 2 };
	struct zipf z;
	uint64_t *counts = calloc(KEYS + 1, sizeof *counts), top = 0;
	uint32_t found = 0;
	bool fresh;

	zipf_init(&z, KEYS, 1.2);
	space_saving_init(&s, COUNTERS);
	for (int i = 0; i < STEPS; i++) {
		uint64_t key = zipf_next(&z, &r);
		struct random mix = { key };
		uint32_t c =
		    space_saving_add(&s, random_next(&mix) << 10 | key, &fresh);

		counts[key]++;
		CHECK(space_saving_sure(&s, c) <= counts[key]);
		CHECK(stream_summary_count(&s.summary, c) >= counts[key]);
	}
	for (uint32_t c = 0; c < COUNTERS; c++)
		found += counts[s.keys[c].key & 1023] > STEPS / COUNTERS;
	for (int k = 1; k <= KEYS; k++) {
		top = counts[k] > top ? counts[k] : top;
		found -= counts[k] > STEPS / COUNTERS;
	}
	CHECK_EQ(found, 0); /* every frequent key has a counter */
	CHECK_EQ(space_saving_top(&s), top);
	CHECK_EQ(s.total, STEPS);
	space_saving_fini(&s);
	free(counts);
}

static void
hyperloglog_is_near(void)
{
	struct hyperloglog d;
	struct random r = { 3 };

	hyperloglog_init(&d, 14);
	CHECK_EQ((int)hyperloglog_estimate(&d), 0);
	for (int i = 1; i <= 1000000; i++) {
		hyperloglog_add(&d, random_next(&r));
		if (i == 100)
			CHECK(hyperloglog_estimate(&d) > 97 &&
			    hyperloglog_estimate(&d) < 103);
	}
	CHECK(hyperloglog_estimate(&d) > 970000 &&
	    hyperloglog_estimate(&d) < 1030000);
	hyperloglog_fini(&d);
}

int
main(void)
{
	summary_is_sorted();
	sketch_bounds_hold();
	hyperloglog_is_near();
	return check_done("space_saving");
}
