/*
 * batch - the rows of a batch, in the order they came, where a row of the same
 * key takes the place of the one before.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_BATCH_H
#define TUPLE_BATCH_H

#include "base/hash_map.h"
#include "tuple/key.h"

struct batch_row {
	struct span line; /* an object */
	double number;	  /* as batch_put was told */
};

struct batch {
	struct batch_row *rows; /* n of them */
	size_t n, cap;
	size_t most;	      /* no more rows are kept */
	uint64_t dropped;     /* rows that were one too many */
	struct hash_map keys; /* the id is the place in rows */
};

/* Prepare an empty batch that keeps `most` rows. */
void batch_init(struct batch *b, size_t most);
void batch_fini(struct batch *b);

/*
 * Put a row in: in place of that with the same key, else at the end.
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
