/*
 * parts - the tuples that wait in a join: copies of those bytes that rows need,
 * and a list of the changes since they were last stored in a state.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_PARTS_H
#define JOIN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/span.h"

/* Where a field is in the line; n is 0 if the tuple does not have it. */
struct join_field {
	uint32_t at, n;
};

/*
 * A tuple in a join.  After it in memory come its links, if it is a kept copy
 * in a part_list, then those of its fields that rows need, then, of a kept
 * copy, what is kept of its line.
 *
 * Of time, order and id no two are beside each other: gcc would copy both by one
 * load, which waits on Intel for the two stores right before it.
 */
struct join_part {
	const char *line; /* SPAN_PAD bytes after it can be read */
	int64_t time;
	uint32_t n; /* the bytes of line */
	uint32_t stream;
	uint64_t order;	  /* of arrival */
	uint32_t change;  /* its index in changes, plus 1; 0: none */
	uint8_t nlinks;	  /* 0 but in a part_list */
	bool joined;	  /* it was in a row */
	bool stored;	  /* the state has it, maybe as it was before */
	bool fields_only; /* no more of the line is needed than the fields */
	uint64_t id;	  /* for ack and fail */
};

static inline struct span
join_part_line(const struct join_part *p)
{
	return (struct span){ p->line, p->n };
}

static inline struct join_part **
join_part_links(const struct join_part *p)
{
	return (struct join_part **)(uintptr_t)(p + 1);
}

static inline struct join_field *
join_part_fields(const struct join_part *p)
{
	return (struct join_field *)(void *)(join_part_links(p) + p->nlinks);
}

/* A part with n fields, all zero, and no links.  The caller frees it. */
struct join_part *join_part_new(size_t n);

/*
 * What must be kept of the line of a part with n fields: with fields_only, from
 * the first of them to the last, else all.  _copy_fields copies the fields,
 * with their places in what is kept.
 *
 * Owns:   the result is a part of the line.
 * Errors: none.
 */
struct span join_part_needed(const struct join_part *p, size_t n);
void join_part_copy_fields(const struct join_part *p, size_t n,
    struct span needed, struct join_field *fields);

/* A part that waits, and that the state does not have as it is now. */
struct join_change {
	struct join_part *part;
	uint32_t id; /* that it was kept with */
};

struct join_parts {
	struct pool pool;
	size_t nfields; /* of each part */
	uint64_t n;	/* parts that wait */

	bool notes; /* changes are noted, for a state */
	struct join_change *changes;
	size_t nchanges, changes_cap;
	uint64_t *gone; /* orders of parts that the state must delete */
	size_t ngone, gone_cap;
};

/* Free the memory, when no part waits any more. */
void join_parts_fini(struct join_parts *w);

/*
 * Keep a copy of a part, with its fields and what is needed of its line; or
 * free such a copy.
 *
 * Shape:  id is what changes tell of the part's key, such as its entry in
 *         waiting; the copy has nlinks links, which are not set.
 * Owns:   the copy is valid until join_parts_drop.
 * Errors: none.
 */
struct join_part *join_parts_keep(struct join_parts *w,
    const struct join_part *part, uint32_t id, uint8_t nlinks);
void join_parts_drop(struct join_parts *w, struct join_part *p);

/* Note that a part that waits was in a row. */
void join_parts_joined(struct join_parts *w, struct join_part *p, uint32_t id);

/* Note changes from now on; the state has all parts that wait. */
void join_parts_note(struct join_parts *w);

#endif
