/*
 * file_template - file names made from a number: part-%d.ndjson.
 *
 * %d is the number; %3d and %03d give it that width, with zeros; %% is %.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_FILE_TEMPLATE_H
#define IO_FILE_TEMPLATE_H

#include "base/buffer.h"

/*
 * Errors: NULL, or what is wrong with text, for a message.
 */
const char *file_template_check(const char *text);

/*
 * Append the name for a number, without NUL.
 *
 * Shape:  text has been checked.
 */
void file_template_put(struct buffer *b, const char *text, size_t number);

#endif
