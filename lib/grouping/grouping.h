/*
 * grouping - which task gets which tuple.
 *
 *	partial   the less loaded of a key's two candidates, ties to the first
 *	fields    the first candidate
 *	heavy     as partial, but a frequent key has more candidates (heavy.h)
 *	shuffle   each task in turn
 *	global    task 0
 *	none      any task, at random
 *	all       every task: the caller sends to all of them
 *
 * Loads are the tuples that this grouping has sent.  A key comes as what the
 * scheme made of it (grouping_key): candidates by a seeded hash, two that
 * differ, or those that Storm 1.x or 2.x would take.
 *
 * Source: PartialKeyGrouping and FieldsGrouper of Storm; M. Nasir et al.,
 *         "The Power of Both Choices", ICDE 2015.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_GROUPING_H
#define GROUPING_GROUPING_H

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
	uint64_t *loads;	    /* of partial: tuples by task */
	struct heavy_hitters heavy; /* of heavy */
	struct random random;	    /* of none */
	uint32_t next;		    /* of shuffle */
};

/*
 * Errors: none.
 */
void grouping_init(struct grouping *g, const struct grouping_config *config);
void grouping_fini(struct grouping *g);

/* Tell whether this kind of grouping looks at keys. */
bool grouping_has_keys(enum grouping_kind kind);

/*
 * Make a key.  _native: from canonical bytes.  _fields: as Storm's fields
 * grouping does, from the hash of the list of values.  _storm: from the
 * bytes that its partial key grouping hashes.
 *
 * Shape:  _native and _storm go with the scheme that the grouping has.
 */
struct task_key grouping_key_native(const struct grouping_config *c,
    struct span canonical);
struct task_key grouping_key_fields(const struct grouping_config *c,
    int32_t hash);
struct task_key grouping_key_storm(const struct grouping_config *c,
    struct span bytes);

/*
 * Choose the task of one more tuple, and count it.
 *
 * Shape:  key is unused, and may be NULL, where the grouping has no keys;
 *         not for GROUPING_ALL.
 */
uint32_t grouping_choose(struct grouping *g, const struct task_key *key);

/* How many keys it has counts of: those of heavy's sketch. */
size_t grouping_live_keys(const struct grouping *g);

/*
 * The tasks among which the last tuple's was chosen, in the order in which
 * they were considered.
 *
 * Shape:  tasks has room for ntasks + 2; task is what was chosen.
 */
uint32_t grouping_candidates(const struct grouping *g,
    const struct task_key *key, uint32_t task, uint32_t *tasks);

#endif
