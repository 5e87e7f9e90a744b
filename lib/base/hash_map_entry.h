/*
 * hash_map_entry - where the entries of a hash_map have their keys and labels:
 * a short key in the entry, all others in the arena.  For hash_map alone.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_HASH_MAP_ENTRY_H
#define BASE_HASH_MAP_ENTRY_H

#include "base/hash_map.h"

/*
 * What comes after a value: n, and the key itself or where it is.  If a key of
 * up to LABELLED_INLINE bytes has a label, the place of that is behind it.
 */
struct entry_key {
	uint8_t n; /* up to HASH_MAP_INLINE, or what follows */
	char key[HASH_MAP_INLINE];
};

enum {
	LONG_KEY = HASH_MAP_INLINE + 1,
	LABELLED, /* the key is in the arena, too */
	HOLE,
	/* Plus the length of the key: only its label is in the arena. */
	WITH_LABEL = 32,
	PLACE = 5, /* bytes of a place in the arena */
	LABELLED_INLINE = HASH_MAP_INLINE - PLACE,
};

_Static_assert(HOLE < WITH_LABEL && WITH_LABEL + LABELLED_INLINE <= UINT8_MAX,
    "n tells all cases apart");

/* The length of a key in its entry; of others, more than HASH_MAP_INLINE. */
static inline size_t
entry_key_n(const struct entry_key *f)
{
	return f->n % WITH_LABEL;
}

static inline struct entry_key *
entry_key_of(const struct hash_map *m, uint32_t id)
{
	return (struct entry_key *)((char *)hash_map_value(m, id) +
	    m->value_size);
}

/* How many bytes an entry has in the arena. */
size_t entry_key_bytes(const struct hash_map *m, const struct entry_key *f);

/* Move what an entry keeps in the arena to another one. */
void entry_key_move(const struct hash_map *m, struct entry_key *f,
    struct buffer *to);

/* Set the key and the label of an entry that has none yet. */
void entry_key_set_long(struct hash_map *m, struct entry_key *f,
    struct span key, struct span label, bool labelled);

static inline void
entry_key_set(struct hash_map *m, struct entry_key *f, struct span key,
    struct span label)
{
	bool labelled = label.n != key.n || (key.n != 0 && label.p != key.p);

	if (labelled || key.n > HASH_MAP_INLINE) {
		entry_key_set_long(m, f, key, label, labelled);
		return;
	}
	f->n = (uint8_t)key.n;
	span_copy(f->key, key);
}

#endif
