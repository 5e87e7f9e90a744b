/*
 * imbalance - measure how evenly a stream is spread over tasks, as the papers
 * on partial key grouping do.
 *
 * I(t) is the largest load of a task after t tuples, less the mean load.
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
	/* (key, task) pairs by their hashes; while there are few, exactly. */
	uint64_t *pairs, npairs, mask;
	struct hyperloglog many_pairs;
	uint64_t keyed; /* tuples that had a key */
};

/*
 * Begin, with no tuples.
 *
 * Errors: none.
 */
void imbalance_init(struct imbalance *im, uint32_t ntasks);
void imbalance_fini(struct imbalance *im);

/* Count a tuple that was sent to task. */
void imbalance_add(struct imbalance *im, uint32_t task);

/* Count the key of that tuple, by its hash. */
void imbalance_add_key(struct imbalance *im, uint32_t task, uint64_t hash);

/*
 * Append the results as members of a JSON object, each after a comma:
 *
 *	"tasks"               tuples by task
 *	"imbalance"           mean of I(t) / m, m being the number of tuples
 *	"imbalance_relative"  mean of I(t) / t
 *	"imbalance_final"     I(m) / m
 *
 * and, if tuples had keys,
 *
 *	"pairs"               distinct (key, task) pairs: exact up to a million,
 *	                      then within about 1 %
 *	"top_key"             share of the most frequent key
 *	"hint"                what to do, if that is more than choices / ntasks
 *
 * Shape:  choices is how many tasks a key can go to; 0: no hint.
 * Errors: none.
 */
void imbalance_put(const struct imbalance *im, struct buffer *b, int choices);

#endif
