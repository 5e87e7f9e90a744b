/*
 * slice_rows - the rows of a timeline: one for each key and slice of time, with
 * how many intervals touch each step of the slice; in a persistent_map.
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

	/* Its own. */
	int64_t nsteps;	      /* in a slice */
	struct field *fields; /* of slice_key */
	struct key slice_key; /* with the slice's start as one more part */
	struct buffer text;
};

/* The members that a row has behind its key. */
#define SLICE_ROWS_START "sliceStartMillis"
#define SLICE_ROWS_COUNTS "occupancies"

/*
 * Begin, with no rows.
 *
 * Shape:  key_fields to limit are set, and the options that persistent_bolt
 *         has; all else is zero.
 */
void slice_rows_init(struct slice_rows *r, const struct bolt_context *context);
void slice_rows_fini(struct slice_rows *r);

/* Find keys of tuples that come soon; see keys_look_ahead. */
void slice_rows_look_ahead(const struct slice_rows *r, struct keys_ahead *ahead,
    struct tuple *const *tuples, size_t n);

/*
 * Add a tuple's interval from a step to another, both included, to the rows of a
 * key; ack the tuple.
 *
 * Shape:  first <= last; steps are numbered from the epoch on.
 * Owns:   copies what it needs of t and key.
 * Errors: false if the limit refuses a row; nothing has then been done.
 */
bool slice_rows_add(struct slice_rows *r, const struct tuple *t,
    const struct key *key, int64_t first, int64_t last);

/* Tell whether each batch is reported (-c). */
static inline bool
slice_rows_report_changes(const struct slice_rows *r)
{
	return r->bolt.changes;
}

/* For the bolt; see there.  The others are those of persistent_bolt. */
void slice_rows_restore(void *self, struct store *s);

#endif
