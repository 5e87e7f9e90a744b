/*
 * tuple_ids - numbers for the tuples that a bolt holds, in place of the ids
 * that Storm gives them, which are strings.
 *
 * A number is used again once its tuple has been acked or failed.
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
		size_t next; /* of those that are free, plus 1 */
	} * ids;
	size_t n, cap, nheld;
	size_t free; /* plus 1 */
};

void tuple_ids_fini(struct tuple_ids *ids);

/* Hold a tuple.  Owns: copies text. */
uint64_t tuple_ids_hold(struct tuple_ids *ids, struct span text);

/*
 * The text of a tuple's id.
 *
 * Shape:  the tuple is held.
 * Owns:   good until the next _hold.
 */
struct span tuple_ids_text(const struct tuple_ids *ids, uint64_t id);

/* Let a tuple go, once.  Owns: its text is good until the next _hold. */
struct span tuple_ids_release(struct tuple_ids *ids, uint64_t id);

#endif
