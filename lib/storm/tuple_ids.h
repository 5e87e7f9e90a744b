/*
 * tuple_ids - number the tuples that a bolt holds; Storm's own ids are strings.
 *
 * A tuple is held by shares: of a block one for each line that is not done, and
 * one for each block under way that is anchored to it.  When the last share is
 * given back the tuple is to be acked, or failed if it was marked so, and its
 * number is used again.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_TUPLE_IDS_H
#define STORM_TUPLE_IDS_H

#include <stdint.h>

#include "base/buffer.h"

struct tuple_ids {
	struct tuple_id {
		struct buffer text; /* as it came, with its quotes */
		uint64_t shares;    /* 0: it is free */
		bool is_block;	    /* of lines, none of which fails it */
		bool failed;
		size_t next; /* the next free one, plus 1 */
	} * ids;
	size_t n, cap;
	size_t free; /* the first free one, plus 1 */
};

void tuple_ids_fini(struct tuple_ids *ids);

/* Give a number and a share to a tuple with this id.  Owns: copies text. */
uint64_t tuple_ids_hold(struct tuple_ids *ids, struct span text);

/*
 * Take one more share of a tuple; say that it is a block; have it fail, unless
 * it is a block.
 *
 * Shape:  the tuple is held.
 */
void tuple_ids_share(struct tuple_ids *ids, uint64_t id);
void tuple_ids_set_block(struct tuple_ids *ids, uint64_t id);
void tuple_ids_fail(struct tuple_ids *ids, uint64_t id);

/*
 * The id that Storm gave to a tuple, with its quotes.
 *
 * Shape:  the tuple is held.
 * Owns:   valid until the next _hold.
 */
struct span tuple_ids_text(const struct tuple_ids *ids, uint64_t id);

/*
 * Give a share of a tuple back.  Returns the tuple if that was the last, which
 * frees its number.
 *
 * Shape:  the tuple is held.
 * Owns:   valid until the next _hold.
 * Errors: NULL if there are more shares.
 */
const struct tuple_id *tuple_ids_release(struct tuple_ids *ids, uint64_t id);

#endif
