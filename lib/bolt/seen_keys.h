/*
 * seen_keys - which keys have come before: ever, or less than a length of time
 * away.
 *
 * With a state they are in a file.  It is asked there for those of many tuples
 * at once if keys are kept for ever: the tuples then wait for the answer.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_SEEN_KEYS_H
#define BOLT_SEEN_KEYS_H

#include "join/repeats.h"
#include "state/known_keys.h"
#include "state/repeat_state.h"

struct seen_keys {
	struct field_range key; /* if there are none, it is the whole line */
	const struct field *fields; /* of the key */
	int64_t length_ms;	    /* 0: a key is kept for ever */
	int64_t lateness_ms; /* how far times may be out of order: a guide */
	struct watermark *watermark; /* with a length; in milliseconds */
	bool several;		     /* it has several streams */
	bool stored;		     /* there is a state */
	struct key_limit *limit;     /* NULL: none */

	/* Its own. */
	struct repeats repeats;	     /* with a length */
	struct hash_map once;	     /* without */
	struct known_keys known;     /* without, with a state */
	const struct hash_map *keys; /* of the one that is in use */
	struct repeat_state state;
	struct key scratch;
	struct keys_ahead ahead;
	/* With a length: to each of these keys, and to scratch. */
	struct repeats_near near[TUPLE_AHEAD + 1];
	const struct key *read; /* of the tuple that was read */
};

/*
 * Begin, with no keys.
 *
 * Shape:  key to limit are set, all else is zero.
 */
void seen_keys_init(struct seen_keys *s);
void seen_keys_fini(struct seen_keys *s);

/* Find keys of tuples that come soon; see bolt.h. */
void seen_keys_look_ahead(struct seen_keys *s, struct tuple *const *tuples,
    size_t n);

/*
 * Read the key of a tuple.
 *
 * Owns:   keeps the key until the next call.
 * Errors: -1, with f set, if it has none.
 */
int seen_keys_read(struct seen_keys *s, const struct tuple *t, struct fault *f);

enum seen {
	SEEN_NOT, /* or it has been forgotten */
	SEEN_BEFORE,
	SEEN_UNKNOWN, /* seen_keys_answer will tell */
};

/*
 * Tell whether the key that was read has come before, which it has now.
 *
 * Errors: if the limit refuses the key, the result is not defined; the caller
 *         asks key_limit_check.
 */
enum seen seen_keys_see(struct seen_keys *s, const struct tuple *t,
    int64_t time_ms);

/* Tell of each tuple whose key was unknown, in their order; see known_keys. */
void seen_keys_answer(struct seen_keys *s, known_keys_fn *fn, void *self);

/*
 * How many tuples passed though what came before them was forgotten, and by how
 * much too early it was at most.
 */
static inline uint64_t
seen_keys_late(const struct seen_keys *s, int64_t *max_ms)
{
	*max_ms = s->repeats.max_late;
	return s->repeats.nlate;
}

static inline const struct behind *
seen_keys_behind(const struct seen_keys *s)
{
	return &s->repeats.behind;
}

/* How many keys are held. */
static inline size_t
seen_keys_live(const struct seen_keys *s)
{
	return s->keys->live;
}

/* For the bolt; see there. */
void seen_keys_restore(struct seen_keys *s, struct store *store);
void seen_keys_save(struct seen_keys *s, struct store *store);

#endif
