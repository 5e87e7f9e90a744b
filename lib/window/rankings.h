/*
 * rankings - the n largest (or smallest) of what was put in.
 *
 * With keys, what is put in under a key replaces what the key had, and all
 * keys are kept: one that fell out is back when others sink.  Without keys
 * everything stands for itself, and only the n best are kept.
 *
 * The order is total: by value, then key ascending, then first come first.
 *
 * Source: Rankings of storm-starter, which keeps only n entries of a key
 *         each, so that some go stale, and whose ties flip at every update.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKINGS_H
#define WINDOW_RANKINGS_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/number.h"
#include "tuple/key.h"

/* One entry while entries are being ranked. */
struct ranked {
	struct number value;
	struct span key; /* canonical; p is NULL without keys */
	struct span line;
	uint64_t order;
};

struct rankings {
	size_t n;
	bool keyed, smallest;
	struct hash_map keys; /* with keys */
	struct buffer lines;
	size_t garbage;	     /* bytes of lines that nobody has any more */
	struct ranked *heap; /* without keys: the worst of the best on top */
	size_t len, cap;
	uint64_t order;
};

/*
 * Shape:  n >= 1.
 */
void rankings_init(struct rankings *r, size_t n, bool keyed, bool smallest);
void rankings_fini(struct rankings *r);

/*
 * Put in a tuple by its value, under a key or (NULL) for itself.
 *
 * Shape:  key is not NULL where rankings are keyed.
 * Owns:   copies line and value.
 * Errors: none.
 */
void rankings_update(struct rankings *r, const struct key *key,
    const struct number *value, struct span line);

/* Take the key's tuple out, if there is one. */
void rankings_remove(struct rankings *r, const struct key *key);

/*
 * Report the best n in order, rank 1 first.
 *
 * Owns:   line is good during the call.
 */
typedef void rankings_fn(void *arg, size_t rank, struct span line);
void rankings_report(struct rankings *r, rankings_fn *fn, void *arg);

/* Forget all. */
void rankings_clear(struct rankings *r);

/* The number of entries that are kept. */
size_t rankings_live(const struct rankings *r);

/* Where keys are looked up, for keys_look_ahead. */
static inline const struct hash_map *
rankings_keys(const struct rankings *r)
{
	return &r->keys;
}

#endif
