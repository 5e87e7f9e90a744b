/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "state/known_keys.h"

/* A tuple that waits for its answer. */
struct waiting_tuple {
	bool *known; /* the value of its key */
	uint64_t id;
	size_t at, n; /* its line, in lines */
};

/* The value of a key is a bool, which a row of the store makes true. */
static void
save(void *self, const void *value, struct stored_value *columns)
{
	(void)self;
	(void)value;
	(void)columns;
}

static bool
fold(void *self, void *value, const struct stored_value *row)
{
	bool *known = value;

	(void)self;
	(void)row;
	*known = true;
	return true;
}

static void
drop(void *self, void *value)
{
	(void)self;
	(void)value;
}

static void
report(void *self, struct span spelling, const void *value)
{
	(void)self;
	(void)spelling;
	(void)value;
}

static const struct persistent_type type = {
	.size = sizeof(bool),
	.once = true,
	.save = save,
	.fold = fold,
	.drop = drop,
	.report = report,
};

void
known_keys_init(struct known_keys *k, size_t nkeys, struct key_limit *limit)
{
	/* By batch, so that no more are held than PERSISTENT_MAP_HELD. */
	*k = (struct known_keys){ .map = { .type = &type,
				      .nkeys = nkeys,
				      .changes = true,
				      .batch_size = INT64_MAX,
				      .limit = limit } };
	persistent_map_init(&k->map);
}

void
known_keys_fini(struct known_keys *k)
{
	persistent_map_fini(&k->map);
	free(k->waiting);
	buffer_fini(&k->lines);
}

void
known_keys_ask(struct known_keys *k, const struct key *key, uint64_t id,
    struct span line)
{
	bool *known = persistent_map_touch(&k->map, key);

	if (known == NULL)
		return;
	k->waiting =
	    memory_grow(k->waiting, &k->cap, k->n + 1, sizeof *k->waiting);
	k->waiting[k->n++] =
	    (struct waiting_tuple){ known, id, k->lines.n, line.n };
	buffer_put(&k->lines, line);
}

void
known_keys_answer(struct known_keys *k, known_keys_fn *fn, void *self)
{
	if (k->n == 0)
		return;
	persistent_map_end_batch(&k->map);
	for (size_t i = 0; i < k->n; i++) {
		const struct waiting_tuple *w = &k->waiting[i];

		fn(self, w->id, (struct span){ k->lines.p + w->at, w->n },
		    *w->known);
		*w->known = true;
	}
	k->n = k->lines.n = 0;
}

void
known_keys_restore(struct known_keys *k, struct store *s,
    const struct span *names)
{
	persistent_map_restore(&k->map, s, names);
}

void
known_keys_save(struct known_keys *k, struct store *s)
{
	persistent_map_save(&k->map, s);
}
