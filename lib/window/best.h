/*
 * best - the n entries that rank first of those that are put in.
 *
 * Entries are ordered by value, then by key ascending, then by arrival.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_BEST_H
#define WINDOW_BEST_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/number.h"
#include "base/pool.h"
#include "base/prefetch.h"

/*
 * What is known of a line that is kept.  Its bytes are elsewhere, and behind
 * them the text of its value.
 */
struct best_line {
	union {
		int64_t i;
		double d;
	} value;
	uint32_t n; /* bytes without the text */
	uint32_t text_n : 31;
	uint32_t is_int : 1;
};

struct best_entry {
	struct best_line line;
	const char *p;	/* the bytes of the line, which the owner keeps */
	uint64_t order; /* of arrival; with keys, the id of its key */
};

/* A zeroed one is empty. */
struct best {
	struct best_entry *heap; /* the worst is on top */
	size_t len, cap;
};

struct best_rule {
	size_t n;
	bool smallest;		     /* ranks first */
	const struct hash_map *keys; /* NULL: there are none */
	bool grouped;		     /* they begin with a group_number */
	struct pool *pool;	     /* has the arrays of entries */
};

/*
 * Describe a line and its value, and copy them.
 *
 * Shape:  `to` has room for line.n + value->text.n bytes.
 */
struct best_line best_line_put(char *to, const struct number *value,
    struct span line);

/* Tell whether a value, or an entry, is among the n best. */
bool best_takes_value(const struct best *b, const struct best_rule *rule,
    const struct number *value);
bool best_takes(const struct best *b, const struct best_rule *rule,
    const struct best_entry *x);

/* Add an entry that best_takes accepts; if full, it replaces heap[0]. */
void best_put(struct best *b, const struct best_rule *rule,
    const struct best_entry *x);

/*
 * Order the entries by rank, from the first on.  Call best_turn before the next
 * best_put.
 */
void best_sort(struct best *b, const struct best_rule *rule);
void best_turn(struct best *b);

/* So many entries are fetched, or the lines of so many. */
enum { BEST_FETCHED = 4 };

/*
 * _fetch: have the first entries fetched into the cache.  _fetch_lines: once they
 * are there, have their lines fetched.
 */
static inline __attribute__((always_inline)) void
best_fetch(const struct best *b)
{
	prefetch(b->heap, BEST_FETCHED * sizeof *b->heap);
}

static inline __attribute__((always_inline)) void
best_fetch_lines(const struct best *b)
{
	for (size_t i = 0; i < b->len && i < BEST_FETCHED; i++)
		prefetch(b->heap[i].p, 2 * PREFETCH_LINE);
}

#endif
