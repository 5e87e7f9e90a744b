/*
 * sessions - the tuples of a key that come close upon each other, and their
 * aggregates.
 *
 * Each tuple of a session is at most a gap from another one of it, bound
 * included.  A tuple joins an open session that it is near enough to, unites
 * two, or begins one.  Time is the caller's: a session is closed when it is
 * more than the gap past its end.
 *
 *	gap 5	tuples	0  4  8      30  29   12
 *		open	[0 ... 8]  [29..30]
 *			[0 ....... 12]  [29..30]
 *
 * A tuple costs the logarithm of the open sessions of its key, closing one
 * the logarithm of all.
 *
 * Memory: a key about 60 bytes, as in base/hash_map.h, an open session about
 * 130 and what its aggregates take.
 *
 * Source: Akidau and others, The Dataflow Model, VLDB 2015, section 2.2.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_SESSIONS_H
#define WINDOW_SESSIONS_H

#include "base/hash_map.h"
#include "base/heap.h"
#include "base/pointer_list.h"
#include "tuple/key.h"
#include "tuple/key_limit.h"
#include "tuple/watermark.h"
#include "window/aggregate.h"

struct session {
	int64_t start, end; /* times of its first and its last tuple */
	uint64_t order;	    /* by arrival, of the first to come */
	uint32_t key, id;
	struct span spelling; /* as that had it; NULL: as the key has it */
	bool touched, stored; /* for keeping it elsewhere */
	void *value;
};

struct sessions {
	int64_t gap;
	struct aggregates *aggregates;
	struct hash_map keys;	   /* with the open sessions of each, by time */
	struct key_limit *limit;   /* NULL: none; may be set after init */
	struct session **sessions; /* by id; NULL: it is no more */
	size_t n, cap;
	uint32_t *free; /* ids to be given again */
	size_t nfree, free_cap;
	struct heap ends; /* for each id a time that is not after its end */
	uint64_t order;	  /* of the next session */
	int64_t closed; /* the greatest end of those closed; INT64_MIN: none */
	/*
	 * Tuples older than now that became the start of a session, and lie
	 * within the gap of the last that was closed, which may lack them.
	 */
	struct behind behind;
	struct session **closing;
	size_t nclosing, closing_cap;

	/* If kept: changes since the last save, which clears them. */
	bool kept;
	uint32_t *touched; /* ids that may have something new */
	size_t ntouched, touched_cap;
	uint64_t *gone; /* orders of what is stored, and is no more */
	size_t ngone, gone_cap;
};

/*
 * Units:  gap and all times are the caller's, the same for all.
 * Owns:   aggregates stay the caller's.
 */
void sessions_init(struct sessions *s, int64_t gap,
    struct aggregates *aggregates);
void sessions_fini(struct sessions *s);

/*
 * Take the tuple that the aggregates have checked.
 *
 * Owns:   copies the key.
 * Errors: false if it is late: it joins no open session and is more than the
 *         gap behind now; or if the limit refuses its key.  Nothing is changed
 *         then.
 */
bool sessions_add(struct sessions *s, const struct key *key, int64_t time,
    int64_t now);

/*
 * Close all sessions that ended more than the gap before now, or all there
 * are, by end, then start, then the order in which they came.
 *
 * Owns:   spelling and the session are good during the call.
 */
typedef void sessions_fn(void *arg, struct span spelling,
    const struct session *session);
void sessions_close(struct sessions *s, int64_t now, sessions_fn *fn,
    void *arg);
void sessions_close_all(struct sessions *s, sessions_fn *fn, void *arg);

/* The spelling of a session's key. */
struct span sessions_spelling(const struct sessions *s,
    const struct session *session);

/*
 * Put back what was kept: a session, whose value is then to be filled.
 *
 * Errors: NULL if it is too near to one that is there.
 */
struct session *sessions_put_back(struct sessions *s, const struct key *key,
    int64_t start, int64_t end, uint64_t order);

#endif
