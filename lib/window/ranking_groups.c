/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "window/ranking_groups.h"

void
ranking_groups_init(struct ranking_groups *g, size_t n, bool keyed,
    bool smallest)
{
	*g = (struct ranking_groups){
		.n = n, .keyed = keyed, .smallest = smallest
	};
	rankings_init(&g->none, n, keyed, smallest);
	hash_map_init(&g->groups, sizeof(struct rankings *));
}

static struct rankings *
rankings_of(const struct ranking_groups *g, uint32_t id)
{
	return *(struct rankings **)hash_map_value(&g->groups, id);
}

void
ranking_groups_clear(struct ranking_groups *g)
{
	g->live = 0;
	rankings_clear(&g->none);
	for (uint32_t id = 0;
	     (id = hash_map_next(&g->groups, id)) != HASH_MAP_NONE; id++) {
		rankings_fini(rankings_of(g, id));
		free(rankings_of(g, id));
	}
	hash_map_clear(&g->groups);
}

void
ranking_groups_fini(struct ranking_groups *g)
{
	ranking_groups_clear(g);
	rankings_fini(&g->none);
	hash_map_fini(&g->groups);
}

static struct rankings *
group_of(struct ranking_groups *g, const struct key *group)
{
	bool added;
	uint32_t id;
	struct rankings **r;

	if (group == NULL)
		return &g->none;
	id = hash_map_put(&g->groups, group->bytes, group->bytes, group->hash,
	    &added);
	r = hash_map_value(&g->groups, id);
	if (added) {
		*r = memory_new(1, sizeof **r);
		rankings_init(*r, g->n, g->keyed, g->smallest);
	}
	return *r;
}

bool
ranking_groups_update(struct ranking_groups *g, const struct key *group,
    const struct key *key, const struct number *value, struct span line)
{
	struct rankings *r = group_of(g, group);
	size_t before = rankings_live(r);

	if (value == NULL)
		rankings_remove(r, key);
	else if (key != NULL &&
	    key_limit_refuses(g->limit, g->live, rankings_keys(r), key))
		return false;
	else
		rankings_update(r, key, value, line);
	g->live += rankings_live(r) - before;
	return true;
}

/* A group while groups are being sorted. */
struct sorted_group {
	struct span key;
	struct rankings *rankings;
};

static int
by_key(const void *a, const void *b)
{
	const struct sorted_group *x = a, *y = b;

	return key_cmp(x->key, y->key);
}

void
ranking_groups_report(struct ranking_groups *g, rankings_fn *fn, void *arg)
{
	struct sorted_group *sorted =
	    memory_new(g->groups.live, sizeof *sorted);
	size_t n = 0;

	for (uint32_t id = 0;
	     (id = hash_map_next(&g->groups, id)) != HASH_MAP_NONE; id++)
		sorted[n++] =
		    (struct sorted_group){ hash_map_key(&g->groups, id),
			    rankings_of(g, id) };
	if (n > 1)
		qsort(sorted, n, sizeof *sorted, by_key);
	rankings_report(&g->none, fn, arg);
	for (size_t i = 0; i < n; i++)
		rankings_report(sorted[i].rankings, fn, arg);
	free(sorted);
}
