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

bool
sliding_window_counter_add(struct sliding_window_counter *w,
    const struct key *key, int64_t slot, const struct number *x)
{
	if (w->started && slot <= w->reached - w->nslots)
		return false;
	if (!slot_counter_add(&w->counter, key, slot, x))
		return false;
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
	slot_counter_wipe(&w->counter, boundary - w->nslots);
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
