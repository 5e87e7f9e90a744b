/*
 * aggregate - what is computed over the tuples of a key, a slot or a session:
 * counts, sums, means, deviations, extremes, quantiles and the like; a list
 * of them compiled from an option, and their values.
 *
 * As in SQL, a tuple whose field is missing or null is ignored by the
 * aggregates of that field and counted by the others.  The values of subsets
 * of the tuples (batches, slots, sessions, what a store has) can be merged.
 * The result depends on which tuples there were, not on how they were split;
 * first and last go by arrival.
 *
 * Aggregates that need the same share it, as mean:ms and sum:ms, or p50:ms
 * and p95:ms, so a value is made of parts:
 *
 *	count, mean:ms, sum:ms, p95:ms
 *	[ count | sum and number of ms | sketch of ms ]
 *
 * Memory of a value, besides what window/kept_value.h, moments.h,
 * distinct_values.h and quantile_sketch.h say: 8 bytes for count and for each
 * count:F, 16 for sum and mean of a field.
 *
 * To add one: its kind in enum aggregate_kind before AGGREGATE_QUANTILE, its
 * part in enum part_kind, a case in each switch over them (aggregate.c,
 * aggregate_parse.c, aggregate_state.c), tuple(5), tests/unit/aggregate.c and
 * the models in tests/random.
 *
 * Source: Trident's CombinerAggregator.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_AGGREGATE_H
#define WINDOW_AGGREGATE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "base/hash_map.h"
#include "base/packed.h"
#include "base/pool.h"
#include "base/sum.h"
#include "tuple/key.h"
#include "tuple/options.h"
#include "tuple/projection.h"
#include "tuple/stored_value.h"
#include "tuple/tuple.h"
#include "window/distinct_values.h"
#include "window/kept_value.h"
#include "window/moments.h"
#include "window/quantile_sketch.h"

enum aggregate_kind {
	AGGREGATE_COUNT,
	AGGREGATE_SUM,
	AGGREGATE_MEAN,
	AGGREGATE_STDDEV,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_FIRST,
	AGGREGATE_LAST,
	AGGREGATE_DISTINCT,
	AGGREGATE_QUANTILE
};

/* Sums and means share one kind of part; else each kind has its own. */
enum part_kind {
	PART_TUPLES, /* count */
	PART_VALUES, /* count:F */
	PART_TOTAL,
	PART_MOMENTS,
	PART_KEPT,
	PART_DISTINCT,
	PART_SKETCH,
};

union part_value {
	int64_t count;
	struct {
		struct total total;
		int64_t n; /* numbers */
	} sum;
	struct moments moments;
	struct kept_value kept;
	struct distinct_values distinct;
	struct quantile_sketch sketch;
};

struct aggregate_part {
	enum part_kind kind;
	enum kept_which which; /* of PART_KEPT */
	size_t input;	       /* unset for PART_TUPLES */
	size_t at; /* of its union among the parts of a value, in bytes */
};

/* A field that aggregates are over, and what it is in the tuple at hand. */
struct aggregate_input {
	size_t field;	/* of the projection */
	bool is_read;	/* its value is needed, not only whether it is there */
	bool is_summed; /* so must be a number */
	bool is_told_apart; /* so needs a hash */
	bool present;	    /* neither missing nor null */
	struct ordered_value value;
	uint64_t hash;
	struct buffer scratch;
};

struct aggregate {
	enum aggregate_kind kind;
	size_t part;
	/* Of a quantile: share / whole, exactly. */
	int64_t share, whole;
	struct span lead; /* `,"NAME":`, what is before it in a row; padded */
};

/* What --help says of the option. */
#define AGGREGATES_HELP "count (default), mean:F, p95:F, ..., see tuple(5)"

struct aggregates {
	struct aggregate *list;
	size_t n, cap;
	struct aggregate_part *parts;
	size_t nparts, parts_cap;
	struct aggregate_input *inputs;
	size_t ninputs, inputs_cap;
	struct hash_map paths, needs; /* of inputs and parts, by id */
	size_t size;		      /* of a value */
	uint64_t order;		      /* of the tuple at hand, by arrival */
	struct sum_pool sums;
	struct pool memory;    /* of what values have, and of window/panes */
	struct buffer nothing; /* how the value of no tuples is put */
	struct key key;	       /* scratch, as the rest */
	struct buffer text, kept, packed;
};

