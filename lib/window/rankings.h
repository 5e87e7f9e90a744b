/*
 * rankings - the n tuples with the largest (or smallest) values.
 *
 * With keys, a tuple replaces the one of the same key, and all keys are kept,
 * so that one that fell out comes back when others sink.  Without keys every
 * tuple stands for itself, and only the n best are kept.
 *
 * Tuples are ordered by value, then by key ascending, then by arrival.
 *
 * Source: Rankings of storm-starter.  It keeps only n keys, so that some have
 *         old values, and its ties change their order with every update.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_RANKINGS_H
#define WINDOW_RANKINGS_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/number.h"
#include "tuple/key.h"

/* An entry while entries are ranked. */
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
	size_t garbage;	     /* bytes of lines that are no longer used */
	struct ranked *heap; /* without keys: the n best, the worst on top */
	size_t len, cap;
	uint64_t order;
};

/*
 * Begin an empty ranking of the n best.
 *
 * Shape:  n >= 1.
 * Errors: none.
 */
void rankings_init(struct rankings *r, size_t n, bool keyed, bool smallest);
void rankings_fini(struct rankings *r);

/*
 * Add a tuple with its value; with keys, it replaces the tuple of its key.
 *
 * Shape:  key is NULL if the rankings are not keyed.
 * Owns:   copies key, value and line.
 * Errors: none.
 */
void rankings_update(struct rankings *r, const struct key *key,
    const struct number *value, struct span line);

/* Remove the tuple of a key, if there is one. */
void rankings_remove(struct rankings *r, const struct key *key);

/*
 * Call fn for the n best in order, from rank 1 on.
 *
 * Owns:   line is valid during the call.
 */
typedef void rankings_fn(void *arg, size_t rank, struct span line);
void rankings_report(struct rankings *r, rankings_fn *fn, void *arg);

/* Remove all tuples. */
void rankings_clear(struct rankings *r);

/* The number of tuples that are kept. */
size_t rankings_live(const struct rankings *r);

/* Where keys are looked up, for keys_look_ahead. */
static inline const struct hash_map *
rankings_keys(const struct rankings *r)
{
	return &r->keys;
}

#endif
