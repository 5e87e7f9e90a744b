/*
 * key_limit - the most keys that a bolt may hold at a time, from --max-keys.
 *
 * A bolt has one, and gives it to whatever holds its keys, which asks before it
 * takes in another.  A key that is refused is noted: the bolt then returns a
 * fault, and the runner ends the command.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_KEY_LIMIT_H
#define TUPLE_KEY_LIMIT_H

#include "base/fault.h"
#include "base/hash_map.h"
#include "tuple/key.h"

struct key_limit {
	int64_t most; /* 0: as many as come */
	bool reached; /* a key was refused */
};

/* For what holds keys: NULL if there is no limit. */
static inline struct key_limit *
key_limit_of(struct key_limit *l)
{
	return l->most == 0 ? NULL : l;
}

/*
 * Tell whether key is one too many: it is not in keys, and live keys reach the
 * limit.  If so, note it.
 *
 * Shape:  l may be NULL.
 */
static inline bool
key_limit_refuses(struct key_limit *l, uint64_t live,
    const struct hash_map *keys, const struct key *key)
{
	if (l == NULL || live < (uint64_t)l->most ||
	    hash_map_get_hinted(keys, key->hint, key->bytes, key->hash) !=
		HASH_MAP_NONE)
		return false;
	l->reached = true;
	return true;
}

/* The same of n keys at once that are not there yet. */
static inline bool
key_limit_refuses_new(struct key_limit *l, uint64_t live, uint64_t n)
{
	if (l == NULL || n == 0 || live + n <= (uint64_t)l->most)
		return false;
	l->reached = true;
	return true;
}

/* Errors: -1, with f set, if a key was refused since the last time. */
static inline int
key_limit_check(struct key_limit *l, struct fault *f)
{
	if (!l->reached)
		return 0;
	l->reached = false;
	return fault_set(f, FAULT_KEYS, 1, "a key more than --max-keys");
}

/* For a command's table: to is where a struct key_limit is kept. */
#define OPTION_MAX_KEYS(to_, needs_)                                      \
	{                                                                 \
		.name = "max-keys", .arg = "N", .kind = OPTION_COUNT,     \
		.to = (to_) + offsetof(struct key_limit, most), .min = 1, \
		.max = INT64_MAX, .changeable = true, .needs = (needs_),  \
		.help = "end before the tuple that brings the N+1st key"  \
	}

#endif
