/*
 * hash_map - map keys, which are byte strings, to values of a fixed size, and
 * remember the order of insertion.
 *
 * Each entry has an id: 0 for the first, then 1, and so on.  Only
 * hash_map_compact changes ids.  A deleted entry leaves a hole in the ids, so
 * walking them upwards without the holes gives the order of insertion.  An
 * owner that does not need this order can set fill_holes: new entries then take
 * the ids of deleted ones.  A map that becomes empty begins again at 0; with
 * fill_holes only hash_map_clear does that.
 *
 *	chunk    [ 12 tags | overflow | 12 ids ]     one cache line
 *	                                 |
 *	entries  [ value, n, key or its place ] ...  by id, a fixed stride
 *
 * A hash selects a chunk, its home, and a tag of eight bits, which spares
 * a search nearly all entries with other keys.  If the home of a key is full,
 * the key goes into the next chunk with room.  Overflow counts the keys that
 * passed a chunk, so a search can stop if it is 0.  Keys of up to
 * HASH_MAP_INLINE bytes are in their entry, longer ones and labels in an arena.
 *
 * Each entry also has a label: text that is stored once, when the entry is
 * added, such as how the key was first spelled.
 *
 * Entries do not move when the map grows: they lie in segments, each twice as
 * large as the one before.  Chunks are freed before larger ones are made
 * from the entries, so that growing never needs both in memory.
 *
 * Source: F14 of Facebook's Folly, whose F14VectorMap has these chunks.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_HASH_MAP_H
#define BASE_HASH_MAP_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/hash.h"
#include "base/span.h"

enum {
	HASH_MAP_INLINE = 19,
	HASH_MAP_CHUNK = 12,
	HASH_MAP_FIRST_LOG2 = 6, /* entries of the first segment */
	HASH_MAP_SEGMENTS = 32 - HASH_MAP_FIRST_LOG2,
};

#define HASH_MAP_NONE UINT32_MAX
/* All ids are less, so owners can use greater numbers as marks. */
#define HASH_MAP_MOST (HASH_MAP_NONE - 65536)

/* A tag of 0 is an empty place. */
struct hash_map_chunk {
	uint8_t tags[HASH_MAP_CHUNK];
	uint32_t overflow; /* keys that went past, as it was full */
	uint32_t ids[HASH_MAP_CHUNK];
};

struct hash_map {
	struct hash_map_chunk *chunks;
	uint32_t nchunks;
	uint32_t room;	  /* entries for which the chunks are large enough */
	uint32_t passed;  /* the sum of overflow over all chunks */
	void *allocation; /* what free(3) gets for chunks */
	void *segments[HASH_MAP_SEGMENTS];
	/* An entry is at the origin of its segment + (id + 64) * stride. */
	uintptr_t origins[HASH_MAP_SEGMENTS];
	size_t stride, value_size;
	uint32_t end;	     /* one more than the largest id */
	uint32_t live;	     /* entries that are not holes */
	struct buffer arena; /* long keys, and labels */
	size_t garbage;	     /* bytes of the arena that deleted keys had */
	bool has_long;	     /* a key is in the arena, or was */
	bool fill_holes;     /* for the owner to set, on an empty map */
	/*
	 * With fill_holes: a stack of free ids.  (A list through the entries
	 * would wait for memory at each pop.)
	 */
	uint32_t *holes;
	size_t nholes, holes_cap;
};

/*
 * Make a map whose values have value_size bytes.
 *
 * Shape:  values are aligned to 8 bytes.  An entry is a value and 20 bytes
 *         more, rounded up to a multiple of 8; sizes that make it 64 bytes or
 *         a divisor of 64 save memory and time.
 * Errors: none.
 */
void hash_map_init(struct hash_map *m, size_t value_size);
void hash_map_fini(struct hash_map *m);

/* Delete all entries, in time proportional to them, and keep the memory. */
void hash_map_clear(struct hash_map *m);

