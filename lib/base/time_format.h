/*
 * time_format - times by a format of strptime(3).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_TIME_FORMAT_H
#define BASE_TIME_FORMAT_H

#include "base/timestamp.h"

/* The longest format, and the longest text that can be a time by one. */
enum { TIME_FORMAT_MOST = 255 };

struct fault;

/*
 * Check that a format can be used: strptime(3) reads all that it has and makes
 * use of it, and it has at most one `%f`, the digits of a fraction.
 *
 * Errors: -1, and *fault is set, always with column 1.
 */
int time_format_check(const char *format, struct fault *fault);

/*
 * Read a time.  What the format does not ask for is as at 1970-01-01 00:00:00
 * UTC, names are English.
 *
 * Shape:  the format is one that can be used.
 * Units:  *ns is nanoseconds since 1970; digits past them are cut off.
 * Errors: TIMESTAMP_FORM or TIMESTAMP_RANGE; *ns is unset.
 */
enum timestamp_error time_format_parse(const char *format, struct span text,
    int64_t *ns);

/*
 * Read a time by the format or the unit of a form; how far it is ahead of the
 * clock is not looked at.
 *
 * Shape, units, errors: as timestamp_parse.
 */
enum timestamp_error time_form_parse(const struct time_form *form,
    struct span text, int64_t *ns);

#endif
