/*
 * bolt - what a command is: tuples and ticks in, rows out.
 *
 * A bolt never reads, writes or asks for the time; a runner drives it.
 *
 * Source: Storm's IRichBolt.  prepare is given the collector, through which
 *         execute acks, as there; instead of throwing, execute returns a
 *         fault, and the runner reports the line and fails the tuple.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_BOLT_H
#define BOLT_BOLT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counters.h"
#include "base/fault.h"
#include "bolt/collector.h"
#include "tuple/tuple.h"

struct store;

enum tick_source {
	TICK_CLOCK, /* time has passed, as the bolt had asked to be told */
	TICK_INPUT, /* a tick tuple, in its place in the stream */
	TICK_ALARM, /* Storm's: time has passed; ends no batch */
};

struct tick {
	enum tick_source source;
	int64_t ms;  /* when it is due, or what the tick tuple says */
	bool behind; /* the next one is due already */
};

enum stream_state { STREAM_ACTIVE, STREAM_IDLE, STREAM_ENDED };

struct bolt {
	void *self;	       /* handed to all that follows */
	int64_t tick_every_ms; /* of TICK_CLOCK; 0: never */
	/* What those are counted from, once restored; NULL: any time will do. */
	const int64_t *tick_from_ms;
	/* Rows come with ticks; Storm's take the place of TICK_CLOCK. */
	bool emits_at_ticks;

	/* Get ready; what comes is after now.  The collector is for keeps. */
	void (*prepare)(void *self, struct collector *c, int64_t now_ms);

	/*
	 * See which tuples will be executed next, n <= TUPLE_AHEAD and in
	 * their order: what costs time to fetch or to find out can be asked
	 * for now, and noted in t->key, or in t->time_ns with t->timed for
	 * time_of not to be called.  Nothing changes by it.  There may be
	 * ticks and other calls in between, and execute does without it.
	 * NULL: nothing to do.
	 */
	void (*look_ahead)(void *self, struct tuple *const *t, size_t n);

	/*
	 * Take one tuple.
	 *
	 * Errors: -1 where the tuple lacks what the bolt needs; f tells.
	 *         Nothing has then changed.
	 */
	int (*execute)(void *self, const struct tuple *t, struct fault *f);

	/* NULL: ticks are dropped. */
	void (*tick)(void *self, const struct tick *tick);

	/* The input has ended: emit what is open. */
	void (*finish)(void *self, int64_t now_ms);

	void (*cleanup)(void *self);

	/* Put what the bolt counts, its live keys above all, into c. */
	void (*count)(const void *self, struct counters *c);

	/* Append further members for --stats, each after a comma; or NULL. */
	void (*report)(const void *self, struct buffer *members);

	/*
	 * All has been read: append the i-th thing that it lacked and options
	 * name, or nothing.  False: there is no more.  NULL: there never is.
	 */
	bool (*hint)(const void *self, size_t i, struct buffer *text);

	/*
	 * For streams side by side; NULL where there is but one input.
	 * time_of gives the event time of a tuple, which execute then finds
	 * in t->time_ns, or says what it lacks; its line stays where it is
	 * until execute.  stream tells that one has ended, has fallen silent
	 * or has come back.
	 */
	int (*time_of)(void *self, const struct tuple *t, int64_t *ns,
	    struct fault *f);
	void (*stream)(void *self, size_t stream, enum stream_state state);

	/*
	 * With --state: go on, before the first tuple, from what the store
	 * has; bring it up to date, as part of a commit, and emit nothing; emit
	 * all it holds.
	 * NULL where a bolt has no state, or nothing to dump.
	 */
	void (*restore)(void *self, struct store *store);
	void (*save)(void *self, struct store *store);
	void (*dump)(void *self);

	/* With --state, what is open at the end of the input stays open. */
	bool stays_open;
};

#endif
