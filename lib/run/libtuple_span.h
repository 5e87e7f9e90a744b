/*
 * libtuple_span - spans of libtuple.h, and those of everybody else.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_LIBTUPLE_SPAN_H
#define RUN_LIBTUPLE_SPAN_H

#include "base/span.h"
#include "run/libtuple.h"

/* An empty lt_span may point to NULL, a span never does. */
static inline struct span
span_in(struct lt_span s)
{
	return (struct span){ s.p == NULL ? "" : s.p, s.n };
}

static inline struct lt_span
span_out(struct span s)
{
	return (struct lt_span){ s.p, s.n };
}

#endif