/*
 * _get returns the id of key.  _put does too, and adds an entry with a zeroed
 * value if there is none; *added says whether it did.
 *
 * Shape:  hash is hash_bytes(key); key is shorter than 2^30 bytes.  label is
 *         stored if the entry is new; if it is the same as the key, pass the
 *         same span.
 * Owns:   copies key and label.
 * Errors: _get returns HASH_MAP_NONE if key is not there.  Both stop the
 *         program when memory or ids (HASH_MAP_MOST) run out.
 */
uint32_t hash_map_get(const struct hash_map *m, struct span key, uint64_t hash);
uint32_t hash_map_put(struct hash_map *m, struct span key, struct span label,
    uint64_t hash, bool *added);

/*
 * Add a key that is known not to be there.  Its value is not zeroed.  The rest
 * is as for hash_map_put.
 */
uint32_t hash_map_add(struct hash_map *m, struct span key, struct span label,
    uint64_t hash);

/*
 * Fetch into the cache what the search for a key will soon need: _prefetch its
 * chunk; _look_ahead, ten or twenty keys later, what is probably its entry; and
 * _look_further, after that, the key of that entry, if it is long.
 * _look_ahead returns the id of that entry, or HASH_MAP_NONE, as a hint for
 * the _hinted functions, which give the same results as _get and _put whatever
 * the hint is.
 */
static inline uint32_t
hash_map_home(const struct hash_map *m, uint64_t hash)
{
	return (uint32_t)((hash >> 32) * m->nchunks >> 32);
}

static inline void
hash_map_prefetch(const struct hash_map *m, uint64_t hash)
{
	__builtin_prefetch(&m->chunks[hash_map_home(m, hash)], 1);
}

uint32_t hash_map_look_ahead(const struct hash_map *m, uint64_t hash);
void hash_map_look_further(const struct hash_map *m, uint32_t hint);
uint32_t hash_map_get_hinted(const struct hash_map *m, uint32_t hint,
    struct span key, uint64_t hash);
uint32_t hash_map_put_hinted(struct hash_map *m, uint32_t hint, struct span key,
    struct span label, uint64_t hash, bool *added);

/*
 * Delete an entry; _hashed spares computing the hash of its key.
 *
 * Shape:  the entry is live.  _hashed is for maps with fill_holes.
 * Errors: none.
 */
void hash_map_del(struct hash_map *m, uint32_t id);
void hash_map_del_hashed(struct hash_map *m, uint32_t id, uint64_t hash);

/*
 * The key, the label and (_value, below) the value of a live entry.
 *
 * Owns:   key and label are valid until the next put or compact, the value
 *         until the next compact, or the entry is deleted.
 * Errors: none.
 */
struct span hash_map_key(const struct hash_map *m, uint32_t id);
struct span hash_map_label(const struct hash_map *m, uint32_t id);

/*
 * The label of an entry, by a caller that has its key: if the label is the
 * same as the key, this returns that key and does not read the entry's.
 */
struct span hash_map_label_or(const struct hash_map *m, uint32_t id,
    struct span key);

static inline void *
hash_map_value(const struct hash_map *m, uint32_t id)
{
	uint32_t at = id + (1U << HASH_MAP_FIRST_LOG2);
	int log2 = 31 - __builtin_clz(at);

	return (void *)(m->origins[log2 - HASH_MAP_FIRST_LOG2] +
	    at * m->stride);
}

bool hash_map_is_live(const struct hash_map *m, uint32_t id);

/* The first live entry from an id on; HASH_MAP_NONE if there is none. */
uint32_t hash_map_next(const struct hash_map *m, uint32_t id);

/*
 * Tell whether more than half of the ids, and more than a few, are holes.  If
 * the owner compacts whenever this is so, deleting stays O(1) on average.
 */
bool hash_map_is_sparse(const struct hash_map *m);

/*
 * Renumber the entries so that there are no holes; they keep their order.
 *
 * Shape:  fill_holes is not set.  renamed is NULL, or has m->end elements;
 *         renamed[old id] becomes the new id of each live entry.
 * Errors: none.
 */
void hash_map_compact(struct hash_map *m, uint32_t *renamed);

#endif
