/*
 * progress - show on the terminal how far a command has come (--progress).
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
	bool wanted;	 /* the option is given, and stderr is a terminal */
	int64_t next_ms; /* when the next redraw is due */
};

/*
 * Draw the line, by diagnostics_show_line, and set next_ms.
 *
 * Shape:  size is that of the whole input in bytes; 0 or less: not known.
 */
void progress_draw(struct progress *p, const struct counters *c, int64_t size,
    int64_t now_ms);

#endif
