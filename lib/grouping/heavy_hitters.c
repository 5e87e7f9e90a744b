/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "grouping/heavy_hitters.h"

enum {
	/* A key with more than 1 / (HEAD n) of the tuples is frequent. */
	HEAD = 5,
	/* HEAD n hold each such key; twice that halves the error. */
	COUNTERS_PER_TASK = 2 * HEAD,
	MIN_COUNTERS = 100,
	DISTINCT_BITS = 11,
	/* The tuples before it looks at the head, at first. */
	REVIEW = 1000,
	BASE = 3,
	MIN_SLOPE = 2,
	/* A key whose tasks are all so far above the mean gets one more. */
	TOO_FULL = 2,
};

/* What D-Choices may be off in balance. */
static const double TOLERANCE = 1e-4;

/* How many pairs more than two for each key there may be, on average. */
static const double MORE_PAIRS = 0.4;

void
heavy_hitters_init(struct heavy_hitters *h, uint32_t ntasks,
    enum heavy_hitters_choices choices)
{
	uint32_t counters = COUNTERS_PER_TASK * ntasks;

	if (counters < MIN_COUNTERS)
		counters = MIN_COUNTERS;
	*h = (struct heavy_hitters){ .ntasks = ntasks,
		.choices = choices,
		.loads = memory_new(ntasks, sizeof *h->loads),
		.extra = memory_new(counters, sizeof *h->extra),
		.slope = MIN_SLOPE,
		.base = BASE,
		.review = REVIEW };
	stream_summary_init(&h->order, ntasks);
	space_saving_init(&h->sketch, counters);
	hyperloglog_init(&h->distinct, DISTINCT_BITS);
}

void
heavy_hitters_fini(struct heavy_hitters *h)
{
	stream_summary_fini(&h->order);
	free(h->loads);
	space_saving_fini(&h->sketch);
	hyperloglog_fini(&h->distinct);
	free(h->extra);
	*h = (struct heavy_hitters){ 0 };
}

/* The shares of the frequent keys in descending order, and all others'. */
struct head {
	double *shares;
	uint32_t n;
	double rest;
};

static struct head
head_of(const struct heavy_hitters *h)
{
	const struct space_saving *s = &h->sketch;
	struct head head = { memory_new(s->summary.n, sizeof *head.shares), 0,
		1 };

	for (uint32_t i = s->summary.n; i-- > 0;) {
		uint32_t c = s->summary.order[i];
		double share = (double)stream_summary_count(&s->summary, c) /
		    (double)s->total;

		if (share * HEAD * h->ntasks < 1)
			break;
		head.shares[head.n++] = share;
		head.rest -= share;
	}
	if (head.rest < 0)
		head.rest = 0;
	return head;
}

/*
 * Tell whether d choices for each frequent key balance all prefixes of them.
 *
 * Source: the condition on d in "When Two Choices Are not Enough".
 */
static bool
is_enough(const struct head *head, double n, double d)
{
	double prefix = 0, all = 1 - head->rest, miss = pow((n - 1) / n, d);
	double empty = 1; /* share of the tasks that no choice has hit */

	for (uint32_t i = 0; i < head->n; i++) {
		double hit, expected;

		prefix += head->shares[i];
		empty *= miss;
		hit = 1 - empty;
		expected = prefix + pow(hit, d) * (all - prefix) +
		    hit * hit * head->rest;
		if (expected > n * hit * (1 / n + TOLERANCE))
			return false;
	}
	return true;
}

static double
enough_choices(const struct head *head, uint32_t n)
{
	double d = head->n == 0 ? 2 : ceil(head->shares[0] * n);

	if (d < 2)
		d = 2;
	while (d < n && !is_enough(head, n, d))
		d++;
	return d;
}

/* The tasks that all frequent keys together have, past their two. */
static double
more_pairs(const struct head *head, double n, double slope)
{
	double sum = 0;

	for (uint32_t i = 0; i < head->n; i++) {
		double d = slope * head->shares[i] * n + BASE;

		sum += (d < n ? d : n) - 2;
	}
	return sum;
}

