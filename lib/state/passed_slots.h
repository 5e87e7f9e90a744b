/*
 * passed_slots - slots that got tuples after time had passed them; their counts
 * are in no total until the next report, so a state lists these slots.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_PASSED_SLOTS_H
#define STATE_PASSED_SLOTS_H

#include "base/packed.h"
#include "state/store.h"
#include "window/sliding_window_counter.h"

/* A zeroed one can be freed. */
struct passed_slots {
	struct buffer packed; /* their numbers, in ascending order */
	struct unpacker rest; /* those after next */
	int64_t next;	      /* INT64_MAX: none */
	int64_t most;
};

void passed_slots_fini(struct passed_slots *p);

/* Put those of a window into the store. */
void passed_slots_save(struct passed_slots *p,
    const struct sliding_window_counter *w, struct store *store);

/*
 * Take what the store has.
 *
 * Errors: stops the program if it has nothing.
 */
void passed_slots_load(struct passed_slots *p, struct store *store);

/*
 * _any tells whether there are some.  _begin starts a walk; _has asks for slots
 * in ascending order; _done tells whether the list was valid: slots that such a
 * window can have passed.
 *
 * Shape:  w->reached is set.
 * Errors: none.
 */
bool passed_slots_any(const struct passed_slots *p);
void passed_slots_begin(struct passed_slots *p,
    const struct sliding_window_counter *w);
bool passed_slots_has(struct passed_slots *p, int64_t slot);
bool passed_slots_done(struct passed_slots *p);

#endif
