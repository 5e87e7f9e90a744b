/*
 * repeats - which keys have been passed on, and when, to detect repeats.
 *
 * A tuple is a repeat if one of its key that was passed is less than LENGTH
 * from it, earlier or later.  So what was passed of a key lies LENGTH or more
 * apart, and a period of LENGTH has one of it at most: the entry of the key
 * and the period's number.  What is near to a time is in the period of that
 * time or in one of the two beside it; a search costs the same however many
 * tuples of a key are remembered.
 *
 *	LENGTH 10	passed at 3, 14 and 24: 17 is a repeat, 34 is not
 *	periods		[ 3 )0..10   [ 14 )10..20   [ 24 )20..30
 *
 * It knows no clock.  All times are milliseconds.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_REPEATS_H
#define JOIN_REPEATS_H

#include <stdint.h>

#include "base/buffer.h"
#include "join/time_cache_map.h"
#include "tuple/key_limit.h"
#include "tuple/watermark.h"

/* What is remembered since the last note; its key is in fresh_keys. */
struct repeats_fresh {
	int64_t time;
	size_t at, n;
};

/* The entries of a key near to a time, but for that of the next period. */
struct repeats_near {
	struct span key;
	int64_t time;
	struct {
		size_t at, n; /* where its name is in names */
		uint64_t hash;
	} entries[2]; /* of the time's period, and of the one before */
	struct buffer names;
};

struct repeats {
	struct time_cache_map passed; /* by period and key */
	int64_t length, latest;	      /* latest: the last period there is */
	struct key_limit *limit;      /* NULL: none; may be set after init */
	uint64_t order;
	uint64_t nlate;	   /* passed, maybe repeats: their time is forgotten */
	int64_t max_late;  /* by how much; 1: they only just were */
	int64_t forgotten; /* the greatest time that was; INT64_MIN: none */
	/* Others that were passed, and may repeat what was forgotten. */
	struct behind behind;
	struct buffer later; /* scratch: the name of the next period's entry */

	bool notes; /* of what is fresh */
	struct repeats_fresh *fresh;
	size_t nfresh, fresh_cap;
	struct buffer fresh_keys;
};

/*
 * Shape:  length > 0; lateness is how far times may be out of order, which
 *         only guides the layout.
 */
void repeats_init(struct repeats *r, int64_t length, int64_t lateness);
void repeats_fini(struct repeats *r);

/*
 * Name the entries that repeats_pass looks for first, and fetch into the cache
 * where the map would have them: best some tuples before it.
 *
 * Shape:  a zeroed near is ready for use, and can be used again.
 * Owns:   near keeps the span of key.
 */
void repeats_look(const struct repeats *r, struct repeats_near *near,
    struct span key, int64_t time);
void repeats_near_fini(struct repeats_near *near);

/*
 * Tell whether to pass a tuple on.  If so, remember it, unless it is LENGTH or
 * more before now.
 *
 * Shape:  near was set by repeats_look, and its key is still valid.
 * Owns:   copies the key.
 * Errors: false if it is a repeat, or the limit refuses its key.
 */
bool repeats_pass(struct repeats *r, const struct repeats_near *near,
    int64_t now);

/* All that is remembered is stored: note what is fresh from now on. */
void repeats_note(struct repeats *r);

/* Drop fresh entries LENGTH or more before now. */
void repeats_weed(struct repeats *r, int64_t now);

/* What is remembered, by period and key, to count it. */
static inline const struct hash_map *
repeats_keys(const struct repeats *r)
{
	return time_cache_map_keys(&r->passed);
}

#endif
