/*
 * SPDX-License-Identifier: ISC
 */
#include "window/sliding_window_counter.h"

void
sliding_window_counter_init(struct sliding_window_counter *w, int64_t nslots,
    struct aggregates *aggregates)
{
	*w = (struct sliding_window_counter){ .nslots = nslots };
	slot_counter_init(&w->counter, aggregates);
}

void
sliding_window_counter_fini(struct sliding_window_counter *w)
{
	slot_counter_fini(&w->counter);
}

/* The first slot of the window that ends at a boundary. */
static int64_t
first_slot(const struct sliding_window_counter *w, int64_t boundary)
{
	int64_t slot;

	return __builtin_sub_overflow(boundary, w->nslots, &slot) ? INT64_MIN :
								    slot;
}

/* Tell whether time has reached the end of the last window with a slot. */
static bool
is_late(const struct sliding_window_counter *w, int64_t slot)
{
	int64_t end;

	return w->started && !__builtin_add_overflow(slot, w->nslots, &end) &&
	    end <= w->reached;
}

bool
sliding_window_counter_add(struct sliding_window_counter *w,
    const struct key *key, int64_t slot, const struct number *x)
{
	if (is_late(w, slot))
		return false;
	if (!slot_counter_add(&w->counter, key, slot, x))
		return false;
	/* The first window to come that has it ends with this one. */
	if (w->started && slot < w->reached)
		slot = w->reached;
	if (!w->any || slot > w->last)
		w->last = slot;
	w->any = true;
	return true;
}

bool
sliding_window_counter_next(const struct sliding_window_counter *w,
    int64_t *boundary)
{
	int64_t slot;

	if (w->started && w->reached == INT64_MAX)
		return false; /* no time comes after it */
	if (slot_counter_has_rows(&w->counter)) {
		*boundary = w->reached + 1;
		return true;
	}
	if (!slot_counter_next(&w->counter, &slot))
		return false;
	*boundary = (w->started && w->reached > slot ? w->reached : slot) + 1;
	return true;
}

void
sliding_window_counter_advance(struct sliding_window_counter *w,
    int64_t boundary, slot_counter_fn *fn, void *arg)
{
	sliding_window_counter_reach(w, boundary);
	slot_counter_wipe(&w->counter, first_slot(w, boundary));
	slot_counter_open(&w->counter, boundary);
	slot_counter_report(&w->counter, fn, arg);
	w->reported = true;
}

void
sliding_window_counter_reach(struct sliding_window_counter *w, int64_t boundary)
{
	if (w->started && boundary <= w->reached)
		return;
	w->reached = boundary;
	w->started = true;
}
