/*
 * join_results - what becomes of the results of a join: rows are emitted,
 * tuples that failed go to the side output, and all are acked or failed.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_JOIN_RESULTS_H
#define BOLT_JOIN_RESULTS_H

#include "bolt/collector.h"
#include "join/join.h"
#include "join/row.h"

struct join_results {
	/* For the command to set. */
	struct join_row row;
	bool *alone; /* for each stream: what stays alone has a row */
	bool only_alone;

	/* For others to read. */
	uint64_t joined, failed[JOIN_UNMATCHED + 1];

	/* Its own. */
	struct collector *collector;
	const bool *is_table; /* of each stream, if some are; or NULL */
	uint64_t *anchors;
	bool reported; /* what fails next was in a row of its own */
};

/*
 * Give the functions that a join hands its results to; _fini frees row and
 * alone, too.
 *
 * Shape:  all that is for the command to set is set.  A tuple of a stream of
 *         is_table is no anchor of rows; is_table may be NULL.
 * Owns:   collector and is_table are kept, not copied.
 * Errors: none.
 */
struct join_owner join_results_owner(struct join_results *r,
    struct collector *collector, const bool *is_table);
void join_results_fini(struct join_results *r);

/* Tell whether what stays alone is only counted. */
bool join_results_count_alone(const struct join_results *r);

#endif
