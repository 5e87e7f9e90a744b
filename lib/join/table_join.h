/*
 * table_join - join each tuple of one stream with the rows that tables have
 * of its key: a lookup.
 *
 * All streams but one are tables.  If no table has times, a tuple is joined
 * as it comes, with the latest rows.  Else it waits until the watermark is past
 * its time, and is joined with the rows as of that time.
 *
 * Source: the stream-table joins of Kafka Streams; with times the temporal
 *         joins of Flink.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_TABLE_JOIN_H
#define JOIN_TABLE_JOIN_H

#include "base/heap.h"
#include "join/join.h"
#include "join/join_streams.h"
#include "join/lookup_table.h"

/* A tuple that waits, and its key. */
struct table_waiting {
	struct join_part *part; /* NULL: a place that is free */
	struct span spelling;	/* NULL: as the key itself */
	uint64_t hash;
	uint32_t key; /* of waiting_keys */
	bool has_null;
};

struct table_join {
	struct join_owner owner;
	size_t nstreams;
	const bool *is_table, *timed; /* of each stream */
	bool waits;		      /* some table has times */
	int64_t length; /* how old a row may be, of tables with times */
	struct key_limit *limit;      /* NULL: none; may be set after init */
	struct lookup_table *tables;  /* of each stream */
	const struct join_part **row; /* scratch, of each stream */
	struct join_part **found; /* scratch, for the row found in each table */

	struct join_parts parts; /* that wait */
	struct table_waiting *waiting;
	size_t nwaiting, waiting_cap;
	struct hash_map waiting_keys; /* and how many tuples of each wait */
	struct heap by_time;	      /* places in waiting */
	uint32_t *free;		      /* of which nfree are free */
	size_t nfree, free_cap;

	uint64_t nlate;
	int64_t max_late;
	/* The greatest time of a tuple that was joined; INT64_MIN: none was. */
	int64_t joined;
	/* Rows of tables that came when tuples of their time had been joined. */
	struct behind behind;
};

/*
 * Shape:  is_table and timed are set and stay the caller's; is_table leaves out
 *         one stream; the times of what is not timed are INT64_MIN.  A part has
 *         nfields fields.
 * Units:  all times are nanoseconds; length is INT64_MAX for no bound.
 * Owns:   copies owner.
 * Errors: none.
 */
void table_join_init(struct table_join *j, const struct join_owner *owner,
    size_t nstreams, size_t nfields, int64_t length);
void table_join_fini(struct table_join *j);

/*
 * Take a tuple of any stream, at a time when the watermark is at now.
 *
 * Errors: none, but a tuple whose key is one too many is not kept; the caller
 *         asks key_limit_check.
 */
void table_join_add(struct table_join *j, const struct key *key,
    const struct join_part *part, int64_t now);

/* Restore a stored waiting tuple. */
void table_join_put_back(struct table_join *j, const struct key *key,
    const struct join_part *part);

/* All is stored elsewhere: note what changes from now on. */
void table_join_note(struct table_join *j);

/*
 * _advance: join waiting tuples before now, and forget the rows that are older
 * than length then.  _finish: join all.
 */
void table_join_advance(struct table_join *j, int64_t now);
void table_join_finish(struct table_join *j);

/*
 * Fetch what the next n tuples will need, which are all of one stream; see
 * join_streams_look_ahead.
 */
void table_join_look_ahead(const struct table_join *j, struct join_streams *s,
    struct tuple *const *tuples, size_t n);

/* How many keys there are in all tables, and how many wait. */
size_t table_join_live(const struct table_join *j);

#endif
