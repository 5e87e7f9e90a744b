/*
 * grouping - the balance that the groupings keep, on the papers' streams.
 *
 *	grouping [SEEDS [TUPLES]]
 *
 * For each stream, number of tasks (W) and sources (S) it prints the median
 * over SEEDS (10) hash seeds of mean I(t)/m on TUPLES (10000000) tuples, the
 * distinct (key, task) pairs over the bound of partial key grouping, sum of
 * min(frequency, 2), and the time of one decision.  The streams are those of
 * `spout lognormal` and `spout zipf`.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "grouping/grouping.h"

enum { MAX_SEEDS = 100, MAX_SOURCES = 5 };

struct stream {
	const char *name;
	double mu, sigma; /* of a log-normal one, or */
	double exponent;  /* of a Zipf one with 10000 keys */
};

static const struct stream streams[] = {
	{ "LN1", 1.789, 2.366, 0 },
	{ "LN2", 2.245, 1.133, 0 },
	{ "ZF 1.0", 0, 0, 1.0 },
	{ "ZF 1.4", 0, 0, 1.4 },
	{ "ZF 2.0", 0, 0, 2.0 },
};

static const uint32_t tasks[] = { 5, 10, 20, 50, 100 };

struct keys {
	uint64_t *ids; /* by tuple, from 0 without gaps */
	size_t n, nids, bound;
};

struct result {
	double imbalance, pairs, ns;
};

/* Number the values in the order in which they come. */
static void
make_dense(struct keys *k)
{
	struct hash_map map;
	uint64_t *counts;
	bool added;

	hash_map_init(&map, 0);
	for (size_t i = 0; i < k->n; i++) {
		struct span s = { (const char *)&k->ids[i], 8 };

		k->ids[i] = hash_map_put(&map, s, s, hash_bytes(s), &added);
	}
	k->nids = map.live;
	counts = memory_new(k->nids, sizeof *counts);
	for (size_t i = 0; i < k->n; i++)
		counts[k->ids[i]]++;
	for (size_t i = 0; i < k->nids; i++)
		k->bound += counts[i] < 2 ? counts[i] : 2;
	free(counts);
	hash_map_fini(&map);
}

static void
make_keys(struct keys *k, const struct stream *s, size_t n)
{
	struct random r = { 1 };
	struct zipf z;

	*k = (struct keys){ memory_new(n, sizeof *k->ids), n, 0, 0 };
	zipf_init(&z, 10000, s->exponent);
	for (size_t i = 0; i < n; i++)
		k->ids[i] = s->exponent != 0 ?
		    zipf_next(&z, &r) :
		    random_lognormal(&r, s->mu, s->sigma);
	make_dense(k);
}

/* Distinct (key, task) pairs: a bit for each. */
static size_t
note_pair(unsigned char *seen, uint64_t key, uint32_t task, uint32_t w)
{
	uint64_t bit = key * w + task;
	unsigned char mask = (unsigned char)(1 << (bit & 7));

	if ((seen[bit >> 3] & mask) != 0)
		return 0;
	seen[bit >> 3] |= mask;
	return 1;
}

/* One run; the sources take tuples in an order that is drawn. */
static struct result
run(const struct keys *k, struct grouping_config config, uint32_t nsources)
{
	struct grouping g[MAX_SOURCES];
	struct random r = { config.seed };
	struct result result = { 0 };
	uint32_t w = config.ntasks;
	uint64_t *loads = memory_new(w, sizeof *loads), most = 0;
	unsigned char *seen = memory_new(k->nids * w / 8 + 1, 1);
	size_t pairs = 0;

	for (uint32_t i = 0; i < nsources; i++)
		grouping_init(&g[i], &config);
	for (size_t i = 0; i < k->n; i++) {
		struct span s = { (const char *)&k->ids[i], 8 };
		struct task_key key = grouping_key_native(&config, s);
		uint32_t source =
		    nsources == 1 ? 0 : (uint32_t)random_below(&r, nsources);
		uint32_t task = grouping_choose(&g[source], &key);

		if (++loads[task] > most)
			most = loads[task];
		result.imbalance += (double)most - (double)(i + 1) / w;
		pairs += note_pair(seen, k->ids[i], task, w);
	}
	for (uint32_t i = 0; i < nsources; i++)
		grouping_fini(&g[i]);
	result.imbalance /= (double)k->n * (double)k->n;
	result.pairs = (double)pairs / (double)k->bound;
	free(loads);
	free(seen);
	return result;
}

/* The time of a decision, hashing included, by itself. */
static double
time_of(const struct keys *k, struct grouping_config config)
{
	struct grouping g;
	int64_t start;
	volatile uint32_t sink;

	grouping_init(&g, &config);
	start = clock_now_ns();
	for (size_t i = 0; i < k->n; i++) {
		struct span s = { (const char *)&k->ids[i], 8 };
		struct task_key key = grouping_key_native(&config, s);

		sink = grouping_choose(&g, &key);
	}
	(void)sink;
	start = clock_now_ns() - start;
	grouping_fini(&g);
	return (double)start / (double)k->n;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 != 0 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void
print_cell(const struct keys *k, struct grouping_config config,
    uint32_t nsources, uint32_t nseeds)
{
	double imbalance[MAX_SEEDS], pairs[MAX_SEEDS];

	for (uint32_t i = 0; i < nseeds; i++) {
		struct result r;

		config.seed = i + 1;
		r = run(k, config, nsources);
		imbalance[i] = r.imbalance;
		pairs[i] = r.pairs;
	}
	printf("  %8.1e %5.2f", median(imbalance, nseeds),
	    median(pairs, nseeds));
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		struct grouping_config config;
		uint32_t nsources;
	} rows[] = {
		{ "fields", { .kind = GROUPING_FIELDS }, 1 },
		{ "partial", { .kind = GROUPING_PARTIAL }, 1 },
		{ "heavy d",
		    { .kind = GROUPING_HEAVY, .choices = HEAVY_HITTERS_D }, 1 },
		{ "heavy", { .kind = GROUPING_HEAVY }, 1 },
		{ "heavy, 5 sources", { .kind = GROUPING_HEAVY }, 5 },
	};
	uint32_t nseeds = argc > 1 ? (uint32_t)atoi(argv[1]) : 10;
	size_t n = argc > 2 ? (size_t)atoll(argv[2]) : 10000000;

	nseeds = nseeds < 1 ? 1 : nseeds > MAX_SEEDS ? MAX_SEEDS : nseeds;
	printf("median of %u seeds, %zu tuples: mean I(t)/m, pairs / bound\n",
	    nseeds, n);
	for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++) {
		struct keys k;

		make_keys(&k, &streams[s], n);
		printf("\n%-18s", streams[s].name);
		for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
			printf("  W=%-12u", tasks[i]);
		printf("  ns at W=100\n");
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct grouping_config config = rows[i].config;

			printf("%-18s", rows[i].name);
			for (size_t j = 0; j < sizeof tasks / sizeof tasks[0];
			     j++) {
				config.ntasks = tasks[j];
				print_cell(&k, config, rows[i].nsources,
				    nseeds);
				fflush(stdout);
			}
			printf("  %5.1f\n", time_of(&k, config));
		}
		free(k.ids);
	}
	return 0;
}
