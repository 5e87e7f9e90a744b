/*
 * persistent_map_internal - what the files of persistent_map share:
 * persistent_map.c has keys and batches in memory, persistent_map_store.c what
 * the store has of them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_PERSISTENT_MAP_INTERNAL_H
#define STATE_PERSISTENT_MAP_INTERNAL_H

#include "state/persistent_map.h"

/*
 * What a store or a report of changes needs of a key.  Not beside its value: the
 * values and keys that each tuple asks for then lie closer, and tally takes 2 to
 * 3 % less time.
 */
struct persistent_note {
	int64_t touched;
	uint32_t batch; /* the last one that touched it */
	uint32_t other; /* its spelling in others, plus 1 */
};

static inline void *
persistent_value_of(const struct persistent_map *m, uint32_t id)
{
	return hash_map_value(&m->keys, id);
}

static inline struct span
persistent_spelling_of(const struct persistent_map *m, uint32_t id)
{
	uint32_t other = m->notes == NULL ? 0 : m->notes[id].other;

	return other == 0 ? hash_map_label(&m->keys, id) : m->others[other - 1];
}

/* Begin the note of a key that has been added. */
void persistent_map_begin_note(struct persistent_map *m, uint32_t id);

/* Append an id to a list that grows. */
void persistent_map_append(uint32_t **ids, size_t *n, size_t *cap, uint32_t id);

/* Count a key among those of the batch. */
void persistent_map_add_to_batch(struct persistent_map *m, uint32_t id);

/* Select a key, to be reported, got or put. */
void persistent_map_select(struct persistent_map *m, uint32_t id);

/* Report all keys. */
void persistent_map_report_all(struct persistent_map *m);

/* Forget all keys. */
void persistent_map_drop_all(struct persistent_map *m);

/*
 * Ask the store for what it has of the keys that are new here.
 *
 * Errors: stops the program if the state is damaged.
 */
void persistent_map_load(struct persistent_map *m);

#endif
