/*
 * join - put together the tuples of several streams that have one key.
 *
 * Two ways.  The single join waits for one tuple of each stream, writes one
 * row and forgets the key.  The window join keeps every tuple for a time and
 * writes a row for each combination whose times lie within that.
 *
 * Both keep what waits in a time_cache_map by key, know no clock, and hand
 * rows and what did not join to functions of their owner's.
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
#include "tuple/key.h"

/* Why a tuple did not join. */
enum join_reason {
	JOIN_TIMEOUT,
	JOIN_DUPLICATE,
	JOIN_NULL_KEY,
	JOIN_LATE,
	JOIN_END,
};

/* How they are called, `null-key`. */
extern const char *const join_reason_names[JOIN_END + 1];

/*
 * What the owner does.  All spans are good during the call.
 *
 * row:    write one; parts has a member for each stream, NULL where it has
 *         none, and key is its spelling.  alone: not a joined one.
 * failed: note that a part did not join; its row, if it is alone, has been
 *         written.
 * done:   note that a part that joined will not be asked for again; or NULL.
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
	struct join_parts parts;      /* that wait */
	const struct join_part **row; /* scratch, one for each stream */
	size_t nstreams;
	int64_t length;
	bool many, replace;
	uint64_t nlate;	  /* that had expired on arrival */
	int64_t max_late; /* how much older than now one of those was */
};

/*
 * Shape:  nstreams >= 2; a part has nfields fields.
 * Units:  length is how far apart times may be, bound included; lateness
 *         how far they may be out of order, which only guides the layout.
 *         All times are nanoseconds.
 */
void join_init(struct join *j, const struct join_owner *owner, size_t nstreams,
    size_t nfields, int64_t length, int64_t lateness);
void join_fini(struct join *j);

/*
 * Have the cache fetch what n tuples of a stream may soon join with, whose keys
 * have been looked ahead for.  On a busy machine, or where what waits does not
 * fit a core's cache, it takes 5 % off a join.
 */
void join_look_ahead(const struct join *j, size_t stream,
    struct tuple *const *tuples, size_t n);

/*
 * Take one tuple, at a time when the watermark is at now.  In a single join
 * one that comes a second time fails; with replace the first one does.
 *
 * Owns:   copies what it keeps of part, which is the caller's.
 */
void join_add(struct join *j, const struct key *key,
    const struct join_part *part, int64_t now);

/* Fail what has expired now that the watermark is there. */
static inline void join_expire(struct join *j, int64_t now);

/* What waits, by key, for a look ahead. */
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

/* Fail all that waits: the input has ended. */
void join_finish(struct join *j);

/*
 * Let a part wait that was stored; all in the order in which they arrived.
 *
 * Shape:  of a single join, since and first are the time and the order of
 *         the first to arrive of its key; else they are the part's own.
 * Owns:   copies part.
 * Errors: false where this part cannot have waited beside those before it.
 */
bool join_put_back(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first);

/* Fail an entry of waiting, all of it or its oldest part. */
void join_let_go(struct join *j, uint32_t id, enum join_reason reason);

static inline void
join_expire(struct join *j, int64_t now)
{
	uint32_t id;

	while ((id = time_cache_map_expired(&j->waiting, now)) != HASH_MAP_NONE)
		join_let_go(j, id, JOIN_TIMEOUT);
}

#endif
