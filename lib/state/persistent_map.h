/*
 * persistent_map - keys to values that are reduced from tuples, in batches,
 * over a store or in memory only.
 *
 * In a batch a key's value starts from nothing.  At the end of the batch the
 * store is asked for all keys that it has not been asked for yet, and what
 * it has is combined with what the batch has: what is written is always the
 * whole value.  Keys are held until the end of the input is reported, for
 * they are all to be in it; where only new values are wanted, by batch, no
 * more than PERSISTENT_MAP_HELD are held after a save.
 *
 *	touch ... touch | end_batch: multi-get, fold, report | touch ... save:
 *	                                                 multi-put what changed
 *
 * A row of the store: the key's parts, the value's columns, and
 *	_touched	the place in the order of first touches, which goes on
 *			counting; above the value `ended`: touched since the
 *			last end of input
 *	_spelling	the key as it was first written, where that differs
 *
 * Source: Trident's groupBy + persistentAggregate and its new values stream.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_PERSISTENT_MAP_H
#define STATE_PERSISTENT_MAP_H

#include "base/hash_map.h"
#include "state/store.h"
#include "tuple/stored_key.h"

enum { PERSISTENT_MAP_HELD = 1 << 20 };

/* What a value is; all zero bytes are the value of no tuples. */
struct persistent_type {
	size_t size;
	size_t ncolumns;
	bool once; /* what is stored stays as it is */

	/* Give the value's columns, good until the next call. */
	void (*save)(void *self, const void *value,
	    struct stored_value *columns);

	/*
	 * Make it what it would be if the tuples of a row, which has the
	 * columns of the key and then of the value, had come before.  False:
	 * they are not what save gives.
	 */
	bool (*fold)(void *self, void *value, const struct stored_value *row);

	/* Give back what it holds. */
	void (*drop)(void *self, void *value);

	/* Report a key and its value; spelling is good during the call. */
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

	struct hash_map keys;
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
	uint32_t *dirty; /* keys to be put */
	size_t ndirty, dirty_cap;
	struct persistent_key *sorted; /* a selection of keys, for a moment */
	size_t nsorted, sorted_cap;
	struct span
	    *others; /* spellings of a store that differ from the map's */
	size_t nothers, others_cap;
	struct stored_key key; /* of a row */
	struct buffer scratch;
};

struct persistent_key {
	struct span bytes;
	uint32_t id;
};

/*
 * Shape:  type, self, nkeys, by_key, changes and batch_size are set, all
 *         else is zero.
 */
void persistent_map_init(struct persistent_map *m);
void persistent_map_fini(struct persistent_map *m);

/*
 * The value to reduce a tuple of this key into.
 *
 * Owns:   copies the key; the result is good until the next save.
 */
void *persistent_map_touch(struct persistent_map *m, const struct key *key);

/*
 * The spelling of a key's first part or parts: as they were first written,
 * whatever came after them.
 *
 * Shape:  nprefix is set.
 * Owns:   copies prefix; the result is good until the next call.
 */
struct span persistent_map_spelling(struct persistent_map *m,
    const struct key *prefix);

/* How many keys are held; where they are looked up, for keys_look_ahead. */
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

/* One more tuple has been taken in; end the batch if it was the last. */
void persistent_map_count(struct persistent_map *m);

/* End the batch: report it, if batches are to be reported. */
void persistent_map_end_batch(struct persistent_map *m);

/* The input has ended: end the batch, and report what was touched. */
void persistent_map_finish(struct persistent_map *m);

/*
 * Go on from what the store has; names are the columns of key and value.
 *
 * Errors: here and wherever rows are read, stops the program where what the
 *         store has cannot be right.
 */
void persistent_map_restore(struct persistent_map *m, struct store *s,
    const struct span *names);

/* Bring the store up to date, an open batch included. */
void persistent_map_save(struct persistent_map *m, struct store *s);

/* Report all that the store holds, in the order of keys. */
void persistent_map_dump(struct persistent_map *m);

#endif
