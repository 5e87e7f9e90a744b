/*
 * ranking_groups - rankings of groups, each by itself; or without groups, one
 * of all tuples.
 *
 * Keys of all groups share one table; each is prefixed with its group's number.
 * Only a report tells the groups apart.  _clear does not reuse numbers, so a
 * key made earlier is never taken for a later group's.
 *
 * Memory: a group takes 48 bytes, its place in a table, and its length if that
 * is more than 19 bytes; its best take 128 bytes at first.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKING_GROUPS_H
#define WINDOW_RANKING_GROUPS_H

#include "base/hash_map.h"
#include "tuple/key_limit.h"
#include "tuple/options.h"
#include "window/rankings.h"

struct ranking_groups {
	struct rankings rankings; /* of all groups */
	struct hash_map groups;	  /* with struct best */
	uint64_t first;		  /* the number of the group with the id 0 */
	size_t live;		  /* entries of all */
	struct key key;		  /* with the number of its group */
	/* Of keys, or without keys of groups; NULL: none; set after _init. */
	struct key_limit *limit;
};

/* Scratch keys: of the current tuple and its group, and of those ahead. */
struct group_keys {
	struct field_range group, key; /* options; set by the caller */
	struct key one_group, one_key;
	struct keys_ahead ahead;
	struct key alone, joined[TUPLE_AHEAD]; /* with the group's number */
};

/*
 * Shape:  as for rankings_init.
 */
void ranking_groups_init(struct ranking_groups *g, size_t n, bool grouped,
    bool keyed, bool smallest);
void ranking_groups_fini(struct ranking_groups *g);

/*
 * Do what keys_look_ahead does.  A tuple with a group and a key gets a key that
 * has the group in it, or none if the group is new.
 *
 * Shape:  k has fields of a group, of a key, or of both; all else of it is zero
 *         before its first use.
 */
void ranking_groups_look_ahead(const struct ranking_groups *g,
    struct group_keys *k, struct tuple *const *tuples, size_t n);

/*
 * The group and the key of a tuple, for ranking_groups_update: as they were
 * looked up ahead, or made in k.  Either is NULL if k has no fields of it.
 * group is also NULL if the key contains it.
 *
 * Owns:   as key_of; they are valid until all is forgotten.
 * Errors: -1 if a field is missing, an object or an array; f says which.
 */
int ranking_groups_keys_of(const struct ranking_groups *g, struct group_keys *k,
    const struct tuple *t, const struct key **group, const struct key **key,
    struct fault *f);
void group_keys_fini(struct group_keys *k);

/*
 * Rank a tuple in its group, or remove that of its key; see rankings_update.
 *
 * Shape:  group and key are those of ranking_groups_keys_of; value is NULL to
 *         remove.
 * Errors: false if the limit refuses the key; without keys, the group.
 */
bool ranking_groups_update(struct ranking_groups *g, const struct key *group,
    const struct key *key, const struct number *value, struct span line);

/*
 * Report each group, see rankings_report, in the order of their keys.
 */
void ranking_groups_report(struct ranking_groups *g, rankings_fn *fn,
    void *arg);

/* Forget all. */
void ranking_groups_clear(struct ranking_groups *g);

/* The number of entries that are kept. */
static inline size_t
ranking_groups_live(const struct ranking_groups *g)
{
	return g->live;
}

#endif
