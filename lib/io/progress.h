/*
 * progress - a line on the terminal that tells how far a command has come.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_PROGRESS_H
#define IO_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counters.h"

enum { PROGRESS_MS = 200 }; /* between two redraws */

struct progress {
	bool wanted;	 /* set where stderr is a terminal */
	int64_t next_ms; /* when the next redraw is due */
};

/*
 * Draw it, see diagnostics_show_line.
 *
 * Shape:  size is that of the input in bytes, 0 or less where unknown.
 */
void progress_draw(struct progress *p, const struct counters *c, int64_t size,
    int64_t now_ms);

#endif
