/*
 * heavy_hitters - balance tasks when a few keys have a large share of the
 * stream: frequent keys can go to more than two tasks, all others to two.
 *
 * A key is frequent if it has more than 1 / 5n of the tuples.  With W-Choices
 * it can go to any task, unless that would make many more (key, task) pairs
 * than two for each key, since each pair is a counter in some task.  If there
 * are few keys it would; then a frequent key has a number of tasks that grows
 * with its share, and with the imbalance that it meets.  With D-Choices all
 * frequent keys have the number of tasks that theory asks for.
 *
 *	share of the key        tasks
 *	less than 1 / 5n        the less loaded of two
 *	p                       the least loaded of a p n + 3 (a >= 2), at
 *	                        most of all n
 *
 * Source: M. Nasir et al., "When Two Choices Are not Enough", ICDE 2016; the
 *         limit on pairs is ours.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_HEAVY_HITTERS_H
#define GROUPING_HEAVY_HITTERS_H

#include "base/hyperloglog.h"
#include "grouping/space_saving.h"

enum heavy_hitters_choices { HEAVY_HITTERS_W, HEAVY_HITTERS_D };

/* What choosing a task needs of a key. */
struct task_key {
	uint64_t hash;	  /* to count the key */
	uint32_t pair[2]; /* its two candidates, which may be the same */
};

struct heavy_hitters {
	uint32_t ntasks;
	enum heavy_hitters_choices choices;
	uint64_t *loads;	     /* tuples by task */
	struct stream_summary order; /* tasks by load, the least first */
	struct space_saving sketch;  /* tuples by key */
	struct hyperloglog distinct; /* keys */
	uint16_t *extra;   /* of each counter: tasks added for balance */
	double slope;	   /* a frequent key has slope * share * n */
	double base;	   /* + base tasks */
	uint64_t review;   /* the total at which both are computed again */
	uint64_t level;	   /* mean load of the tasks, rounded down */
	uint32_t in_level; /* tuples since the mean reached level */
	/* Of the last tuple: */
	uint32_t ncandidates;
	bool among_all; /* they are all tasks */
};

/*
 * Begin, with no tuples counted.
 *
 * Shape:  1 <= ntasks <= 65535.
 * Errors: none.
 */
void heavy_hitters_init(struct heavy_hitters *h, uint32_t ntasks,
    enum heavy_hitters_choices choices);
void heavy_hitters_fini(struct heavy_hitters *h);

/* Choose the task for a tuple, and count the tuple. */
uint32_t heavy_hitters_choose(struct heavy_hitters *h,
    const struct task_key *key);

/* How many keys are counted. */
static inline size_t
heavy_hitters_live_keys(const struct heavy_hitters *h)
{
	return h->sketch.used;
}

/*
 * List the tasks among which heavy_hitters_choose chose for the last tuple,
 * which had this key.  Returns how many there are.
 *
 * Shape:  tasks has room for ntasks + 2.
 * Errors: none.
 */
uint32_t heavy_hitters_candidates(const struct heavy_hitters *h,
    const struct task_key *key, uint32_t *tasks);

#endif
