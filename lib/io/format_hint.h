/*
 * format_hint - what input looks like that is no NDJSON, and what makes it so.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_FORMAT_HINT_H
#define IO_FORMAT_HINT_H

#include "base/fault.h"
#include "base/span.h"

/*
 * Tell it by the first line of a file, which is a bad one.
 *
 * Shape:  f has its column in the line; it is NULL where line is but the
 *         beginning of one.
 * Errors: NULL where the line looks like nothing that is known; else what to
 *         say of the file.
 */
const char *format_hint(struct span line, const struct fault *f);

#endif
