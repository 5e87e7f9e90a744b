/*
 * aggregate - count, sum, min, max, mean, first and last of the tuples of a
 * key: a list of them compiled from an option, and the accumulators that
 * each key has.
 *
 * Sums of integers are exact; min and max compare by exact decimal value;
 * they, first and last keep the bytes of the tuple's value.  Two values can
 * be combined, which is what makes a partial result of a batch and what a
 * store holds into one.
 *
 * Source: Trident's CombinerAggregator, Count and Sum among them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_AGGREGATE_H
#define WINDOW_AGGREGATE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "base/sum.h"
#include "tuple/projection.h"
#include "tuple/stored_value.h"
#include "tuple/tuple.h"

enum aggregate_kind {
	AGGREGATE_COUNT,
	AGGREGATE_SUM,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_MEAN,
	AGGREGATE_FIRST,
	AGGREGATE_LAST,
	AGGREGATE_KINDS
};

/* The bytes that min, max, first and last keep; opaque. */
struct kept_value;

/*
 * What is kept of an aggregate; count and kept take no more room than they
 * need, see at.
 */
union accumulator {
	int64_t count;
	struct kept_value *kept;
	struct {
		struct total total;
		int64_t n;
	} sum; /* and mean */
};

struct aggregate {
	enum aggregate_kind kind;
	size_t field; /* of the projection; unset for count */
	size_t at;    /* of its accumulator among those of a key, in bytes */
	struct span name; /* on output; the bytes of a JSON string, quoted */
};

struct aggregates {
	struct aggregate *list;
	size_t n, cap;
	size_t size;		/* of the accumulators of a key */
	struct number *numbers; /* of the tuple at hand, parsed */
	struct buffer scratch, state;
	struct sum_pool sums;
};

void aggregates_fini(struct aggregates *a);

/*
 * Add the aggregates that text lists, separated by commas: `count`, or
 * `sum:FIELD` and so on, each with `NAME=` before it if the default name
 * (`sum_FIELD`) is not wanted.
 *
 * Owns:   copies what it needs.
 * Errors: NULL on success, else what is wrong with text, for a message.
 */
const char *aggregates_add(struct aggregates *a, struct projection *p,
    const char *text);

/*
 * Take a tuple into v, the accumulators of its key, which have a->size bytes;
 * all zeros are those of no tuples.  _check is to be called before, for the same tuple.
 *
 * Owns:   copies what it keeps.
 * Errors: _check gives -1 where the tuple lacks a field, or it is no number
 *         where one is needed; f tells.
 */
int aggregates_check(struct aggregates *a, const struct tuple *t,
    struct fault *f);
void aggregates_reduce(struct aggregates *a, void *v, const struct tuple *t);

/* Give back what v holds. */
void aggregates_drop(struct aggregates *a, void *v);

/* Append `,"count":7,...`, a member for each aggregate. */
void aggregates_put(struct aggregates *a, struct buffer *b, const void *v);

/*
 * Keep v in a->n + 1 columns: one for each aggregate, and one with what
 * those do not say exactly, NULL where they do.
 *
 * Owns:   the columns are good until the next call.
 */
void aggregates_save(struct aggregates *a, const void *v,
    struct stored_value *columns);

/*
 * Combine: make v what it would be if the tuples in columns had come before
 * those in v.
 *
 * Errors: false where columns are not what _save gives; v is then unset.
 */
bool aggregates_fold(struct aggregates *a, void *v,
    const struct stored_value *columns);

#endif
