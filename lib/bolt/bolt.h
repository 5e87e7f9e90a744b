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
#include "io/merger.h"
#include "tuple/options.h"
#include "tuple/tuple.h"

struct store;

/* The command line while a bolt is configured, when options have been read. */
struct bolt_setup {
	const struct command *command;
	struct projection *projection; /* what options name is in it */
	bool multilang;		       /* Storm will drive the bolt */
	/* What configure leaves of these are the names of the input's files. */
	char *const *operands;
	size_t noperands;
};

/* What a bolt needs to know of the run that it is in. */
struct bolt_context {
	struct collector *collector; /* for keeps, as the projection */
	const struct projection *projection;
	int64_t now_ms; /* what comes is after it */
	bool multilang; /* Storm drives the bolt */
	bool has_state; /* --state: another run can go on */
	bool final;	/* --final: none will */
	bool has_stats; /* --stats */
};

/* Where a bolt can send lines to, beside its rows, by collector_send. */
struct bolt_tasks {
	size_t n;	   /* 0: nowhere */
	char *const *argv; /* each is a copy of this command; or, if NULL, */
	const char *files; /* a file, see part_files */
	/* Of what the commands write: */
	const char *tag;	 /* the member the task is put under, or NULL */
	enum merger_order order; /* how it is merged */
};

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

/*
 * What a command is.  execute and prepare are there in every bolt; what may be
 * NULL says what is then done.  The functions are called in this order:
 *
 *	configure, prepare, [restore], then execute, tick, stream and save as
 *	it comes, finish, [save], count and report (at other times, too),
 *	hint, cleanup; for --dump: configure, prepare, restore, dump, cleanup
 */
struct bolt {
	void *self;	       /* handed to all that follows */
	void *options;	       /* the struct they are kept in; NULL: self */
	int64_t tick_every_ms; /* of TICK_CLOCK; 0: never */
	/* What those are counted from, once restored; NULL: any time will do. */
	const int64_t *tick_from_ms;
	/* Rows come with ticks; Storm's take the place of TICK_CLOCK. */
	bool emits_at_ticks;
	/* With --state, what is open at the end of the input stays open. */
	bool stays_open;
	/* A signal does not end the input: what comes before does, as it ends. */
	bool waits_for_end;

	const char *side; /* a file for late or failed tuples; NULL: none */
	const char *side_option; /* by which option */
	bool lateness_helps;	 /* a longer -l would keep late tuples */

	/*
	 * The names of the input's files, if each is a stream of its own; else
	 * NULL.  If the bolt has time_of, the stream whose next tuple is oldest
	 * goes first, and one that has nothing to read is waited for so long;
	 * else they go in turn.  Under Storm they are components.
	 */
	const struct span *streams;
	int64_t idle_ms;
	const char *operands; /* that a state is begun with; or NULL */

	struct bolt_tasks tasks;

	/*
	 * Check what the options say together, add fields that no option names,
	 * fill in what stands above and depends on options.
	 * NULL: nothing of that.
	 *
	 * Errors: what is wrong stops the program, see options_misuse.
	 */
	void (*configure)(struct bolt *bolt, struct bolt_setup *setup);

	/* Get ready. */
	void (*prepare)(void *self, const struct bolt_context *context);

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

	/*
	 * All that has been read is executed, and more may be long in coming:
	 * do what was put off for tuples to be done together.  NULL: nothing.
	 */
	void (*catch_up)(void *self);

	/* NULL: ticks are dropped. */
	void (*tick)(void *self, const struct tick *tick);

	/* The input has ended: emit what is open.  NULL: nothing is. */
	void (*finish)(void *self, int64_t now_ms);

	/* Free what the bolt holds.  NULL: nothing. */
	void (*cleanup)(void *self);

	/*
	 * Put what the bolt counts, its live keys above all, into c.
	 * NULL: it has no keys.
	 */
	void (*count)(const void *self, struct counters *c);

	/*
	 * Append further members for --stats, each after a comma.
	 * NULL: there are none.
	 */
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
	 * NULL where a command has no --state, or no --dump.
	 */
	void (*restore)(void *self, struct store *store);
	void (*save)(void *self, struct store *store);
	void (*dump)(void *self);
};

#endif
