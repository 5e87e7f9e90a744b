/*
 * ranking_groups - rankings of groups, each by itself; tuples of no group have
 * one, too.
 *
 * Memory: a group takes some 700 bytes and the length of its key if that is
 * more than 19 bytes, and what its rankings take.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKING_GROUPS_H
#define WINDOW_RANKING_GROUPS_H

#include "base/hash_map.h"
#include "tuple/key_limit.h"
#include "window/rankings.h"

struct ranking_groups {
	size_t n;
	bool keyed, smallest;
	struct rankings none;	/* of tuples of no group */
	struct hash_map groups; /* with struct rankings * */
	size_t live;		/* entries of all */
	struct key_limit
	    *limit; /* of keys; NULL: none; may be set after init */
};

/*
 * Shape:  as for rankings_init.
 */
void ranking_groups_init(struct ranking_groups *g, size_t n, bool keyed,
    bool smallest);
void ranking_groups_fini(struct ranking_groups *g);

/*
 * Rank a tuple in its group, or remove that of its key; see rankings_update.
 *
 * Shape:  group may be NULL; value is NULL to remove.
 * Errors: false if the limit refuses the key.
 */
bool ranking_groups_update(struct ranking_groups *g, const struct key *group,
    const struct key *key, const struct number *value, struct span line);

/*
 * Report each group, see rankings_report, in the order of their keys; no group
 * is the first.
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

/* Where the keys of tuples of no group are looked up, for keys_look_ahead. */
static inline const struct hash_map *
ranking_groups_keys(const struct ranking_groups *g)
{
	return rankings_keys(&g->none);
}

#endif
