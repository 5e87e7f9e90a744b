/*
 * heavy_hitters - balance where few keys have much of the stream: the frequent ones
 * may go to more than two tasks, and all others to two.
 *
 * A key is frequent with more than 1 / 5n of the tuples.  W-Choices: it may
 * go to any task, as long as that makes few more (key, task) pairs than two
 * a key, since each pair is a counter somewhere downstream.  Where there are
 * few keys, that is not so; then each has a number of tasks that grows with
 * its share, and with the imbalance that it meets.  D-Choices: all frequent
 * keys have as many as theory asks for.
 *
 *	share of the key        tasks
 *	less than 1 / 5n        the less loaded of two
 *	p                       the least loaded of a p n + 3, a >= 2, or
 *	                        of all n where that is as many
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

/* A key, as far as choosing a task needs it. */
struct task_key {
	uint64_t hash;	  /* to count it by */
	uint32_t pair[2]; /* its two candidates, which may be one */
};

struct heavy_hitters {
	uint32_t ntasks;
	enum heavy_hitters_choices choices;
	uint64_t *loads;	     /* tuples by task */
	struct stream_summary order; /* the same, the least at hand */
	struct space_saving sketch;  /* tuples by key */
	struct hyperloglog distinct; /* keys */
	uint16_t *extra;	     /* tasks by counter, for want of balance */
	double slope;		     /* tasks by share times n */
	double base;		     /* and for each frequent key */
	uint64_t review;	     /* total at which both are found anew */
	uint64_t level;		     /* of the tasks, rounded down */
	uint32_t in_level;	     /* tuples since it was reached */
	uint32_t ncandidates;	     /* that the last tuple had */
};

/*
 * Shape:  1 <= ntasks <= 65535.
 * Errors: none.
 */
void heavy_hitters_init(struct heavy_hitters *h, uint32_t ntasks,
    enum heavy_hitters_choices choices);
void heavy_hitters_fini(struct heavy_hitters *h);

/* Choose the task of one more tuple, and count it. */
uint32_t heavy_hitters_choose(struct heavy_hitters *h,
    const struct task_key *key);

/* How many keys are counted. */
static inline size_t
heavy_hitters_live_keys(const struct heavy_hitters *h)
{
	return h->sketch.used;
}

/*
 * The tasks that the last tuple, which had this key, could go to.
 *
 * Shape:  tasks has room for ntasks + 2.
 */
uint32_t heavy_hitters_candidates(const struct heavy_hitters *h,
    const struct task_key *key, uint32_t *tasks);

#endif
