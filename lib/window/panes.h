/*
 * panes - the aggregates of a key slot by slot, and over a window that slides
 * along the slots.
 *
 * A pane is what a slot has of the key.  A tuple goes into its pane; panes come
 * into the window at its end and leave it at its start.  Aggregates cannot be
 * taken away again, so what the window has is put together from two values,
 * however many panes it has: all of the newer panes, and all of the older ones
 * from a mark on.  Marks lie at distances that double, so that each pane is
 * merged about as often as the logarithm of their number, and what a mark takes
 * is taken that often only:
 *
 *	panes	a b c d e f g h | i j k
 *	marks	  b..h  d..h    |         one for each: 1, 2, 4 ... panes on
 *	newer			| i..k
 *	window	  b..h + i..k
 *
 * A tuple of a slot that is in the window also goes into the newer panes'
 * value, or those of the marks before it.
 *
 * Memory: 80 bytes, and for each pane 16 and its value; where there are more
 * than PANES_FEW, a value for each mark, of which there are at most the
 * logarithm, and one more.
 *
 * Source: Tangwongsan, Hirzel, Schneider, Low-Latency Sliding-Window
 *         Aggregation, DEBS 2017, whose two stacks have a value for each pane.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_PANES_H
#define WINDOW_PANES_H

#include "window/aggregate.h"

/* So many panes are merged for each row. */
enum { PANES_FEW = 8 };

struct pane {
	int64_t slot;
	void *value;
};

/* All panes from one to the last of the older ones. */
struct pane_mark {
	size_t first;
	void *value;
};

/* Places of panes are counted from list[start]; a zeroed struct has none. */
struct panes {
	struct pane *list; /* in the order of slots */
	size_t start, n, cap;
	size_t nopen; /* panes in the window, the first ones */
	size_t nolder;
	struct pane_mark *marks; /* the last one is that of the least pane */
	size_t nmarks, marks_cap;
	void *newer; /* NULL: there are few, nothing is put together */
};

void panes_fini(struct panes *p, struct aggregates *a);

/*
 * Take the tuple that a has checked into the pane of its slot.
 *
 * Shape:  slot is not below what has left the window.
 */
void panes_add(struct panes *p, struct aggregates *a, int64_t slot);

/*
 * The value of a slot, which is made; for keeping it elsewhere, and back
 * before the first window.
 */
void *panes_value(struct panes *p, struct aggregates *a, int64_t slot);

/*
 * Move the window to the slots from `from` on that are below `below`, and give
 * the value of its panes.
 *
 * Shape:  neither number is less than last time; scratch is the value of no
 *         tuples.
 * Owns:   the result is good until the next call of any of these; it may be
 *         scratch, which the caller drops.
 */
const void *panes_window(struct panes *p, struct aggregates *a, int64_t from,
    int64_t below, void *scratch);

#endif
