/*
 * format_hint - recognize input in other formats than NDJSON, and say what
 * converts it.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_FORMAT_HINT_H
#define IO_FORMAT_HINT_H

#include <stdbool.h>

#include "base/fault.h"
#include "base/span.h"

/*
 * Recognize a file by its first line, which is bad.  Returns the text of a
 * message about the file.
 *
 * Shape:  f is the fault of the line, with its column; NULL if line is only
 *         the beginning of a long line.  of_line becomes true if the other
 *         lines of the file may be good.
 * Errors: NULL if the line is not of a known format.
 */
const char *format_hint(struct span line, const struct fault *f, bool *of_line);

#endif
