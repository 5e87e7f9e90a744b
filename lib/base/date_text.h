/*
 * date_text - dates and times of day as people and their programs write them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DATE_TEXT_H
#define BASE_DATE_TEXT_H

#include "base/timestamp.h"

/*
 * Read one of
 *
 *	2000-10-10T13:55:36.123-07:00	and its variants, below
 *	10/Oct/2000:13:55:36 -0700	as Apache and nginx write it
 *	Tue, 10 Oct 2000 13:55:36 -0700	as mail and HTTP have it
 *
 * The first may have slashes for its dashes, `t` or a blank for its T, and may
 * end after the date.  Seconds are optional, and may have a fraction after `.`
 * or `,`.  The offset is `+hh:mm`, `+hhmm`, `+hh`, `Z`, `UTC` or `GMT`, with or
 * without a blank before it; without an offset the time is UTC.  Letters may
 * be large or small.  The day of the week is optional, and need not be right.
 *
 * Units:  *ns is nanoseconds since 1970.
 * Errors: TIMESTAMP_FORM or TIMESTAMP_RANGE; *ns is unset.
 */
enum timestamp_error date_text_parse(struct span text, int64_t *ns);

#endif
