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
#include "tuple/key.h"
#include "window/rankings.h"

struct ranking_groups {
	size_t n;
	bool keyed, smallest;
	struct rankings none;	/* of tuples of no group */
	struct hash_map groups; /* with struct rankings * */
};

/*
 * Shape:  as for rankings_init.
 */
void ranking_groups_init(struct ranking_groups *g, size_t n, bool keyed,
    bool smallest);
void ranking_groups_fini(struct ranking_groups *g);

/*
 * The rankings of a group, which are made where it has none.
 *
 * Shape:  group is NULL for tuples of no group.
 * Owns:   the groups', until they are cleared; copies the key.
 */
struct rankings *ranking_groups_get(struct ranking_groups *g,
    const struct key *group);

/*
 * Report each group, see rankings_report, in the order of their keys; no group
 * is the first.
 */
void ranking_groups_report(struct ranking_groups *g, rankings_fn *fn,
    void *arg);

/* Forget all. */
void ranking_groups_clear(struct ranking_groups *g);

/* The number of entries that are kept. */
size_t ranking_groups_live(const struct ranking_groups *g);

/* Where the keys of tuples of no group are looked up, for keys_look_ahead. */
static inline const struct hash_map *
ranking_groups_keys(const struct ranking_groups *g)
{
	return rankings_keys(&g->none);
}

#endif
