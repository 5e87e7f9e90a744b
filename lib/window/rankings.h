/*
 * rankings - the n tuples with the largest (or smallest) values.
 *
 * With keys, a tuple replaces the one of the same key, and all keys are kept,
 * so that one that fell out comes back when others sink.  Without keys every
 * tuple stands for itself, and only the n best are kept.
 *
 * Tuples are ordered by value, then by key ascending, then by arrival.
 *
 * Memory: a key takes 48 bytes, its place in the table, its length if that is
 * more than 19 bytes, and its line; one of the best takes 32 bytes, and without
 * keys its line.
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
#include "window/best.h"

struct rankings {
	size_t n;
	bool keyed, smallest;
	/* Keys begin with a group_number.  To be set after init. */
	bool grouped;
	struct hash_map keys; /* with keys */
	struct buffer lines;
	size_t garbage;	  /* bytes of lines that are no longer used */
	struct pool pool; /* has the entries; lines too, without keys */
	struct best best;
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

/* The map of the keys, for keys_look_ahead. */
static inline const struct hash_map *
rankings_keys(const struct rankings *r)
{
	return &r->keys;
}

/*
 * The rankings of a part, such as a group, whose best the caller holds.
 * Without keys use _add in place of _update.  With keys, _choose offers the
 * tuple of id to b until b is reported.  _forget empties b, whose
 * memory rankings_clear or _fini then frees.
 */
void rankings_add(struct rankings *r, struct best *b,
    const struct number *value, struct span line);
void rankings_choose(struct rankings *r, struct best *b, uint32_t id);
void rankings_report_best(struct rankings *r, struct best *b, rankings_fn *fn,
    void *arg);
void rankings_forget(const struct rankings *r, struct best *b);

#endif
