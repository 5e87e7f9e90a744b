/*
 * least - against a search through all times.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/least.h"
#include "base/random.h"
#include "check.h"

enum { MOST = 9, ROUNDS = 2000 };

/* Few times, so that many are equal; and the ends of all times. */
static int64_t
random_time(struct random *rng)
{
	uint64_t n = random_below(rng, 8);

	if (n < 2)
		return INT64_MAX - (int64_t)n;
	return n == 2 ? INT64_MIN : (int64_t)n;
}

/* The first time at which a place other than p comes before it. */
static int64_t
time_before(const int64_t *times, size_t n, size_t p)
{
	int64_t first = INT64_MAX, time;

	for (size_t i = 0; i < n; i++) {
		if (i == p)
			continue;
		time = times[i];
		if (i > p && time != INT64_MAX)
			time++;
		if (time < first)
			first = time;
	}
	return first;
}

static void
random_times(struct random *rng, size_t n)
{
	int64_t times[MOST];
	struct least l;
	size_t best;

	least_init(&l, n);
	for (size_t i = 0; i < n; i++)
		times[i] = INT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		size_t p = (size_t)random_below(rng, n);

		times[p] = random_time(rng);
		least_set(&l, p, times[p]);
		best = 0;
		for (size_t i = 1; i < n; i++)
			if (times[i] < times[best])
				best = i;
		CHECK_EQ(least_time(&l), times[best]);
		CHECK_EQ(least_place(&l), best);
		for (size_t i = 0; i < n; i++)
			CHECK_EQ(least_time_before(&l, i),
			    time_before(times, n, i));
	}
	least_fini(&l);
}

int
main(void)
{
	struct random rng = { 11 };

	for (size_t n = 1; n <= MOST; n++)
		random_times(&rng, n);
	return check_done("least");
}
