/*
 * join_bolt - the bolt of a join: streams come in, rows of what joins go out,
 * what does not join fails with a reason.
 *
 * A command has one as the first member of its own state and sets what its
 * options say.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_JOIN_BOLT_H
#define BOLT_JOIN_BOLT_H

#include "bolt/bolt.h"
#include "bolt/join_results.h"
#include "join/join.h"
#include "join/join_streams.h"
#include "join/key_kinds.h"
#include "join/table_join.h"
#include "state/table_state.h"
#include "tuple/watermark.h"

/* For before_ms of tables: a row may be of any age. */
#define JOIN_BOLT_NO_BOUND INT64_C(-1)

struct join_bolt {
	/* For the command to set. */
	struct join_streams streams;
	struct join_results results;
	struct duration_reach reach;
	int64_t lateness_ms; /* may be LATENESS_ALL */
	bool many, replace;
	struct key_limit limit;
	bool *first;	/* of each stream: a table without times; or NULL */
	bool *is_table; /* of each stream, if some are tables; or NULL */

	/* Its own. */
	struct join join;
	struct table_join tables; /* in its place, if some are */
	struct watermark watermark;
	struct join_state state; /* with --state */
	struct table_state table_state;
	const struct projection *projection;
	struct collector *collector;
	struct buffer operands; /* the names, as a state keeps them */
	/* Of each stream: it has times. */
	bool *timed;
	bool fields_only; /* what waits need not keep its line */
	bool advises;	  /* as in struct bolt_context */
	struct key_kinds kinds;
	/* Another run follows: the end of a file does not end the stream. */
	bool goes_on;
	uint64_t order, passed;
};

/* The longest that a tuple waits. */
static inline int64_t
join_bolt_length_ms(const struct join_bolt *b)
{
	return b->reach.before_ms > b->reach.after_ms ? b->reach.before_ms :
							b->reach.after_ms;
}

/*
 * Fill in the functions and the other members of a bolt.
 *
 * Shape:  all that is for the command to set is set; the bolt's self begins
 *         with b.
 * Owns:   the bolt's cleanup frees b, streams and results too.
 * Errors: none.
 */
void join_bolt_configure(struct join_bolt *b, struct bolt *bolt);

#endif
