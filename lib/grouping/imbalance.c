/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "grouping/imbalance.h"

enum {
	MAX_EXACT = 1 << 20,
	FIRST_SLOTS = 1024,
	PAIR_BITS = 14,
	COUNTERS_PER_TASK = 10,
	MIN_COUNTERS = 1000,
};

void
imbalance_init(struct imbalance *im, uint32_t ntasks)
{
	uint32_t counters = COUNTERS_PER_TASK * ntasks;

	*im = (struct imbalance){ .ntasks = ntasks,
		.loads = memory_new(ntasks, sizeof *im->loads),
		.pairs = memory_new(FIRST_SLOTS, sizeof *im->pairs),
		.mask = FIRST_SLOTS - 1 };
	space_saving_init(&im->keys,
	    counters > MIN_COUNTERS ? counters : MIN_COUNTERS);
	hyperloglog_init(&im->many_pairs, PAIR_BITS);
}

void
imbalance_fini(struct imbalance *im)
{
	free(im->loads);
	free(im->pairs);
	space_saving_fini(&im->keys);
	hyperloglog_fini(&im->many_pairs);
}

void
imbalance_add(struct imbalance *im, uint32_t task)
{
	double above;

	im->total++;
	if (++im->loads[task] > im->most)
		im->most = im->loads[task];
	above = (double)im->most - (double)im->total / im->ntasks;
	im->sum += above;
	im->sum_relative += above / (double)im->total;
}

static bool
put_pair(struct imbalance *im, uint64_t hash)
{
	uint64_t i = hash & im->mask;

	for (; im->pairs[i] != 0; i = (i + 1) & im->mask)
		if (im->pairs[i] == hash)
			return false;
	im->pairs[i] = hash;
	return true;
}

static void
grow(struct imbalance *im)
{
	uint64_t *old = im->pairs, n = im->mask + 1;

	im->pairs = memory_new(n * 2, sizeof *im->pairs);
	im->mask = n * 2 - 1;
	for (uint64_t i = 0; i < n; i++)
		if (old[i] != 0)
			put_pair(im, old[i]);
	free(old);
}

void
imbalance_add_key(struct imbalance *im, uint32_t task, uint64_t hash)
{
	struct random r = { hash + task };
	uint64_t pair = random_next(&r) | 1; /* 0 is none */
	bool fresh;

	im->keyed++;
	space_saving_add(&im->keys, hash, &fresh);
	hyperloglog_add(&im->many_pairs, pair);
	if (im->npairs > MAX_EXACT || !put_pair(im, pair))
		return;
	im->npairs++;
	if (im->npairs > im->mask / 2)
		grow(im);
}

static double
top_share(const struct imbalance *im)
{
	return im->keyed == 0 ?
	    0 :
	    (double)space_saving_top(&im->keys) / (double)im->keyed;
}

static void
put_double(struct buffer *b, const char *name, double v)
{
	buffer_put(b, span_of(name));
	buffer_double(b, v);
}

static void
put_hint(const struct imbalance *im, struct buffer *b, int choices)
{
	char text[160];

	snprintf(text, sizeof text,
	    ",\"hint\":\"one key has %.1f %% of the tuples, more than the "
	    "%.1f %% that %d of %u tasks can take in balance: try -g heavy\"",
	    top_share(im) * 100, choices * 100.0 / im->ntasks, choices,
	    im->ntasks);
	buffer_put(b, span_of(text));
}

void
imbalance_put(const struct imbalance *im, struct buffer *b, int choices)
{
	double m = im->total == 0 ? 1 : (double)im->total;

	buffer_put(b, SPAN(",\"tasks\":["));
	for (uint32_t i = 0; i < im->ntasks; i++) {
		if (i != 0)
			buffer_byte(b, ',');
		buffer_int(b, (int64_t)im->loads[i]);
	}
	buffer_byte(b, ']');
	put_double(b, ",\"imbalance\":", im->sum / m / m);
	put_double(b, ",\"imbalance_relative\":", im->sum_relative / m);
	put_double(b, ",\"imbalance_final\":",
	    ((double)im->most - (double)im->total / im->ntasks) / m);
	if (im->keyed == 0)
		return;
	buffer_put(b, SPAN(",\"pairs\":"));
	buffer_int(b,
	    im->npairs <= MAX_EXACT ?
		(int64_t)im->npairs :
		(int64_t)floor(hyperloglog_estimate(&im->many_pairs) + 0.5));
	put_double(b, ",\"top_key\":", top_share(im));
	if (choices != 0 && top_share(im) * im->ntasks > choices)
		put_hint(im, b, choices);
}
