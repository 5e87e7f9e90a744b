/*
 * parts - the tuples that wait in a join, each a copy of what rows need of it;
 * and which of them are not stored elsewhere as they are.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_PARTS_H
#define JOIN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/span.h"

/* Where in its line a field is; n is 0 where the tuple has none. */
struct join_field {
	uint32_t at, n;
};

/* A tuple that takes part. */
struct join_part {
	struct span line; /* SPAN_PAD more can be read behind it */
	const struct join_field *fields; /* what the owner's rows need */
	int64_t time;
	uint64_t order; /* of arrival */
	uint64_t id;	/* for ack and fail */
	uint32_t stream;
	unsigned change : 30; /* its place in changes, plus 1 */
	unsigned joined : 1;  /* in some row */
	unsigned stored : 1;  /* elsewhere, as it was once */
	union {
		struct {
			uint32_t before, after;
		} spare;       /* bytes of the line that need not be kept */
		uint32_t rank; /* of one that is kept: how many shortcuts */
	};
	struct join_part *next; /* of one that is kept, see part_list */
};

/* The shortcuts of a part that is kept lie behind it. */
static inline struct join_part **
join_part_shortcuts(const struct join_part *p)
{
	return (struct join_part **)(uintptr_t)(p + 1);
}

/* A part that waits and is not stored as it is now. */
struct join_change {
	struct join_part *part;
	uint32_t id; /* of its key */
};

struct join_parts {
	struct pool pool;
	size_t nfields; /* of each part */
	uint64_t n;	/* that wait */

	bool notes; /* of what has changed */
	struct join_change *changes;
	size_t nchanges, changes_cap;
	uint64_t *gone; /* stored, by order, and not waiting any more */
	size_t ngone, gone_cap;
};

/* Shape:  nothing waits. */
void join_parts_fini(struct join_parts *w);

/*
 * Keep a copy of a part, its fields, and of its line what has to be kept, with
 * room for so many shortcuts; or let go of one.
 *
 * Owns:   the copy waits until it is dropped; id is that of its key.
 * Errors: none.
 */
struct join_part *join_parts_keep(struct join_parts *w,
    const struct join_part *part, uint32_t id, uint32_t rank);
void join_parts_drop(struct join_parts *w, struct join_part *p);

/* A part that waits is in a row; it may be the first. */
void join_parts_joined(struct join_parts *w, struct join_part *p, uint32_t id);

/* All that waits is stored: note what changes from now on. */
void join_parts_note(struct join_parts *w);

#endif
