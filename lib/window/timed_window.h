/*
 * timed_window - a sliding window counter that time moves on: the watermark,
 * the clock, or ticks.
 *
 * Slots are EVERY long and begin at the epoch, at a given time, or when the
 * window was begun (by arrival).  A batch is what the window has when time
 * comes to a boundary.  Ticks can close slots, too, however long those were.
 *
 * Source: RollingCountBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_TIMED_WINDOW_H
#define WINDOW_TIMED_WINDOW_H

#include "tuple/watermark.h"
#include "window/sliding_window_counter.h"
#include "window/slot_times.h"
#include "window/time_tracker.h"

/* What a tuple's slot comes from, and what moves time on. */
enum window_time {
	WINDOW_BY_EVENTS,	    /* its time, and the greatest of those */
	WINDOW_BY_EVENTS_HELD,	    /* its time, and nothing until the end */
	WINDOW_BY_EVENTS_AND_TICKS, /* its time, and ticks */
	WINDOW_BY_ARRIVAL,	    /* the clock */
	WINDOW_BY_TICKS, /* ticks: it is in the slot they close next */
};

struct timed_window {
	/* For the owner to set. */
	enum window_time time;
	int64_t length_ms, every_ms; /* the former a multiple of the latter */
	int64_t lateness_ms;	     /* how far times are out of order */
	int64_t align_ms;	     /* when a slot begins; unused by arrival */
	void *self;
	/* Emit the window that ends at a boundary, by _advance of counter. */
	void (*emit)(void *self, int64_t boundary, int64_t end_ms,
	    int64_t length_ms);

	/* Its own. */
	struct sliding_window_counter counter;
	struct slot_times times;
	struct time_tracker ticks; /* that closed slots */
	int64_t now_ms; /* the watermark, the clock or the last tick */
	int64_t due_ms; /* when the next boundary is reached */
	bool started;	/* now_ms is set, or a tick has closed a slot */
	/* Tuples that came after a window that they belong to had ended. */
	struct behind behind;
};

/* Tell whether ticks have come, but some tuples are in no window yet. */
static inline bool
timed_window_lacks(const struct timed_window *w)
{
	return w->counter.started && w->counter.any &&
	    w->counter.last >= w->counter.reached;
}

/*
 * Begin with nothing counted; slots by arrival begin at now_ms.
 *
 * Shape:  see slot_counter_init for aggregates.
 * Errors: none.
 */
void timed_window_init(struct timed_window *w, struct aggregates *aggregates,
    int64_t now_ms);
void timed_window_fini(struct timed_window *w);

/* Hold no more keys than limit, which may be NULL; it stays the caller's. */
static inline void
timed_window_set_limit(struct timed_window *w, struct key_limit *limit)
{
	w->counter.counter.limit = limit;
}

/*
 * Count a tuple, or add x to its key; ms is its time, if it has one.  The
 * batches that its time makes due are emitted first.
 *
 * Errors: false if the tuple is late, by *late_ms; or if the limit refuses its
 *         key.  It is not counted then.
 */
bool timed_window_add(struct timed_window *w, const struct key *key, int64_t ms,
    const struct number *x, int64_t *late_ms);

/*
 * Time has come to ms: emit what is due.  Returns when the last batch ended;
 * INT64_MIN if there was none.
 */
int64_t timed_window_move(struct timed_window *w, int64_t ms);

/*
 * Close a slot at ms, however long it has been, and emit its window if it has
 * rows.  Returns whether it had.
 */
bool timed_window_close_slot(struct timed_window *w, int64_t ms);

/*
 * The input has ended: emit the batches of all slots that were counted in; by
 * arrival, what the window has at now_ms.  With drain, go on until every key
 * has left.
 */
void timed_window_finish(struct timed_window *w, int64_t now_ms, bool drain);

#endif
