/*
 * known_keys - which keys were passed on in any run, asked for many at once.
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
};

/* Shape:  nkeys is the number of a key's fields. */
void known_keys_init(struct known_keys *k, size_t nkeys);
void known_keys_fini(struct known_keys *k);

/*
 * Ask for a key.  After known_keys_answer the result tells whether it is
 * known; the caller sets it when it has passed the key on.
 *
 * Owns:   copies key; the result is good until the next save.
 */
bool *known_keys_ask(struct known_keys *k, const struct key *key);
void known_keys_answer(struct known_keys *k);

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
 * Errors: stops the program where what the store has cannot be right.
 */
void known_keys_restore(struct known_keys *k, struct store *s,
    const struct span *names);
void known_keys_save(struct known_keys *k, struct store *s);

#endif
