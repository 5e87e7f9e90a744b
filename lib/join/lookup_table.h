/*
 * lookup_table - the rows of a stream that is a table: the latest one of each
 * key and, if rows have times, what is needed to tell which was the latest at a
 * time that is not yet past.
 *
 * The rows of a key are a list by time.  Rows older than the latest one up to
 * the watermark are dropped once they are half of all.  So adding a row
 * that is the latest of its key costs O(1); finding one, or adding one beside
 * the row that was added last, O(log n).
 * Where rows expire, a key has one place in a heap, by a time that it had; when
 * that has passed, the key goes, or gets a place by its latest time.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_LOOKUP_TABLE_H
#define JOIN_LOOKUP_TABLE_H

#include "base/buffer.h"
#include "base/hash_map.h"
#include "base/heap.h"
#include "base/pointer_list.h"
#include "base/pool.h"
#include "join/parts.h"
#include "tuple/key.h"

/* A row; its fields and its line lie behind it. */
struct lookup_row {
	int64_t time;
	uint32_t n;   /* bytes of its line that are kept */
	bool stored;  /* the state has it or its predecessor */
	bool changed; /* listed in changes */
};

/*
 * A row that came, or a stored one that went, since the last note; its key is
 * in changed_keys.
 */
struct lookup_change {
	size_t at, n;
	int64_t time;
	bool gone;
};

struct lookup_table {
	struct hash_map keys;
	struct pool pool;
	size_t nfields; /* of each row */

	size_t nrows;

	bool expires;	    /* for the owner to set, while it is empty */
	struct heap by_age; /* then each key, by one of its times */

	bool notes; /* of what changes */
	struct lookup_change *changes;
	size_t nchanges, changes_cap;
	size_t ngone; /* of the changes */
	struct buffer changed_keys;
};

/* Shape:  a row has nfields fields, as a join_part. */
void lookup_table_init(struct lookup_table *t, size_t nfields);
void lookup_table_fini(struct lookup_table *t);

/*
 * Add a row, replacing one with the same key and time.  Ignored if the key has
 * a newer row at or before now.
 *
 * Owns:   copies key, and what rows need of part.
 * Errors: none.
 */
void lookup_table_put(struct lookup_table *t, const struct key *key,
    const struct join_part *part, int64_t now);

/*
 * Forget the keys whose rows are all from before a time.
 *
 * Shape:  it does nothing unless expires is set.
 */
void lookup_table_expire(struct lookup_table *t, int64_t time);

/*
 * The latest row of a key at or before time.
 *
 * Shape:  key has bytes, hash and hint.
 * Owns:   good until the next put or expire.
 * Errors: NULL if there is none.
 */
const struct lookup_row *lookup_table_find(const struct lookup_table *t,
    const struct key *key, int64_t time);

/*
 * Fetch into the cache the rows that n tuples, after keys_look_ahead, may be
 * joined with.
 */
void lookup_table_look_ahead(const struct lookup_table *t,
    struct tuple *const *tuples, size_t n);

/* All rows are stored elsewhere: note what changes from now on. */
void lookup_table_note(struct lookup_table *t);

/*
 * Order the changes: rows to store, then rows to delete; do so before the next
 * note.  Returns how many to store.
 */
size_t lookup_table_sort_changes(struct lookup_table *t);

/*
 * What is kept of the line of a row.  _row_part sets the line, the time and the
 * fields of a part to those of the tuple that the row came from.
 *
 * Shape:  part is from join_part_new, with as many fields as the table's.
 * Owns:   the line is good as long as the row.
 * Errors: none.
 */
struct span lookup_table_line(const struct lookup_table *t,
    const struct lookup_row *row);
void lookup_table_row_part(const struct lookup_table *t,
    const struct lookup_row *row, struct join_part *part);

#endif
