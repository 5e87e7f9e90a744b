/*
 * duration - lengths of time as users write them: 9s, 500ms, 1h30m, 1.5h.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdint.h>

#include "base/buffer.h"

/* What durations may look like, for messages and pages. */
#define DURATION_FORM \
	"a duration of ms, s, m, h, d or w, such as 9s, 1h30m or 1.5d"

/* The longest, about 292 years, is what int64_t holds in nanoseconds. */
#define DURATION_MAX_MS (INT64_MAX / 1000000)

/*
 * Read a duration: one or more pairs of a number and a unit (ms s m h d w, each
 * at most once), or a number alone, which is in seconds.
 *
 * Units:  *ms is milliseconds.
 * Errors: NULL on success, else what is wrong with text, for a message: it has
 *         another form, has a fraction of a millisecond, or is too long.
 */
const char *duration_parse(const char *text, int64_t *ms);

/*
 * Append a duration as people write it, such as 3m12s or 1d2h.  Up to
 * DURATION_MAX_MS it reads back as the same.
 *
 * Shape:  ms >= 0.
 * Errors: none.
 */
void duration_put(struct buffer *b, int64_t ms);

/* Append the -l that keeps a tuple ms late; `all` above DURATION_MAX_MS. */
void duration_put_lateness(struct buffer *b, int64_t ms);

#endif
