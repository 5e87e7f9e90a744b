/*
 * persistent_bolt - what bolts share that keep values in a persistent_map:
 * batches, what is reported of them, and the state.
 *
 * A command has one as the first member of its own state, puts its functions
 * into its bolt, and adds its own prepare, execute, restore and cleanup.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_PERSISTENT_BOLT_H
#define BOLT_PERSISTENT_BOLT_H

#include <stddef.h>

#include "bolt/bolt.h"
#include "state/persistent_map.h"
#include "tuple/options.h"

struct persistent_bolt {
	int64_t batch; /* --batch, 0: as many as is usual */
	bool changes;  /* -c */
	struct persistent_map map;
	struct collector *collector;
};

/* Both options; kept in the persistent_bolt that begins a command's struct. */
#define OPTIONS_PERSISTENT                                                     \
	{ 'c', "changes", NULL, OPTION_FLAG,                                   \
		offsetof(struct persistent_bolt, changes), .changeable = true, \
		.help = "after each batch write what it changed" },            \
	{                                                                      \
		.name = "batch", .arg = "N", .kind = OPTION_COUNT,             \
		.to = offsetof(struct persistent_bolt, batch), .min = 1,       \
		.max = 1000000000, .changeable = true,                         \
		.help = "tuples in a batch (1000)"                             \
	}

/*
 * Get ready; the command ends the map with persistent_map_fini.
 *
 * Shape:  what persistent_map_init needs is set, but for changes and
 *         batch_size.
 */
void persistent_bolt_init(struct persistent_bolt *b,
    const struct bolt_context *context);

/* The tuple has been reduced: count and ack it, end the batch if it is full. */
void persistent_bolt_took(struct persistent_bolt *b, const struct tuple *t);

/* For the bolt, see there; self is a struct persistent_bolt. */
void persistent_bolt_tick(void *self, const struct tick *tick);
void persistent_bolt_finish(void *self, int64_t now_ms);
void persistent_bolt_count(const void *self, struct counters *c);
void persistent_bolt_save(void *self, struct store *s);
void persistent_bolt_dump(void *self);

#endif
