/*
 * grouping - choose the task for each tuple.
 *
 *	partial   the less loaded of a key's two candidates, ties to the first
 *	fields    the first candidate
 *	heavy     as partial, but a frequent key has more candidates
 *	shuffle   each task in turn
 *	global    task 0
 *	none      any task, at random
 *	all       every task: the caller sends to all of them
 *
 * The load of a task is the number of tuples that this grouping has sent to it.
 * The scheme makes the candidates of a key: the native one by a seeded hash,
 * always two different tasks; the others as Storm 1.x or 2.x does.
 *
 * Source: PartialKeyGrouping and FieldsGrouper of Storm; M. Nasir et al.,
 *         "The Power of Both Choices", ICDE 2015.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_GROUPING_H
#define GROUPING_GROUPING_H

#include "base/buffer.h"
#include "base/random.h"
#include "base/span.h"
#include "grouping/heavy_hitters.h"

enum grouping_kind {
	GROUPING_PARTIAL,
	GROUPING_FIELDS,
	GROUPING_HEAVY,
	GROUPING_SHUFFLE,
	GROUPING_GLOBAL,
	GROUPING_ALL,
	GROUPING_NONE,
};

enum grouping_scheme { GROUPING_NATIVE, GROUPING_STORM1, GROUPING_STORM2 };

enum { GROUPING_MAX_TASKS = 65535 };

struct grouping_config {
	enum grouping_kind kind;
	enum grouping_scheme scheme;
	enum heavy_hitters_choices choices;
	uint32_t ntasks; /* 1..GROUPING_MAX_TASKS */
	uint64_t seed;
};

struct grouping {
	struct grouping_config config;
	uint64_t *loads;	    /* for partial: tuples by task */
	struct heavy_hitters heavy; /* for heavy */
	struct random random;	    /* for none */
	uint32_t next;		    /* for shuffle */
};

/*
 * Begin, with no tuples sent.
 *
 * Owns:   copies config.
 * Errors: none.
 */
void grouping_init(struct grouping *g, const struct grouping_config *config);
void grouping_fini(struct grouping *g);

/* Tell whether this kind of grouping looks at keys. */
bool grouping_has_keys(enum grouping_kind kind);

/*
 * Make the candidates of a key.  _native: from its canonical bytes.  _fields:
 * as Storm's fields grouping, from the hash of the list of values.  _storm: as
 * Storm's partial key grouping, from the bytes that it hashes.
 *
 * Shape:  call the one that fits the grouping's kind and scheme.  The hash of
 *         _fields and _storm is the caller's to set.
 * Errors: none.
 */
struct task_key grouping_key_native(const struct grouping_config *c,
    struct span canonical);
struct task_key grouping_key_fields(const struct grouping_config *c,
    int32_t hash);
struct task_key grouping_key_storm(const struct grouping_config *c,
    struct span bytes);

/*
 * Choose the task for a tuple, and add the tuple to its load.
 *
 * Shape:  key may be NULL if the grouping has no keys.  Not for GROUPING_ALL.
 * Errors: none.
 */
uint32_t grouping_choose(struct grouping *g, const struct task_key *key);

/* How many keys it has counts of: those of heavy's sketch. */
size_t grouping_live_keys(const struct grouping *g);

/*
 * Append the tasks among which grouping_choose chose for the last tuple, in the
 * order in which it looked at them, as an array: `[2,0]`.
 *
 * Shape:  task is what was chosen.
 * Errors: none.
 */
void grouping_put_candidates(const struct grouping *g,
    const struct task_key *key, uint32_t task, struct buffer *b);

#endif
