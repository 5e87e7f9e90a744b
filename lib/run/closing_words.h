/*
 * closing_words - what is said of the input as a whole, when it has been read.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_CLOSING_WORDS_H
#define RUN_CLOSING_WORDS_H

#include "run/pipeline.h"

/*
 * Say what options name that was not there.  Of a part of the input that tells
 * nothing, unless lines were bad for it.
 *
 * Errors: none; nothing is said with -q.
 */
void closing_words_of_missing(const struct pipeline *p, bool is_part);

/*
 * Say how late the late tuples were, and advise which -l would have kept them.
 *
 * Shape:  there were some, and they have been counted.
 * Errors: none; nothing is said with -q.
 */
void closing_words_of_late(const struct pipeline *p, bool advise);

#endif
