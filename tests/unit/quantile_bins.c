/*
 * quantile_bins - random bins, close together and far apart, added and merged,
 * against an array that has a count for each bin.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "window/quantile_bins.h"

enum { SEEDS = 300, MOST = 130000 };

static struct pool pool;
static uint64_t model[2 * MOST + 1];

static void
check(const struct quantile_bins *b)
{
	uint32_t place = 0;

	for (int32_t bin = -MOST; bin <= MOST; bin++) {
		if (model[bin + MOST] == 0)
			continue;
		if (!CHECK(place < b->n))
			return;
		CHECK_EQ(quantile_bins_at(b, place), bin);
		CHECK_EQ(b->counts[place++], model[bin + MOST]);
	}
	CHECK_EQ(b->n, place);
}

static void
add(struct random *r, struct quantile_bins *b, int32_t middle, int32_t spread)
{
	uint64_t n = random_below(r, 200);

	while (n-- > 0) {
		int32_t bin = middle - spread +
		    (int32_t)random_below(r, 2 * (uint64_t)spread + 1);
		uint64_t times = 1 + random_below(r, 3);

		quantile_bins_add(&pool, b, bin, times);
		model[bin + MOST] += times;
	}
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct random r = { seed };
		struct quantile_bins bins = { 0 }, copy = { 0 };
		int32_t spread = 1 << random_below(&r, 15);

		memset(model, 0, sizeof model);
		for (int round = 0; round < 4; round++) {
			struct quantile_bins more = { 0 };
			int32_t middle =
			    (int32_t)random_below(&r, 9) * 20000 - 80000;

			add(&r, &bins, middle, spread);
			add(&r, &more, middle, spread);
			quantile_bins_merge(&pool, &bins, &more);
			quantile_bins_fini(&pool, &more);
		}
		check(&bins);
		quantile_bins_merge(&pool, &copy, &bins);
		quantile_bins_fini(&pool, &bins);
		add(&r, &copy, 0, spread);
		check(&copy);
		quantile_bins_fini(&pool, &copy);
	}
	pool_fini(&pool);
	return check_done("quantile_bins");
}
