/*
 * passed_slots - the slots of a window that tuples have come for after time had
 * passed them, and that a state has to tell from others: their counts are in no
 * total until the next report.
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
 * Ask for slots in ascending order, from the first on again after each _begin,
 * when it is known what the window has reached; then whether what was loaded
 * can be right.
 *
 * Errors: _done is false if it is not a list of slots that such a window can
 *         have passed.
 */
void passed_slots_begin(struct passed_slots *p,
    const struct sliding_window_counter *w);
bool passed_slots_has(struct passed_slots *p, int64_t slot);
bool passed_slots_done(struct passed_slots *p);

#endif
