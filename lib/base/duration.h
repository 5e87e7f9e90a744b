/*
 * duration - lengths of time as options spell them: 9s, 500ms, 1h30m, 1.5h.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdint.h>

#include "base/buffer.h"

/* What durations may look like, for messages and pages. */
#define DURATION_FORM "a duration like 9s, 500ms, 1h30m or 1.5h"

/* The longest, about 292 years: what still fits int64_t in nanoseconds. */
#define DURATION_MAX_MS (INT64_MAX / 1000000)

/*
 * Read one or more NUMBER UNIT, units ms s m h d w, each at most once; a
 * bare number is seconds.
 *
 * Units:  *ms is milliseconds.
 * Errors: NULL on success, else what is wrong with text, for a message:
 *         no such form, a fraction of a millisecond, or too long.
 */
const char *duration_parse(const char *text, int64_t *ms);

/*
 * Append a duration as people write it, 3m12s or 1d2h, which reads back as
 * the same.
 *
 * Shape:  ms >= 0; more than DURATION_MAX_MS does not read back.
 * Errors: none.
 */
void duration_put(struct buffer *b, int64_t ms);

#endif
