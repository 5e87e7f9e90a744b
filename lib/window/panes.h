/*
 * panes - the aggregates of a key slot by slot, and over a window that slides
 * along the slots.
 *
 * A pane is the value of one key in one slot.  A tuple goes into its pane;
 * panes enter the window at its end and leave it at its start.  Aggregates
 * cannot be taken away again, so the value of the window is the merge of two:
 * one of all newer panes, and one of the older panes that are still in the
 * window.  Of the older ones the values from certain panes to the last one
 * (marks) are kept ready, at distances that double; so a pane is merged
 * O(log n) times, and O(log n) values are held.
 *
 *	panes	a b c d e f g h | i j k       all eight are still in the window
 *	marks	a..h b..h c..h e..h
 *	newer			| i..k
 *	window	a..h + i..k
 *
 * A tuple whose slot is in the window already is also added to the newer panes'
 * value or, if its pane is an older one, to each mark at or before that pane.
 *
 * Memory: 24 bytes and a value; if there was ever a second pane, 32 bytes more,
 * if a third, 24; for each pane but the newest 24 to 32 and its value; if there
 * are more than PANES_FEW panes, log2(n) + 1 values for marks, and one for the
 * newer.
 *
 * Source: Tangwongsan, Hirzel, Schneider, Low-Latency Sliding-Window
 *         Aggregation, DEBS 2017, whose two stacks have a value for each pane.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_PANES_H
#define WINDOW_PANES_H

#include "window/aggregate.h"

/* With up to this many panes, all are merged for each row, without marks. */
enum { PANES_FEW = 8 };

struct panes_older;

/*
 * The newest pane is here, since the next tuple most likely needs it; the
 * others are in `older`.  panes_bytes zero bytes are an empty struct.  A struct
 * may be moved.
 */
struct panes {
	int64_t slot;		   /* of the newest pane, if there is any */
	struct panes_older *older; /* NULL: there was never a second pane */
	uint32_t n;
	uint32_t nopen;	 /* panes in the window, the first ones */
	int64_t value[]; /* of the newest pane; of no tuples if n is 0 */
};

static inline size_t
panes_bytes(const struct aggregates *a)
{
	return sizeof(struct panes) + a->size;
}

void panes_fini(struct panes *p, struct aggregates *a);

/*
 * Take the tuple that a has checked into the pane of its slot.
 *
 * Shape:  slot is not below what has left the window.
 */
void panes_add(struct panes *p, struct aggregates *a, int64_t slot);

/*
 * The value of a slot, which is made if there is none: for saving it to a
 * state, and for restoring it before the first window.
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

/*
 * Let all panes before `from` leave now: no later window has them.  So a key
 * that is counted slot by slot has one pane, not two.
 */
void panes_leave(struct panes *p, struct aggregates *a, int64_t from);

#endif
