/*
 * batch - the rows of a batch in the order they came; a row replaces the one
 * with the same key.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_BATCH_H
#define TUPLE_BATCH_H

#include "base/hash_map.h"
#include "tuple/key.h"

struct batch_row {
	struct span line; /* an object */
	double number;	  /* as given to batch_put */
};

struct batch {
	struct batch_row *rows; /* n of them */
	size_t n, cap;
	size_t most;	      /* rows that are kept at most */
	struct hash_map keys; /* the id is the place in rows */
};

/* Prepare an empty batch that keeps `most` rows. */
void batch_init(struct batch *b, size_t most);
void batch_fini(struct batch *b);

/*
 * Put a row in: in place of the one with the same key, else at the end.  A full
 * batch drops it.
 *
 * Shape:  key is NULL for all rows of a batch or for none.
 * Owns:   copies line and key.
 * Errors: none.
 */
void batch_put(struct batch *b, const struct key *key, struct span line,
    double number);

/* Forget all rows. */
void batch_clear(struct batch *b);

#endif
