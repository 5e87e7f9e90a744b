/*
 * imbalance - how evenly a stream was spread over tasks, as the papers on
 * partial key grouping measure it, and what that took.
 *
 * I(t), after t tuples, is the most that a task has had less the mean.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_IMBALANCE_H
#define GROUPING_IMBALANCE_H

#include "base/buffer.h"
#include "base/hyperloglog.h"
#include "grouping/space_saving.h"

struct imbalance {
	uint32_t ntasks;
	uint64_t *loads, most, total;
	double sum;	     /* of I(t) */
	double sum_relative; /* of I(t) / t */
	struct space_saving keys;
	/* The (key, task) pairs by their hashes, exactly at first. */
	uint64_t *pairs, npairs, mask;
	struct hyperloglog many_pairs;
	uint64_t keyed; /* tuples that had a key */
};

/*
 * Errors: none.
 */
void imbalance_init(struct imbalance *im, uint32_t ntasks);
void imbalance_fini(struct imbalance *im);

/* A tuple was sent to task. */
void imbalance_add(struct imbalance *im, uint32_t task);

/* And this was its key. */
void imbalance_add_key(struct imbalance *im, uint32_t task, uint64_t hash);

/*
 * Append what is known as members of a JSON object, each after a comma:
 *
 *	"tasks"               tuples by task
 *	"imbalance"           mean of I(t) / m, m being the tuples in all
 *	"imbalance_relative"  mean of I(t) / t
 *	"imbalance_final"     I(m) / m
 *
 * and where there were keys
 *
 *	"pairs"               distinct (key, task) pairs: exact up to a million,
 *	                      from there on within about 1 %
 *	"top_key"             share of the most frequent key
 *	"hint"                what to do where it is more than choices / ntasks
 *
 * Shape:  choices is how many tasks a key can go to; 0: no hint.
 */
void imbalance_put(const struct imbalance *im, struct buffer *b, int choices);

#endif
