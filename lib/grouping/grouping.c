/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "grouping/grouping.h"
#include "grouping/java_hash.h"
#include "grouping/murmur3.h"

enum {
	STORM1_SEED = 13,
	STORM1_OTHER_SEED = 17,
};

void
grouping_init(struct grouping *g, const struct grouping_config *config)
{
	*g = (struct grouping){ .config = *config,
		.random.state = config->seed };
	if (config->kind == GROUPING_PARTIAL)
		g->loads = memory_new(config->ntasks, sizeof *g->loads);
	if (config->kind == GROUPING_HEAVY)
		heavy_hitters_init(&g->heavy, config->ntasks, config->choices);
}

void
grouping_fini(struct grouping *g)
{
	free(g->loads);
	if (g->config.kind == GROUPING_HEAVY)
		heavy_hitters_fini(&g->heavy);
	*g = (struct grouping){ 0 };
}

bool
grouping_has_keys(enum grouping_kind kind)
{
	return kind == GROUPING_PARTIAL || kind == GROUPING_FIELDS ||
	    kind == GROUPING_HEAVY;
}

/* A number below n from the 32 bits of x. */
static uint32_t
below(uint32_t x, uint32_t n)
{
	return (uint32_t)((uint64_t)x * n >> 32);
}

struct task_key
grouping_key_native(const struct grouping_config *c, struct span canonical)
{
	struct task_key k = { .hash = hash_seeded(canonical, c->seed) };
	uint32_t n = c->ntasks, b;

	k.pair[0] = below((uint32_t)(k.hash >> 32), n);
	if (n > 1) {
		b = k.pair[0] + 1 + below((uint32_t)k.hash, n - 1);
		k.pair[1] = b < n ? b : b - n;
	}
	return k;
}

struct task_key
grouping_key_fields(const struct grouping_config *c, int32_t hash)
{
	int64_t n = c->ntasks, index = hash % n;
	uint32_t task = (uint32_t)(index < 0 ? index + n : index);

	return (struct task_key){ .pair = { task, task } };
}

/* abs(h) mod n, where Java's abs leaves the least number negative. */
static uint32_t
storm1_task(uint64_t h, uint32_t n)
{
	if ((int64_t)h < 0)
		h = 0 - h;
	return (uint32_t)(h % n);
}

struct task_key
grouping_key_storm(const struct grouping_config *c, struct span bytes)
{
	struct task_key k = { 0 };
	struct java_random r;
	uint32_t n = c->ntasks;

	if (c->scheme == GROUPING_STORM1) {
		k.pair[0] = storm1_task(murmur3_x64_128(bytes, STORM1_SEED), n);
		k.pair[1] =
		    storm1_task(murmur3_x64_128(bytes, STORM1_OTHER_SEED), n);
		return k;
	}
	r = java_random(java_hash_bytes(bytes));
	k.pair[0] = (uint32_t)java_random_below(&r, (int32_t)n);
	k.pair[1] = (uint32_t)java_random_below(&r, (int32_t)n);
	if (k.pair[0] == k.pair[1])
		k.pair[1] = (k.pair[1] + 1) % n;
	return k;
}

uint32_t
grouping_choose(struct grouping *g, const struct task_key *key)
{
	uint32_t task;

	switch (g->config.kind) {
	case GROUPING_PARTIAL:
		task =
		    key->pair[g->loads[key->pair[1]] < g->loads[key->pair[0]]];
		g->loads[task]++;
		return task;
	case GROUPING_FIELDS:
		return key->pair[0];
	case GROUPING_HEAVY:
		return heavy_hitters_choose(&g->heavy, key);
	case GROUPING_SHUFFLE:
		task = g->next;
		g->next = task + 1 == g->config.ntasks ? 0 : task + 1;
		return task;
	case GROUPING_NONE:
		return (uint32_t)random_below(&g->random, g->config.ntasks);
	default:
		return 0;
	}
}

/* List them in tasks, and return how many there are. */
static uint32_t
candidates(const struct grouping *g, const struct task_key *key, uint32_t task,
    uint32_t *tasks)
{
	if (g->config.kind == GROUPING_HEAVY)
		return heavy_hitters_candidates(&g->heavy, key, tasks);
	if (g->config.kind != GROUPING_PARTIAL) {
		tasks[0] = task;
		return 1;
	}
	tasks[0] = key->pair[0];
	tasks[1] = key->pair[1];
	return 2;
}

void
grouping_put_candidates(const struct grouping *g, const struct task_key *key,
    uint32_t task, struct buffer *b)
{
	uint32_t *tasks = memory_new(g->config.ntasks + 2, sizeof *tasks);
	uint32_t n = candidates(g, key, task, tasks);

	for (uint32_t i = 0; i < n; i++) {
		buffer_byte(b, i == 0 ? '[' : ',');
		buffer_int(b, tasks[i]);
	}
	buffer_byte(b, ']');
	free(tasks);
}

size_t
grouping_live_keys(const struct grouping *g)
{
	return g->config.kind == GROUPING_HEAVY ?
	    heavy_hitters_live_keys(&g->heavy) :
	    0;
}
