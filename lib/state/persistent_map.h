/*
 * persistent_map - reduce the tuples of each key to a value, in memory or in a
 * store that is read and written in batches (tally, timeline).
 *
 * In a batch the value of a new key starts from nothing.  At the end of the
 * batch the store is asked for those keys, and what it has is folded into the
 * values; so a value that is reported or stored is always of all tuples.  Keys
 * are held in memory until the end of the input, when they are reported.  If
 * each batch is reported instead, at most PERSISTENT_MAP_HELD keys are held
 * after a save.
 *
 *	touch ... touch | end_batch: multi-get, fold, report | touch ... save:
 *	                                                 multi-put what changed
 *
 * A row of the store has the parts of the key, the columns of the value, and
 *	_touched	a number that orders keys by when they first occurred
 *			since the last end of input; above the store's number
 *			`ended` if they have occurred since then
 *	_spelling	the key as it was first written, if that differs
 *
 * Source: Trident's groupBy + persistentAggregate and its new values stream.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_PERSISTENT_MAP_H
#define STATE_PERSISTENT_MAP_H

#include "base/hash_map.h"
#include "base/id_set.h"
#include "state/row_order.h"
#include "state/store.h"
#include "tuple/key_limit.h"
#include "tuple/stored_key.h"

enum { PERSISTENT_MAP_HELD = 1 << 20 };

/* The type of values; a value of zero bytes is that of no tuples. */
struct persistent_type {
	size_t size;
	size_t ncolumns;
	bool once; /* a value that is stored never changes */

	/* Convert a value to columns, which are valid until the next call. */
	void (*save)(void *self, const void *value,
	    struct stored_value *columns);

	/*
	 * Add to a value the earlier tuples that a stored row stands for.  The
	 * row has the columns of the key, then of the value.  Return false if
	 * these are not such as save makes.
	 */
	bool (*fold)(void *self, void *value, const struct stored_value *row);

	/* Free what a value holds. */
	void (*drop)(void *self, void *value);

	/* Report a key and its value; spelling is valid during the call. */
	void (*report)(void *self, struct span spelling, const void *value);
};

struct persistent_map {
	const struct persistent_type *type;
	void *self; /* handed to the type's functions */
	size_t nkeys;
	size_t
	    nprefix;  /* parts of persistent_map_spelling; 0: it is not used */
	bool by_key;  /* report in the order of keys, else as they came */
	bool changes; /* report each batch, else all at the end */
	int64_t batch_size;
	struct key_limit *limit; /* NULL: none */

	struct hash_map keys;
	struct persistent_note *notes; /* by id; NULL: none are needed */
	size_t notes_cap;
	uint32_t *batch; /* keys of the batch, as they came */
	size_t nbatch, batch_cap;
	int64_t ntuples; /* in the batch so far */
	uint32_t nbatches;
	int64_t touched; /* of the last key that was touched */
	int64_t ended;	 /* what touched was at the last end of input */

	struct store_table *table; /* NULL: in memory only */
	struct store_table *by_prefix;
	struct hash_map prefixes; /* without values */
	bool complete;		  /* the map has all that the store has */
	uint32_t *fresh;	  /* keys that the store is to be asked for */
	size_t nfresh, fresh_cap;
	struct id_set dirty;	   /* keys to be put */
	struct row_order selected; /* keys, for a moment */
	struct span
	    *others; /* spellings of a store that differ from the map's */
	size_t nothers, others_cap;
	struct stored_key key; /* of a row */
	struct buffer scratch;
};

/*
 * Begin, with no keys.
 *
 * Shape:  type, self, nkeys, by_key, changes and batch_size are set; nprefix
 *         and limit may be; all else is zero.
 */
void persistent_map_init(struct persistent_map *m);
void persistent_map_fini(struct persistent_map *m);

/*
 * The value of a key, for the caller to reduce a tuple into.
 *
 * Owns:   copies the key; the result is valid until the next save.
 * Errors: NULL if the limit refuses the key.
 */
void *persistent_map_touch(struct persistent_map *m, const struct key *key);

/*
 * The spelling that the first nprefix parts of a key had when they first
 * occurred, in whatever key.
 *
 * Shape:  nprefix is set.
 * Owns:   copies prefix; the result is valid until the next call.
 */
struct span persistent_map_spelling(struct persistent_map *m,
    const struct key *prefix);

/* The map of these first parts, for keys_look_ahead. */
static inline const struct hash_map *
persistent_map_prefixes(const struct persistent_map *m)
{
	return &m->prefixes;
}

/* How many keys are held; the map of them, for keys_look_ahead. */
static inline size_t
persistent_map_live(const struct persistent_map *m)
{
	return m->keys.live;
}

static inline const struct hash_map *
persistent_map_keys(const struct persistent_map *m)
{
	return &m->keys;
}

/* Count a tuple that was reduced; end the batch if it is full. */
void persistent_map_count(struct persistent_map *m);

/* End the batch, and report it if m->changes. */
void persistent_map_end_batch(struct persistent_map *m);

/* End the batch, since the input has ended; report the keys of this run. */
void persistent_map_finish(struct persistent_map *m);

/*
 * Go on from what the store has; names are the columns of key and value.  All of
 * a store that is only read is taken in.
 *
 * Errors: here and wherever rows are read, stops the program if what the store
 *         has cannot be right.
 */
void persistent_map_restore(struct persistent_map *m, struct store *s,
    const struct span *names);

/* Bring the store up to date, an open batch included. */
void persistent_map_save(struct persistent_map *m, struct store *s);

/* Report all that was taken in, in the order of keys. */
void persistent_map_dump(struct persistent_map *m);

#endif
