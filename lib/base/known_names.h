/*
 * known_names - names that were met, to tell which one was probably meant.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_KNOWN_NAMES_H
#define BASE_KNOWN_NAMES_H

#include "base/hash_map.h"

enum { KNOWN_NAMES_MOST = 1000, KNOWN_NAMES_LONGEST = 64 };

struct known_names {
	struct hash_map names;
};

void known_names_init(struct known_names *k);
void known_names_fini(struct known_names *k);

/*
 * Remember a name, if it is not too long and not one too many.
 *
 * Owns:   copies name.
 * Errors: none.
 */
void known_names_add(struct known_names *k, struct span name);

/*
 * Find the name that is most like another one: the fewest bytes inserted,
 * deleted, replaced or swapped with their neighbour make one of the other, of
 * upper or lower case, and no more than one or a third of them.  What a known
 * name has up to a dot counts as one.  Of equals it is the first that came.
 *
 * Owns:   good until the next name is added.
 * Errors: p is NULL where none is like it.
 * Source: the optimal string alignment distance.
 */
struct span known_names_like(const struct known_names *k, struct span name);

/*
 * Append `; did you mean 'X'?` with the name that is most like name.
 *
 * Errors: false where none is like it.
 */
bool known_names_ask(const struct known_names *k, struct span name,
    struct buffer *text);

#endif
