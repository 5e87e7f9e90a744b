/*
 * hash_map - byte strings to small values, in the order of insertion.
 *
 * An entry has an id, 0 for the first one, which stays until the owner calls
 * hash_map_compact.  A deleted entry leaves a hole; walking ids upwards and
 * skipping the holes is walking in the order of insertion.  A map whose
 * owner has no use for that order can have its holes filled again.
 *
 *	slots    [ tag|id+1 ][ 0 ][ tag|id+1 ] ...   open addressing
 *	                |
 *	entries  [ n, key or its place, value ] ...  by id, a fixed stride
 *
 * The upper half of a slot has 32 bits of the hash, whose upper bits are the
 * slot's home: the table grows and deletes without looking at a key, and a
 * search rarely looks at a wrong one.  Keys of up to HASH_MAP_INLINE bytes
 * lie in their entry, longer ones in one arena.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef HASH_MAP_H
#define HASH_MAP_H

#include <stdint.h>

#include "buffer.h"
#include "hash.h"
#include "span.h"

enum { HASH_MAP_INLINE = 20 };

#define HASH_MAP_NONE UINT32_MAX

struct hash_map {
	uint64_t *slots;
	unsigned shift; /* a home is tag >> shift */
	uint32_t mask;
	char *entries;
	size_t stride;
	size_t cap;	     /* entries allocated */
	uint32_t end;	     /* ids given out */
	uint32_t live;	     /* entries that are not holes */
	struct buffer arena; /* long keys, and labels */
	size_t garbage;	     /* bytes of the arena that are nobody's */
	uint32_t free;	     /* the last hole, plus 1, where they are filled */
	bool fill_holes;     /* for the owner to set, on an empty map */
};

struct hash_map_entry {
	uint32_t n; /* the key's length; HASH_MAP_LABEL, HASH_MAP_HOLE */
	char key[HASH_MAP_INLINE];
};

/*
 * Make a map whose entries have value_size bytes beside the key.
 *
 * Errors: none.
 */
void hash_map_init(struct hash_map *m, size_t value_size);
void hash_map_fini(struct hash_map *m);

/* Forget all entries, keep the memory. */
void hash_map_clear(struct hash_map *m);

/*
 * Find key, or HASH_MAP_NONE; _put makes an entry with a zeroed value where
 * there is none, and tells so.
 *
 * Shape:  hash is hash_bytes(key); key is shorter than 2^30.
 * Owns:   copies key, and label if that is another span than key: bytes to
 *         show for the key.
 * Errors: none.
 */
uint32_t hash_map_get(const struct hash_map *m, struct span key, uint64_t hash);
uint32_t hash_map_put(struct hash_map *m, struct span key, struct span label,
    uint64_t hash, bool *added);

/*
 * Delete the entry id, which is live; or do it in two steps: an unlinked one
 * is not found any more, but can be read until it is released.
 */
void hash_map_del(struct hash_map *m, uint32_t id);
void hash_map_unlink(struct hash_map *m, uint32_t id);
void hash_map_release(struct hash_map *m, uint32_t id);

/*
 * The key, what is to be shown for it, and the value of a live entry.
 *
 * Owns:   the results are good until the next put or compact.
 */
struct span hash_map_key(const struct hash_map *m, uint32_t id);
struct span hash_map_label(const struct hash_map *m, uint32_t id);

static inline void *
hash_map_value(const struct hash_map *m, uint32_t id)
{
	return m->entries + id * m->stride + sizeof(struct hash_map_entry);
}

bool hash_map_is_live(const struct hash_map *m, uint32_t id);

/* Tell whether more than half of the ids, and many, are holes. */
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
