/*
 * pipeline_turns - which of the streams that are read side by side goes next,
 * and for how long.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_TURNS_H
#define RUN_PIPELINE_TURNS_H

#include "run/pipeline.h"

/*
 * Begin with all streams having no tuple.
 *
 * Errors: none.
 */
void pipeline_turns_init(struct pipeline *p);
void pipeline_turns_fini(struct pipeline *p);

/* Tell whether a stream goes before others: it is in bolt->first, not silent. */
bool pipeline_turns_goes_first(const struct pipeline *p,
    const struct stream *s);

/*
 * The stream that goes before others and has a tuple: none of the others need be
 * read.
 *
 * Errors: NULL if there is none.
 */
struct stream *pipeline_turns_first(const struct pipeline *p);

/* Note that some streams in p->lacking have a tuple now, or have ended. */
void pipeline_turns_refilled(struct pipeline *p);

/* Note that a stream's tuple was executed; it has the next one, or none. */
void pipeline_turns_executed(struct pipeline *p, struct stream *s);

/* Note whether a stream is idle, and tell the bolt if that changes. */
void pipeline_turns_set_idle(struct pipeline *p, struct stream *s, bool idle);

/*
 * Choose whose tuple goes next.  A stream that is silent for too long becomes
 * idle.
 *
 * Errors: NULL if there is none, or one that has nothing to read is still waited
 *         for, until *until.
 */
struct stream *pipeline_turns_choose(struct pipeline *p, int64_t *until);

/*
 * Of the streams that have a tuple, that with the oldest, or by turns.
 *
 * Errors: NULL if none has one.
 */
struct stream *pipeline_turns_next(struct pipeline *p);

/*
 * For how long a stream goes on: its tuples before this time precede all
 * others.  INT64_MAX if all others have ended, or it goes before them.
 *
 * Errors: INT64_MIN, so that one tuple goes at a time, if a stream has no tuple
 *         and has not ended, or if streams take turns.
 */
int64_t pipeline_turns_end(const struct pipeline *p, const struct stream *s);

#endif
