/*
 * closing_words - messages about the input as a whole, when it has been read.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_CLOSING_WORDS_H
#define RUN_CLOSING_WORDS_H

#include "run/pipeline.h"
#include "tuple/options.h"

/*
 * Name the fields and streams that options name and the input did not have.  If
 * only a part of the input was read, do so only if lines were bad for that.
 *
 * Errors: none; does nothing with -q.
 */
void closing_words_of_missing(const struct pipeline *p, bool is_part);

/*
 * Report how many late tuples there were and how late; and if one helps, which
 * -l would have kept them.
 *
 * Shape:  there were some, and the counters have them.
 * Errors: none; does nothing with -q.
 */
void closing_words_of_late(const struct pipeline *p);

/*
 * Name the options that may help with what went wrong, and with what may be
 * other than it seems.  The input was read to its end.
 *
 * Errors: none; does nothing unless p->advises.
 */
void closing_words_of_advice(const struct pipeline *p, const struct options *o);

#endif
