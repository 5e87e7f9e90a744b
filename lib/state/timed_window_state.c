/*
 * SPDX-License-Identifier: ISC
 */
#include "state/timed_window_state.h"
#include "base/packed.h"

enum { TICKS_FORM = 1 };

/* The times into a tracker of n. */
static void
load_ticks(struct store *store, struct time_tracker *t, size_t n)
{
	struct buffer b = { 0 };
	struct unpacker u;

	store_get_value(store, "ticks", &b);
	u = unpack_form(buffer_span(&b), TICKS_FORM);
	time_tracker_init(t, n, unpack_int(&u, -PACKED_MOST, PACKED_MOST));
	while (unpack_more(&u) && t->len < n)
		time_tracker_mark(t, unpack_int(&u, -PACKED_MOST, PACKED_MOST));
	if (!unpack_done(&u))
		store_damaged(store, "ticks");
	buffer_fini(&b);
}

static void
load(struct timed_window_state *s, struct store *store)
{
	struct timed_window *w = s->window;
	int64_t most = PACKED_MOST, least = -most;

	/* But for arrival time slots are where they always are. */
	if (w->time != WINDOW_BY_ARRIVAL)
		least = most = w->times.start_ms;
	w->times.start_ms = store_get_int_within(store, "start", least, most);
	w->now_ms =
	    store_get_int_within(store, "now", -PACKED_MOST, PACKED_MOST);
	w->started = store_get_int_within(store, "timed", 0, 1) != 0;
	window_state_load(&s->counts, store);
	if (w->time == WINDOW_BY_TICKS && w->started)
		load_ticks(store, &w->ticks, (size_t)w->counter.nslots);
	else if (w->started &&
	    slot_times_find(&w->times, w->now_ms) > w->counter.reached)
		store_damaged(store, "reached");
}

void
timed_window_state_open(struct timed_window_state *s,
    struct timed_window *window, struct store *store, const struct span *names,
    size_t nkeys, bool sums)
{
	s->window = window;
	s->counts = (struct window_state){ .window = &window->counter,
		.nkeys = nkeys,
		.times = &window->times,
		.sums = sums };
	window_state_open(&s->counts, store, names);
	if (!store_is_new(store))
		load(s, store);
}

void
timed_window_state_fini(struct timed_window_state *s)
{
	window_state_fini(&s->counts);
}

/* The start, then the marks, the oldest first. */
static void
save_ticks(struct store *store, const struct time_tracker *t)
{
	struct buffer b = { 0 };

	pack_form(&b, TICKS_FORM);
	pack_int(&b, t->start);
	for (size_t i = 0; i < t->len; i++)
		pack_int(&b, time_tracker_mark_at(t, i));
	store_put_value(store, "ticks", buffer_span(&b));
	buffer_fini(&b);
}

void
timed_window_state_save(struct timed_window_state *s, struct store *store)
{
	const struct timed_window *w = s->window;

	window_state_save(&s->counts, store);
	store_put_int(store, "start", w->times.start_ms);
	store_put_int(store, "now", w->now_ms);
	store_put_int(store, "timed", w->started);
	if (w->time == WINDOW_BY_TICKS && w->started)
		save_ticks(store, &w->ticks);
}
