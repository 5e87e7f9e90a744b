/*
 * join - join the tuples of several streams that have the same key.
 *
 * There are two kinds.  A single join (single_join) waits for one tuple of
 * each stream, makes one row of them and forgets the key.  A window join
 * (window_join, sjoin -m) keeps every tuple for a time, and makes a row of each
 * combination whose times are close enough.
 *
 * Tuples wait in a time_cache_map by key; the caller says what time it is.
 * Rows, and tuples that did not join, go to functions of the owner.
 *
 * Source: SingleJoinBolt of storm-starter; for the window join the
 *         stream-stream joins of Kafka Streams, in which a null row comes
 *         only when nothing can join any more.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_JOIN_H
#define JOIN_JOIN_H

#include <stdint.h>

#include "join/part_list.h"
#include "join/time_cache_map.h"
#include "tuple/key_limit.h"
#include "tuple/watermark.h"

/* Why a tuple did not join. */
enum join_reason {
	JOIN_TIMEOUT,
	JOIN_DUPLICATE,
	JOIN_NULL_KEY,
	JOIN_LATE,
	JOIN_END,
	JOIN_UNMATCHED, /* a table lacks its key */
};

/* Their names in output, such as `null-key`. */
extern const char *const join_reason_names[JOIN_UNMATCHED + 1];

/*
 * What the owner does with results.  All arguments are valid during the call.
 *
 * row:    write a row.  parts has a tuple for each stream, or NULL; key is as
 *         it is spelled.  alone: these tuples found no partners.
 * failed: a tuple did not join.  Its `alone` row, if any, was given before.
 * done:   a tuple that joined is no longer needed; may be NULL.
 */
struct join_owner {
	void *self;
	void (*row)(void *self, struct span key,
	    const struct join_part *const *parts, bool alone);
	void (*failed)(void *self, const struct join_part *part,
	    enum join_reason reason);
	void (*done)(void *self, const struct join_part *part);
};

struct join {
	struct join_owner owner;
	struct time_cache_map
	    waiting;		      /* by key: the part_list of each stream */
	struct join_parts parts;      /* the tuples that wait */
	const struct join_part **row; /* scratch, one for each stream */
	size_t nstreams;
	int64_t length;
	/*
	 * In a window join of two streams, how much older and newer than one of
	 * the first a tuple of the second may be; else both are length.
	 */
	int64_t before, after;
	bool many, replace;
	bool any_order; /* nobody sees in which order the last tuples fail */
	struct key_limit *limit; /* NULL: none; may be set after init */
	uint64_t nlate;		 /* tuples that had expired when they arrived */
	int64_t max_late;	 /* how far behind now the worst of them was */
	/* The greatest time in waiting of what has expired; INT64_MIN: nothing. */
	int64_t expired;
	/* The tuples that came behind now, and might have joined some of that. */
	struct behind behind;
};

/*
 * Make a single join of two or more streams.  Before the first tuple: set many
 * for a window join, and before and after if they differ (length is the greater
 * one); set replace for sjoin's -d replace, and any_order.
 *
 * Shape:  nstreams >= 2; a part has nfields fields.
 * Units:  all times are nanoseconds.  length is how far apart the times of a
 *         row may be, bound included.  lateness is how far tuples may be out
 *         of order; it only affects speed.
 * Owns:   copies owner.
 * Errors: none.
 */
void join_init(struct join *j, const struct join_owner *owner, size_t nstreams,
    size_t nfields, int64_t length, int64_t lateness);
void join_fini(struct join *j);

/*
 * Fetch into the cache what n tuples of a stream, after keys_look_ahead, may
 * join with.  This saves 5 % if the tuples that wait do not fit a core's cache.
 */
void join_look_ahead(const struct join *j, size_t stream,
    struct tuple *const *tuples, size_t n);

/*
 * Add a tuple, while the watermark is now.  In a single join a second tuple of
 * a stream fails as a duplicate; with replace, the first one does.
 *
 * Owns:   copies what it keeps of part; a window join sets part->joined.
 * Errors: none, but a tuple whose key is one too many is not kept; the caller
 *         asks key_limit_check.
 */
void join_add(struct join *j, const struct key *key, struct join_part *part,
    int64_t now);

/* Fail all tuples that have expired when the watermark is now. */
static inline void join_expire(struct join *j, int64_t now);

/* The keys that wait, for keys_look_ahead. */
static inline const struct hash_map *
join_keys(const struct join *j)
{
	return time_cache_map_keys(&j->waiting);
}

/* How many keys, and how many tuples, wait. */
static inline size_t
join_live(const struct join *j)
{
	return join_keys(j)->live;
}

static inline uint64_t
join_waiting(const struct join *j)
{
	return j->parts.n;
}

/* Fail all tuples that wait, since the input has ended. */
void join_finish(struct join *j);

/*
 * Put back a tuple that a state has stored.  Call it for all of them, in the
 * order in which they arrived.
 *
 * Shape:  in a single join, since and first are the time and the order of the
 *         first tuple of the key; in a window join they are the tuple's own.
 * Owns:   copies part.
 * Errors: false if the tuple cannot have waited together with those before
 *         it, so that the state is damaged.
 */
bool join_put_back(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first);

/* Fail an entry that has expired when the watermark is now, and all others. */
void join_fail_expired(struct join *j, uint32_t id, int64_t now);

static inline void
join_expire(struct join *j, int64_t now)
{
	uint32_t id = time_cache_map_expired(&j->waiting, now);

	if (id != HASH_MAP_NONE)
		join_fail_expired(j, id, now);
}

#endif
