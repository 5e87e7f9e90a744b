/*
 * spout_task - a spout that runs under Storm: what it sends, and what it keeps
 * until that is acked.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SPOUT_TASK_H
#define STORM_SPOUT_TASK_H

#include "bolt/run.h"
#include "storm/multilang_sink.h"
#include "storm/pending_tuples.h"
#include "storm/shell_spout.h"

struct spout_task {
	struct run run; /* first */
	const struct shell_spout *given;
	const struct spout *spout;
	struct multilang_input in;
	struct topology_context context;
	struct multilang_sink sink;
	struct pending_tuples pending;
	size_t max_pending;
	/* The next tuple, and its place in the input, if it is fetched. */
	uint64_t number;
	int64_t place;
	bool is_fetched;
	struct buffer line, scratch;
	/* The block that is filled, and its first tuple. */
	struct line_block block;
	uint64_t first;
	int64_t first_place;
	struct store *store; /* NULL: nothing is remembered */
	uint64_t committed;  /* number of the first not acked, in the store */
	int64_t commit_ms, now_ms;
};

/* Answer `next`: send what failed first, then new tuples. */
void spout_task_next(struct spout_task *s);

/* Storm has acked, or failed, the tuple or block of this id. */
void spout_task_settle(struct spout_task *s, struct span id, bool acked);

/* The number and the place of the first tuple that is not acked. */
uint64_t spout_task_first_open(const struct spout_task *s, int64_t *place);

/*
 * Get the next tuple, ours or another task's, into s->line.
 *
 * Errors: false if there is none.  _check_input then ends the program if the
 *         file could not be read to its end.
 */
bool spout_task_read(struct spout_task *s);
void spout_task_check_input(struct spout_task *s);

#endif
