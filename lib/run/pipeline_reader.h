/*
 * pipeline_reader - read the streams of a pipe to their end, and do in time what
 * is due meanwhile: ticks, commits, progress, what signals ask for, what
 * workers are ready for.  Nothing is waited for with output unwritten.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_READER_H
#define RUN_PIPELINE_READER_H

#include "run/pipeline.h"

/*
 * Give all tuples to the bolt, and the ticks that are due by the end.
 *
 * Shape:  if the bolt has streams, the one whose next tuple is oldest goes
 *         first, or they go in turn, see there; otherwise there is one.
 * Errors: none that leave a way on; see input_fill.
 */
void pipeline_reader_read(struct pipeline *p);

/* The input has ended: go on until the workers have, too. */
void pipeline_reader_drain(struct pipeline *p);

#endif
