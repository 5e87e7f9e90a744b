/*
 * tuple_ids - number the tuples that a bolt holds; Storm's own ids are strings.
 *
 * A number is used again when its tuple has been acked or failed.
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
		bool held;
		size_t next; /* the next free one, plus 1 */
	} * ids;
	size_t n, cap, nheld;
	size_t free; /* the first free one, plus 1 */
};

void tuple_ids_fini(struct tuple_ids *ids);

/* Give a number to a tuple whose id is text.  Owns: copies text. */
uint64_t tuple_ids_hold(struct tuple_ids *ids, struct span text);

/*
 * The id that Storm gave to a tuple, with its quotes.
 *
 * Shape:  the tuple is held.
 * Owns:   valid until the next _hold.
 */
struct span tuple_ids_text(const struct tuple_ids *ids, uint64_t id);

/*
 * Free the number of a tuple, which is held, and return the id that Storm gave
 * to it.  Owns: valid until the next _hold.
 */
struct span tuple_ids_release(struct tuple_ids *ids, uint64_t id);

#endif
