/*
 * SPDX-License-Identifier: ISC
 */
#include "window/timed_window.h"

void
timed_window_init(struct timed_window *w, struct aggregates *aggregates,
    int64_t now_ms)
{
	w->due_ms = INT64_MIN;
	w->times.every_ms = w->every_ms;
	w->times.start_ms = w->align_ms;
	sliding_window_counter_init(&w->counter, w->length_ms / w->every_ms,
	    aggregates);
	if (w->time == WINDOW_BY_ARRIVAL) {
		w->times.start_ms = now_ms;
		sliding_window_counter_reach(&w->counter, 0);
	}
}

void
timed_window_fini(struct timed_window *w)
{
	sliding_window_counter_fini(&w->counter);
	time_tracker_fini(&w->ticks);
}

/* How much of the window has passed at a boundary. */
static int64_t
length_at(const struct timed_window *w, int64_t boundary)
{
	if (w->time == WINDOW_BY_ARRIVAL && boundary < w->counter.nslots)
		return boundary * w->every_ms;
	return w->length_ms;
}

/* Emit all that is due up to a boundary.  Returns the last one emitted. */
static int64_t
advance(struct timed_window *w, int64_t to)
{
	int64_t boundary, last = INT64_MIN;

	while (sliding_window_counter_next(&w->counter, &boundary) &&
	    boundary <= to) {
		last = slot_times_start(&w->times, boundary);
		w->emit(w->self, boundary, last, length_at(w, boundary));
	}
	return last;
}

int64_t
timed_window_move(struct timed_window *w, int64_t ms)
{
	int64_t last = INT64_MIN, boundary;

	w->now_ms = ms;
	w->started = true;
	if (ms < w->due_ms)
		return last;
	boundary = slot_times_find(&w->times, ms);
	if (!w->counter.started || boundary > w->counter.reached) {
		last = advance(w, boundary);
		sliding_window_counter_reach(&w->counter, boundary);
	}
	w->due_ms = slot_times_start(&w->times, w->counter.reached + 1);
	return last;
}

bool
timed_window_add(struct timed_window *w, const struct key *key, int64_t ms,
    const struct number *x, int64_t *late_ms)
{
	int64_t slot = w->counter.reached;

	if (w->time != WINDOW_BY_ARRIVAL && w->time != WINDOW_BY_TICKS) {
		slot = slot_times_find(&w->times, ms);
		if (w->time == WINDOW_BY_EVENTS &&
		    (!w->started || ms - w->lateness_ms > w->now_ms))
			timed_window_move(w, ms - w->lateness_ms);
	}
	if (sliding_window_counter_add(&w->counter, key, slot, x)) {
		if (w->counter.started && slot < w->counter.reached)
			behind_note(&w->behind, w->now_ms, ms);
		return true;
	}
	/* Where nothing moves time, an end before has closed its windows. */
	*late_ms = w->started ? w->now_ms + w->lateness_ms - ms : 0;
	return false;
}

bool
timed_window_close_slot(struct timed_window *w, int64_t ms)
{
	int64_t boundary = w->counter.reached + 1, next;
	bool any =
	    sliding_window_counter_next(&w->counter, &next) && next <= boundary;

	if (!w->started)
		time_tracker_init(&w->ticks, (size_t)w->counter.nslots,
		    ms - w->every_ms);
	w->started = true;
	if (any)
		w->emit(w->self, boundary, ms,
		    ms - time_tracker_oldest(&w->ticks));
	sliding_window_counter_reach(&w->counter, boundary);
	time_tracker_mark(&w->ticks, ms);
	return any;
}

void
timed_window_finish(struct timed_window *w, int64_t now_ms, bool drain)
{
	int64_t next, passed;

	if (w->time != WINDOW_BY_ARRIVAL && w->counter.any) {
		advance(w, w->counter.last + 1);
	} else if (w->time == WINDOW_BY_ARRIVAL &&
	    sliding_window_counter_next(&w->counter, &next)) {
		/* The slot that has begun counts as far as it has come. */
		passed =
		    now_ms - slot_times_start(&w->times, w->counter.reached);
		w->emit(w->self, next, now_ms,
		    length_at(w, next) - w->every_ms + passed);
	}
	if (drain)
		advance(w, INT64_MAX);
}
