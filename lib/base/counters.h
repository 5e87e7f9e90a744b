/*
 * counters - what a command has done so far, for --stats and SIGUSR1.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_COUNTERS_H
#define BASE_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"

struct counters {
	uint64_t lines; /* read, blank ones and ticks among them */
	uint64_t bytes; /* read */
	uint64_t blank;
	uint64_t ticks;
	uint64_t rejects;    /* bad lines */
	uint64_t late;	     /* tuples that came too late to count */
	int64_t max_late_ms; /* the disorder that the latest of them had */
	uint64_t emitted;    /* rows, without ticks */
	uint64_t live_keys;  /* at the time of asking */
	int64_t ns;	     /* since the start */
};

/*
 * Count a late tuple, which was so much older than one that came before it.
 */
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
 * Shape:  more is nothing, or further members, each after a comma.
 * Errors: -1 where fp does not take it.
 */
int counters_print(const struct counters *c, const char *command,
    struct span more, FILE *fp);

/*
 * Append a further member after a comma: prefix and name, whose hyphens become
 * underscores, and n.
 */
void counters_put_more(struct buffer *members, const char *prefix,
    const char *name, uint64_t n);

#endif
