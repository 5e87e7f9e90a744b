/*
 * hash_map - byte strings to small values, in the order of insertion.
 *
 * An entry has an id, 0 for the first one, which stays until the owner calls
 * hash_map_compact.  A deleted entry leaves a hole; walking ids upwards and
 * skipping the holes is walking in the order of insertion.  A map whose
 * owner has no use for that order can have its holes filled again.
 *
 *	chunk    [ 12 tags | overflow | 12 ids ]     one cache line
 *	                                 |
 *	entries  [ value, n, key or its place ] ...  by id, a fixed stride
 *
 * A hash has a home, a chunk, and a tag of eight bits, so that a search
 * rarely looks at a wrong entry.  A key whose home is full lies in the next
 * chunk that is not; overflow counts those that went past, and a search that
 * comes to a 0 ends.  Keys of up to HASH_MAP_INLINE bytes lie in their
 * entry, longer ones in one arena.
 *
 * Entries never move while the map grows: each segment of them is as large
 * as all before it.  The chunks are made anew, after the old ones are given
 * back.  So memory while growing is that before or that after, not the sum.
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
/* No id is so large: owners can use the numbers from there on as marks. */
#define HASH_MAP_MOST (HASH_MAP_NONE - 65536)

/* A tag of 0 is an empty place. */
struct hash_map_chunk {
	uint8_t tags[HASH_MAP_CHUNK];
	uint32_t overflow; /* keys that wanted to be here and went on */
	uint32_t ids[HASH_MAP_CHUNK];
};

struct hash_map {
	struct hash_map_chunk *chunks;
	uint32_t nchunks;
	uint32_t room;	  /* entries that the chunks take */
	uint32_t passed;  /* overflow of all chunks */
	void *allocation; /* that chunks are in */
	void *segments[HASH_MAP_SEGMENTS];
	/* Where entry -64 would be if the segment reached down to there. */
	uintptr_t origins[HASH_MAP_SEGMENTS];
	size_t stride, value_size;
	uint32_t end;	     /* ids given out */
	uint32_t live;	     /* entries that are not holes */
	struct buffer arena; /* long keys, and labels */
	size_t garbage;	     /* bytes of the arena that are nobody's */
	uint32_t free;	     /* the last hole, plus 1, where they are filled */
	bool fill_holes;     /* for the owner to set, on an empty map */
};

/*
 * Make a map whose entries have value_size bytes beside the key.
 *
 * Shape:  a value is aligned to 8 bytes, and the key begins right after it:
 *         20 more make a multiple of 8 without loss, and one of 64 takes no
 *         more lines of the cache than it must.
 * Errors: none.
 */
void hash_map_init(struct hash_map *m, size_t value_size);
void hash_map_fini(struct hash_map *m);

/* Forget all entries, keep the memory; the time is that of the entries. */
void hash_map_clear(struct hash_map *m);

/*
 * Find key, or HASH_MAP_NONE; _put makes an entry with a zeroed value where
 * there is none, and tells so.
 *
 * Shape:  hash is hash_bytes(key); key is shorter than 2^30.
 * Owns:   copies key, and label if that is another span than key: bytes to
 *         show for the key.
 * Errors: none; stops the program when memory, or the HASH_MAP_MOST ids, run
 *         out.
 */
uint32_t hash_map_get(const struct hash_map *m, struct span key, uint64_t hash);
uint32_t hash_map_put(struct hash_map *m, struct span key, struct span label,
    uint64_t hash, bool *added);

/*
 * hash_map_put of a key that is known not to be there; its value is whatever
 * was there before.
 */
uint32_t hash_map_add(struct hash_map *m, struct span key, struct span label,
    uint64_t hash);

/*
 * Have the cache fetch what the search of some key soon to come will need:
 * first, when its hash has just been made, its chunk; then, some ten or
 * twenty keys later, what is probably its entry.  _look_ahead returns that
 * entry's id or HASH_MAP_NONE, a hint for the two that take one; to them it
 * may be any number.
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
uint32_t hash_map_get_hinted(const struct hash_map *m, uint32_t hint,
    struct span key, uint64_t hash);
uint32_t hash_map_put_hinted(struct hash_map *m, uint32_t hint, struct span key,
    struct span label, uint64_t hash, bool *added);

/*
 * Delete the entry id, which is live; or do it in two steps: an unlinked one
 * is not found any more, but can be read until it is released.
 *
 * Shape:  hash is that of its key.
 */
void hash_map_del(struct hash_map *m, uint32_t id);
void hash_map_unlink(struct hash_map *m, uint32_t id, uint64_t hash);
void hash_map_release(struct hash_map *m, uint32_t id);

/*
 * The key, what is to be shown for it, and the value of a live entry.
 *
 * Owns:   the results are good until the next put or compact.
 */
struct span hash_map_key(const struct hash_map *m, uint32_t id);
struct span hash_map_label(const struct hash_map *m, uint32_t id);

/*
 * The label of an entry whose key is at hand: that key where it has none.
 *
 * Owns:   does not wait for the entry's bytes then.
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

/* The first live entry from an id on; HASH_MAP_NONE where there is none. */
uint32_t hash_map_next(const struct hash_map *m, uint32_t id);

/*
 * Tell whether more than half of the ids are holes, and so many that those
 * deletions pay for closing them.
 */
bool hash_map_is_sparse(const struct hash_map *m);

/*
 * Close the holes: entries keep their order and get new ids.
 *
 * Shape:  renamed has m->end elements, or is NULL.
 * Owns:   fills renamed[old id] with the new id of each live entry.
 * Errors: none.
 */
void hash_map_compact(struct hash_map *m, uint32_t *renamed);

#endif
