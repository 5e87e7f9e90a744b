/*
 * slice_rows - the rows of a timeline: one for each key and slice of time, with
 * how many intervals touch each step of the slice; in a persistent_map.
 *
 * Steps and slices are numbered from the epoch on.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_SLICE_ROWS_H
#define BOLT_SLICE_ROWS_H

#include "bolt/persistent_bolt.h"

struct slice_rows {
	struct persistent_bolt bolt; /* first */
	struct field_range key_fields;
	int64_t slice_ms, step_ms; /* slice_ms is a multiple of step_ms */
	struct key_limit *limit;   /* NULL: none */

	int64_t nsteps;	       /* in a slice */
	struct field *fields;  /* of slice_key */
	struct key slice_key;  /* with the slice's start as one more part */
	const struct key *key; /* of the interval that is added */
	struct span spelling;  /* that key's first one */
	struct buffer text;
};

/* The members that a row has behind its key. */
#define SLICE_ROWS_START "sliceStartMillis"
#define SLICE_ROWS_COUNTS "occupancies"

/*
 * Begin, with no rows.
 *
 * Shape:  key_fields to limit are set, and what persistent_bolt has of options; all
 *         else is zero.
 */
void slice_rows_init(struct slice_rows *r, const struct bolt_context *context);
void slice_rows_fini(struct slice_rows *r);

/*
 * Add an interval from a step to another, both included, to the rows of a key.
 *
 * Owns:   copies what it needs of key.
 * Errors: false if the limit refuses a row; none has then been touched.
 */
bool slice_rows_add(struct slice_rows *r, const struct key *key, int64_t first,
    int64_t last);

/* For the bolt; see there. */
void slice_rows_restore(void *self, struct store *s);

#endif
