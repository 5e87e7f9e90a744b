/*
 * live_time - how far event time goes on while no line comes.
 *
 * When nothing could be read for D, the watermark is where the last tuple left
 * it, plus what has passed since then, less D.  A runner that has no tuple in
 * hand asks before it waits:
 *
 *	line     t                     t            t is a tuple
 *	clock    0 -------- D -------- 2D --------- 3D ------- 3.5D
 *	asked at 0          D 1.2D     2D           3D         3.5D
 *	answer   0          0 0.2D     0            0          0.5D
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_LIVE_TIME_H
#define BOLT_LIVE_TIME_H

#include <stdint.h>

struct live_time {
	int64_t wait_ms;	   /* D; 0: event time does not go on */
	uint64_t lines, tuples;	   /* how many there were at the last call */
	int64_t line_ms, tuple_ms; /* the first call that knew of the last */
	int64_t told_ms;	   /* the moves since the last tuple, summed */
	int64_t looked_ms;	   /* the last call */
};

/* Begin, with no lines so far. */
void live_time_init(struct live_time *l, int64_t wait_ms, int64_t now_ms);

/*
 * Nothing can be read now.  lines and tuples are how many came so far.  Returns
 * by how much to move the watermark.
 *
 * Units:  milliseconds.
 * Errors: none.
 */
int64_t live_time_pass(struct live_time *l, uint64_t lines, uint64_t tuples,
    int64_t now_ms);

/* When to call _pass again if no line comes; INT64_MAX: not at all. */
int64_t live_time_due(const struct live_time *l);

#endif
