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

#include "base/pool.h"
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
		} spare; /* bytes of the line that need not be kept */
		struct join_part *previous; /* of those that are kept */
	};
	struct join_part *next;
};

/* A part that waits and is not stored as it is now. */
struct join_change {
	struct join_part *part;
	uint32_t id; /* of its key in waiting */
};

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
	struct time_cache_map waiting;
	struct pool parts;	      /* that wait */
	const struct join_part **row; /* scratch, one for each stream */
	size_t nstreams, nfields;
	int64_t length;
	bool many, replace;
	uint64_t nparts;  /* that wait */
	uint64_t nlate;	  /* that had expired on arrival */
	int64_t max_late; /* how much older than now one of those was */

	/* For keeping elsewhere what waits: what has changed, if noted. */
	bool notes;
	struct join_change *changes;
	size_t nchanges, changes_cap;
	uint64_t *gone; /* stored, by order, and not waiting any more */
	size_t ngone, gone_cap;
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

/* What waits, by key: for a look ahead, and to be counted. */
static inline const struct hash_map *
join_keys(const struct join *j)
{
	return time_cache_map_keys(&j->waiting);
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

/* All that waits is stored: note what changes from now on. */
void join_note(struct join *j);

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
