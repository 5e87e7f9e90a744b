/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/batch.h"

void
batch_init(struct batch *b, size_t most)
{
	*b = (struct batch){ .most = most };
	hash_map_init(&b->keys, 0);
}

void
batch_fini(struct batch *b)
{
	batch_clear(b);
	free(b->rows);
	hash_map_fini(&b->keys);
}

void
batch_put(struct batch *b, const struct key *key, struct span line,
    double number)
{
	size_t at = b->n;

	if (key != NULL) {
		uint32_t id = hash_map_get(&b->keys, key->bytes, key->hash);

		at = id == HASH_MAP_NONE ? b->n : id;
	}
	if (at == b->most)
		return;
	if (at < b->n) {
		span_free(b->rows[at].line);
	} else {
		if (key != NULL)
			hash_map_add(&b->keys, key->bytes, key->bytes,
			    key->hash);
		b->rows =
		    memory_grow(b->rows, &b->cap, b->n + 1, sizeof *b->rows);
		b->n++;
	}
	b->rows[at] = (struct batch_row){ span_dup(line), number };
}

void
batch_clear(struct batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		span_free(b->rows[i].line);
	b->n = 0;
	hash_map_clear(&b->keys);
}
