/*
 * counters - what a command has done so far, for --stats and SIGUSR1.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_COUNTERS_H
#define BASE_COUNTERS_H

#include <stdint.h>

#include "base/buffer.h"

struct counters {
	uint64_t lines; /* that were read, with blank lines and ticks */
	uint64_t bytes; /* that were read */
	uint64_t blank;
	uint64_t ticks;
	uint64_t rejects;      /* bad lines */
	uint64_t late;	       /* tuples that came too late to count */
	int64_t max_late_ms;   /* the greatest by_ms of a late tuple */
	uint64_t behind;       /* others, which rows before them may lack */
	int64_t max_behind_ms; /* the same of those as max_late_ms */
	/* How much older a tuple was than one before it, at most. */
	int64_t disorder_ms;
	uint64_t emitted;   /* rows, without ticks */
	uint64_t live_keys; /* when the counters were asked for */
	int64_t ns;	    /* since the start */
};

/* Count a late tuple, which was by_ms older than an earlier tuple. */
static inline void
counters_add_late(struct counters *c, int64_t by_ms)
{
	c->late++;
	if (by_ms > c->max_late_ms)
		c->max_late_ms = by_ms;
}

/*
 * Write the counters as one JSON object on a line.
 *
 * Shape:  more is empty or `,"name":value...`.
 * Errors: -1 and errno if fd cannot be written.
 */
int counters_print(const struct counters *c, const char *command,
    struct span more, int fd);

/*
 * Append a member for counters_print: a comma, then prefix and name together
 * (hyphens become underscores), then n.
 */
void counters_put_more(struct buffer *members, const char *prefix,
    const char *name, uint64_t n);

#endif
