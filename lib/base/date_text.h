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
 *	2000-10-10T13:55:36.123-07:00	and what is like it, see below
 *	10/Oct/2000:13:55:36 -0700	as Apache and nginx write it
 *	Tue, 10 Oct 2000 13:55:36 -0700	as mail and HTTP have it
 *
 * In the first there may be slashes in place of the dashes, `t` or a blank in
 * place of T, and nothing behind the date.  Everywhere seconds may be missing,
 * or have a fraction after a point or a comma; the offset is `+hh:mm`,
 * `+hhmm`, `+hh`, `Z`, `UTC`, `GMT`, or missing, which is UTC, too, and may
 * have a blank before it.  Letters may be large or small.  The day of the week
 * may be missing, and need not be right.
 *
 * Units:  *ns is nanoseconds since 1970.
 * Errors: TIMESTAMP_FORM or TIMESTAMP_RANGE; *ns is unset.
 */
enum timestamp_error date_text_parse(struct span text, int64_t *ns);

#endif
