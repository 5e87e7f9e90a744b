/*
 * step_counts - count how many intervals touch each of n steps of time: a row
 * of a timeline.
 *
 *	steps   0  1  2  3  4  5		1..3, 3..4
 *	counts [0, 1, 1, 2, 1, 0]
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_STEP_COUNTS_H
#define WINDOW_STEP_COUNTS_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"

struct step_counts {
	/* By how much each count differs from that before; NULL: all are 0. */
	int64_t *changes;
};

void step_counts_fini(struct step_counts *s);

/*
 * Add one to each step from first to last, in O(1).
 *
 * Shape:  0 <= first <= last < n; n is the same in each call.
 * Errors: none.
 */
void step_counts_add(struct step_counts *s, int64_t n, int64_t first,
    int64_t last);

/*
 * Append the counts as a JSON array; add the counts of such an array.
 *
 * Errors: _add_text returns false if text is not an array of n counts; what the
 *         counts are then is undefined.
 */
void step_counts_put(const struct step_counts *s, int64_t n, struct buffer *b);
bool step_counts_add_text(struct step_counts *s, int64_t n, struct span text);

#endif
