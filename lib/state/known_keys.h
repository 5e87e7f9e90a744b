/*
 * known_keys - which keys have come, in this run or before.  The tuples that
 * ask wait, so that the store is asked for the keys of many at once.
 *
 *	ask ... ask | answer: each of those is known, or not | ask ... save
 *
 * They are the keys of a persistent_map, see there for the table.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_KNOWN_KEYS_H
#define STATE_KNOWN_KEYS_H

#include "state/persistent_map.h"

struct known_keys {
	struct persistent_map map;
	struct waiting_tuple *waiting;
	size_t n, cap;
	struct buffer lines;
};

/* Shape:  nkeys is the number of a key's fields; limit may be NULL. */
void known_keys_init(struct known_keys *k, size_t nkeys,
    struct key_limit *limit);
void known_keys_fini(struct known_keys *k);

/*
 * Ask whether a tuple's key is known, which it is from then on.  If the limit
 * refuses the key, nothing is asked.
 *
 * Owns:   copies key and line.
 */
void known_keys_ask(struct known_keys *k, const struct key *key, uint64_t id,
    struct span line);

/*
 * Call fn for each tuple that has asked since the last time, in their order.
 *
 * Owns:   line is valid during the call.
 * Errors: none; stops the program if the store cannot be read.
 */
typedef void known_keys_fn(void *self, uint64_t id, struct span line,
    bool known);
void known_keys_answer(struct known_keys *k, known_keys_fn *fn, void *self);

/* What is held, by key: for a look ahead, and to be counted. */
static inline const struct hash_map *
known_keys_held(const struct known_keys *k)
{
	return &k->map.keys;
}

/*
 * Go on from a store, and bring it up to date; names are the columns of the
 * key.
 *
 * Shape:  all that was asked is answered.
 * Errors: stops the program if what the store has cannot be right.
 */
void known_keys_restore(struct known_keys *k, struct store *s,
    const struct span *names);
void known_keys_save(struct known_keys *k, struct store *s);

#endif