/* The steepest slope that keeps to the limit on pairs. */
static double
affordable_slope(const struct heavy_hitters *h, const struct head *head)
{
	double limit = MORE_PAIRS * hyperloglog_estimate(&h->distinct);
	double n = h->ntasks, slope = MIN_SLOPE;

	/* At HEAD n even the least of them may go to all tasks. */
	while (slope < HEAD * n && more_pairs(head, n, slope * 1.25) <= limit)
		slope *= 1.25;
	return slope;
}

static void
review(struct heavy_hitters *h)
{
	struct head head = head_of(h);

	if (h->choices == HEAVY_HITTERS_D) {
		h->slope = 0;
		h->base = enough_choices(&head, h->ntasks);
	} else {
		h->slope = affordable_slope(h, &head);
	}
	free(head.shares);
	/* The more is known, the less it changes. */
	h->review += h->review / 16 > REVIEW ? h->review / 16 : REVIEW;
}

/* Task i of a key's sequence. */
static uint32_t
candidate(const struct heavy_hitters *h, const struct task_key *key, uint32_t i)
{
	struct random r = { key->hash + i };

	if (i < 2)
		return key->pair[i];
	return (uint32_t)random_below(&r, h->ntasks);
}

/*
 * Of the least loaded tasks one of the key's own, so that it goes to few of
 * them, and else any: several sources that took the same one would add up.
 */
static uint32_t
least_of_all(const struct heavy_hitters *h, const struct task_key *key)
{
	uint32_t n, any;
	uint64_t least = stream_summary_least(&h->order, &n);

	for (int i = 0; i < 2; i++)
		if (h->loads[key->pair[i]] == least)
			return key->pair[i];
	any = (uint32_t)((key->hash & UINT32_MAX) * n >> 32);
	return h->order.order[any];
}

/* The first of the key's tasks that is below the mean, or the least. */
static uint32_t
least_of_some(struct heavy_hitters *h, const struct task_key *key,
    uint32_t counter)
{
	uint32_t best = key->pair[0];
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < h->ncandidates && least >= h->level; i++) {
		uint32_t task = candidate(h, key, i);

		if (h->loads[task] < least) {
			least = h->loads[task];
			best = task;
		}
	}
	if (h->choices == HEAVY_HITTERS_W && least >= h->level + TOO_FULL &&
	    h->extra[counter] < h->ntasks)
		h->extra[counter]++;
	return best;
}

/* Count one more tuple, and what follows for the mean. */
static void
note(struct heavy_hitters *h, uint32_t task)
{
	h->loads[task]++;
	stream_summary_add(&h->order, task);
	if (++h->in_level == h->ntasks) {
		h->in_level = 0;
		h->level++;
	}
	if (h->sketch.total >= h->review)
		review(h);
}

uint32_t
heavy_hitters_choose(struct heavy_hitters *h, const struct task_key *key)
{
	uint32_t a = key->pair[0], b = key->pair[1], task, counter;
	uint64_t scaled;
	double d;
	bool fresh;

	hyperloglog_add(&h->distinct, key->hash);
	counter = space_saving_add(&h->sketch, key->hash, &fresh);
	if (fresh)
		h->extra[counter] = 0;
	scaled = space_saving_sure(&h->sketch, counter) * h->ntasks;
	h->among_all = false;
	if (scaled * HEAD <= h->sketch.total) {
		h->ncandidates = 2;
		task = h->loads[b] < h->loads[a] ? b : a;
	} else {
		d = h->slope * (double)scaled / (double)h->sketch.total +
		    h->base + h->extra[counter];
		h->ncandidates = d < h->ntasks ? (uint32_t)d : h->ntasks;
		h->among_all = h->ncandidates == h->ntasks;
		task = h->among_all ? least_of_all(h, key) :
				      least_of_some(h, key, counter);
	}
	note(h, task);
	return task;
}

uint32_t
heavy_hitters_candidates(const struct heavy_hitters *h,
    const struct task_key *key, uint32_t *tasks)
{
	for (uint32_t i = 0; i < h->ncandidates; i++)
		tasks[i] = h->among_all ? i : candidate(h, key, i);
	return h->ncandidates;
}
