/*
 * pipeline_turns - which of the streams that are read side by side goes next,
 * and for how long.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_TURNS_H
#define RUN_PIPELINE_TURNS_H

#include "run/pipeline.h"

/* Tell whether a stream goes before those that do not. */
bool pipeline_turns_goes_first(const struct pipeline *p,
    const struct stream *s);

/*
 * Of the streams that have a tuple, that with the oldest, or by turns.
 *
 * Errors: NULL where none has one.
 */
struct stream *pipeline_turns_next(struct pipeline *p);

/*
 * The time before which that stream's tuples go first, as all others have one
 * or have ended.
 *
 * Errors: INT64_MIN where that is not so, or where they take turns.
 */
int64_t pipeline_turns_end(const struct pipeline *p, const struct stream *s);

#endif
