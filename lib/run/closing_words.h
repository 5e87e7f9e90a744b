/*
 * closing_words - messages about the input as a whole: when it has been read, or
 * before more of it is waited for.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_CLOSING_WORDS_H
#define RUN_CLOSING_WORDS_H

#include "run/pipeline.h"
#include "tuple/options.h"

/*
 * Report fields and streams that options name and the input did not have.
 * After a partial read, only fields, and only if missing fields made lines bad.
 *
 * Errors: none; does nothing with -q.
 */
void closing_words_of_missing(const struct pipeline *p, bool is_part);

/*
 * Report how many late tuples there were, how late, and which -l would keep
 * them, if one would.
 *
 * Shape:  there were some, and the counters have them.
 * Errors: none; does nothing with -q.
 */
void closing_words_of_late(const struct pipeline *p);

/*
 * Say once, before more input is waited for, that tuples were late so far: the
 * end may be days away.
 *
 * Errors: none; does nothing unless p->advises.
 */
void closing_words_of_late_so_far(struct pipeline *p);

/*
 * Suggest options that may help with what went wrong or looks odd.  The input
 * was read to its end.
 *
 * Errors: none; does nothing unless p->advises.
 */
void closing_words_of_advice(const struct pipeline *p, const struct options *o);

#endif
