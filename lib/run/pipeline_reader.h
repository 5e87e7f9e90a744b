/*
 * pipeline_reader - the main loop of a bolt in a pipe: read the streams to
 * their end, and meanwhile tick, commit, show progress, react to signals, and
 * serve workers.  Output is written before the loop waits.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_READER_H
#define RUN_PIPELINE_READER_H

#include "run/pipeline.h"

/*
 * Give all tuples to the bolt, in the order that bolt.h has for streams, and
 * ticks when they are due.
 *
 * Errors: p->gave_up is set if input ended early: a file could not be read, or
 *         there were too many bad lines.
 */
void pipeline_reader_read(struct pipeline *p);

/* After the end of the input: serve the workers until they have ended. */
void pipeline_reader_drain(struct pipeline *p);

#endif