void aggregates_fini(struct aggregates *a);

/* A part of a value. */
static inline union part_value *
aggregates_part(const struct aggregates *a, size_t part, const void *v)
{
	return (union part_value *)((uintptr_t)v + a->parts[part].at);
}

/*
 * Add the aggregates that text lists, separated by commas: `count`, or
 * `sum:FIELD` and so on, each with `NAME=` before it if the default name
 * (`sum_FIELD`) is not wanted.
 *
 * Shape:  aggregates is a struct aggregates; so it can add for an option_spec.
 * Owns:   copies what it needs.
 * Errors: NULL on success, else what is wrong, for a message; text is then the
 *         one aggregate that is.
 */
const char *aggregates_add(void *aggregates, struct projection *p,
    struct span *text);

/*
 * The names of the members, without their quotes.
 *
 * Owns:   writes a->n spans to names, which are a's.
 */
void aggregates_names(const struct aggregates *a, struct span *names);

/*
 * Call options_misuse if two members of a row have the same name, or one is
 * named __tick: nkeys fields of the key, the aggregates, and n others.
 */
void aggregates_check_names(const struct aggregates *a,
    const struct command *command, const struct field *key, size_t nkeys,
    const struct span *others, size_t n);

/*
 * Take a tuple into v, a value, which has a->size bytes; all zeros are the
 * value of no tuples.  The last call of _check must have been for this tuple.
 *
 * Owns:   copies what it keeps.
 * Errors: _check gives -1 if a field is of a kind that an aggregate does not
 *         take; f says which.
 */
int aggregates_check(struct aggregates *a, const struct tuple *t,
    struct fault *f);
void aggregates_reduce(struct aggregates *a, void *v);

/* Take all tuples of another value, which stays as it is. */
void aggregates_merge(struct aggregates *a, void *v, const void *other);

/* Give back what v holds; it is then the value of no tuples. */
void aggregates_drop(struct aggregates *a, void *v);

/*
 * Append `"count":7,...`, a member for each aggregate; or the value of one.
 *
 * Shape:  a v of NULL is the value of no tuples, in _put.
 */
void aggregates_put(struct aggregates *a, struct buffer *b, const void *v);
void aggregates_put_one(struct aggregates *a, struct buffer *b, size_t i,
    const void *v);

/*
 * Pack all of a value; unpack it into the value of no tuples.  What changes how
 * has another FORM here, and VALUES_FORM in the states of windows and sessions.
 *
 * Errors: u->bad is set if what was packed is bad; drop v all the same.
 */
void aggregates_pack(struct aggregates *a, const void *v, struct buffer *b);
void aggregates_unpack(struct aggregates *a, void *v, struct unpacker *u);

/*
 * How many tuples a value must have, by what its parts have counted.  Whoever
 * unpacks several has this bounded for all, as parts that are merged add up.
 */
int64_t aggregates_tuples(const struct aggregates *a, const void *v);

/*
 * Convert v to a->n columns for users to query.  _save adds one with the exact
 * value, NULL if the others are exact.
 *
 * Owns:   the columns are good until the next call of either, or of _agree,
 *         _fold or _unpack.
 */
void aggregates_columns(struct aggregates *a, const void *v,
    struct stored_value *columns);
void aggregates_save(struct aggregates *a, const void *v,
    struct stored_value *columns);

/* Tell whether the queryable columns match v, where they are exact. */
bool aggregates_agree(struct aggregates *a, const void *v,
    const struct stored_value *columns);

/*
 * Merge what was stored into v, as if its tuples had come before all others.
 *
 * Errors: false if columns are not what _save gives; v is unchanged.
 */
bool aggregates_fold(struct aggregates *a, void *v,
    const struct stored_value *columns);

#endif
