/*
 * bolt - what a command does with its input: functions that a runner calls for
 * each tuple and tick, and at the end.
 *
 * A bolt never reads, writes or asks for the time.  The runner does: that for
 * pipes (run/pipeline_runner) or that for Storm (storm/multilang_runner).  Rows
 * go to the collector.
 *
 * Source: Storm's IRichBolt.  As there, prepare gets the collector, through
 *         which execute acks.  Storm's execute throws; this one returns a
 *         fault.  The runner then reports the line and fails the tuple, but
 *         acks a line of a block.
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
#include "tuple/line_times.h"
#include "tuple/options.h"
#include "tuple/tuple.h"

struct store;

/* The command line, for configure; its options have been read. */
struct bolt_setup {
	const struct command *command;
	struct projection *projection; /* has the fields of the options */
	bool multilang;		       /* the bolt will run under Storm */
	/* Operands that configure does not take are the input's files. */
	char *const *operands;
	size_t noperands;
	char *const *argv; /* the command behind --, or NULL */
};

/* The run, for prepare. */
struct bolt_context {
	struct collector *collector;	     /* valid until cleanup, ... */
	const struct projection *projection; /* ...and so is this */
	int64_t now_ms; /* the time; later calls have no earlier one */
	bool multilang; /* the bolt runs under Storm */
	size_t ntasks;	/* there: how many collector_send sends to */
	bool has_state; /* --state: the next run can go on */
	bool final;	/* --final: no run will go on */
	bool has_stats; /* --stats */
	bool advises;	/* a person reads the hints, so advice is welcome */
};

/* Tasks that a bolt sends lines to by collector_send (pkgroup). */
struct bolt_tasks {
	size_t n; /* 0: none */
	/* Run this command for each task; NULL: write files. */
	char *const *argv;
	const char *files; /* template of their names, see part_files */
	/* What is done with the rows that the commands write: */
	const char *tag;	 /* member for the task's number, or NULL */
	enum merger_order order; /* how they are merged */
	/* Under Storm they are those of a component that follows. */
	bool of_component;
	const char *component; /* its name; NULL: there is just one */
};

enum tick_source {
	TICK_CLOCK, /* tick_every_ms has passed */
	TICK_INPUT, /* a tick tuple, in its place in the stream */
	TICK_ALARM, /* Storm's tick: of its clock, in no place of the stream */
	TICK_LIVE,  /* no line comes: the watermark goes on by ms */
};

struct tick {
	enum tick_source source;
	int64_t ms;  /* when it was due; of TICK_INPUT, what it says */
	bool behind; /* the next one is already due */
};

enum stream_state { STREAM_ACTIVE, STREAM_IDLE, STREAM_ENDED };

/*
 * A bolt.  prepare and execute are required; other functions may be NULL, and
 * say what is done then.  They are called in this order:
 *
 *	configure, time_field, prepare, [had_names, restore]
 *	look_ahead, execute, catch_up, tick, stream, [save] as input comes;
 *	    count and report at any time
 *	finish, [save], hint, cleanup
 *
 *	with --dump: configure, prepare, restore, dump, cleanup
 */
struct bolt {
	void *self;		  /* the first argument of all functions */
	void *options;		  /* where options are stored; NULL: in self */
	int64_t tick_every_ms;	  /* between two TICK_CLOCK; 0: none */
	const char *every_option; /* the option that sets it, or NULL */
	/* The time they are counted from, after restore; NULL: any. */
	const int64_t *tick_from_ms;
	/* The time of a tuple is when it is read; a state goes on from it. */
	bool by_clock;
	/* For how long no line comes before TICK_LIVE; 0: there are none. */
	int64_t live_ms;
	/* Rows come only at ticks; Storm's replace TICK_CLOCK. */
	bool emits_at_ticks;
	/* With --state, the end of the input closes nothing. */
	bool stays_open;
	/* A signal does not end the input; it ends when its writer does. */
	bool waits_for_end;

	const char *side; /* the file for late or failed tuples; NULL: none */
	const char *side_option; /* the option that names it */
	const char *picture;	 /* the file that -o has drawn; NULL: none */
	bool lateness_helps;	 /* a larger -l would keep late tuples */
	int64_t lateness_ms;	 /* -l; may be LATENESS_ALL */
	bool waits_for_ticks;	 /* -i: without those of input no row comes */
	/* What the tuples that are counted as behind came after, in messages. */
	const char *behind;

	/*
	 * If each file is a stream: their names (may be ""); else NULL.  With
	 * time_of, the tuple with the oldest time is executed first, and a
	 * stream that has nothing to read is waited for, idle_ms at most;
	 * without, the streams take turns.  Under Storm the files are the
	 * components that the streams come from.
	 */
	const struct span *streams;
	int64_t idle_ms;
	/*
	 * Streams that go before the others until they end or are silent:
	 * tables.  With --state, a file of one that was changed is read again.
	 */
	const bool *first;
	/* Streams may each have a name of their own for a field. */
	bool fields_by_stream;
	const char *operands; /* a state must have the same; or NULL */

	struct bolt_tasks tasks;

	/*
	 * Check options that depend on each other, add fields that no option
	 * names, and fill in the members above that depend on options.
	 * NULL: nothing to do.
	 *
	 * Errors: none; stops the program by options_misuse.
	 */
	void (*configure)(struct bolt *bolt, struct bolt_setup *setup);

	/* Get ready for the first tuple. */
	void (*prepare)(void *self, const struct bolt_context *context);

	/*
	 * Name the time field of a stream, so that times are read when lines
	 * are scanned: t->timed then says whether t->time_ns is set.  NULL:
	 * there is none.
	 */
	struct time_field (*time_field)(const void *self, size_t stream);

	/*
	 * Look at the n <= TUPLE_AHEAD tuples that will be executed next, in
	 * this order, so that memory can be fetched in time.  The bolt may set
	 * t->key, and t->time_ns with t->timed, which spares calling time_of.
	 * It must not change otherwise: ticks and other calls can come before
	 * these tuples, and execute also gets tuples that it was not shown.
	 * NULL: nothing to do.
	 */
	void (*look_ahead)(void *self, struct tuple *const *t, size_t n);

	/*
	 * Take a tuple.
	 *
	 * Errors: -1 if the tuple lacks what the bolt needs; f says what, and
	 *         the bolt has not changed.
	 */
	int (*execute)(void *self, const struct tuple *t, struct fault *f);

	/*
	 * All tuples that were read are executed, and the next may be long in
	 * coming: execute tuples that were put off.  NULL: there are none.
	 */
	void (*catch_up)(void *self);

	/* Take a tick.  NULL: ticks are dropped. */
	void (*tick)(void *self, const struct tick *tick);

	/* The input has ended: emit what is left.  NULL: nothing is. */
	void (*finish)(void *self, int64_t now_ms);

	/* Free what the bolt holds.  NULL: nothing. */
	void (*cleanup)(void *self);

	/*
	 * Put the number of live keys, and other counts of the bolt, into c.
	 * NULL: it has no keys.
	 */
	void (*count)(const void *self, struct counters *c);

	/*
	 * Append further members for --stats, each after a comma.
	 * NULL: there are none.
	 */
	void (*report)(const void *self, struct buffer *members);

	/*
	 * When all is read: append the i-th message about an option that does
	 * not fit the input; or nothing.  Return false if i is beyond the last.
	 * NULL: there are no messages.
	 */
	bool (*hint)(const void *self, size_t i, struct buffer *text);
	bool hints_of_part; /* ask for them if another run goes on, too */

	/*
	 * Advice on what rows wait for, in the manner of hint; asked for at the
	 * end of each run on a terminal.  NULL: none.
	 */
	bool (*held)(const void *self, size_t i, struct buffer *text);

	/*
	 * For several streams; NULL if there is one input.  time_of finds the
	 * event time of a tuple, which execute gets in t->time_ns.  It returns
	 * -1 if the tuple is bad; f says why.  The line stays valid until the
	 * tuple is executed.  stream says that a stream has ended, is silent,
	 * or has tuples again.
	 */
	int (*time_of)(void *self, const struct tuple *t, int64_t *ns,
	    struct fault *f);
	void (*stream)(void *self, size_t stream, enum stream_state state);

	/*
	 * For --state.  had_names: the names that its streams, each of one
	 * file, had in the last run; they are valid up to the end of restore.
	 * restore: load what the store has, before the first tuple.  save: put
	 * what has changed into the store; emit nothing.
	 * dump: emit everything that the state holds.
	 * NULL: the command has no --state, or no --dump.
	 */
	void (*had_names)(void *self, const struct span *names);
	void (*restore)(void *self, struct store *store);
	void (*save)(void *self, struct store *store);
	void (*dump)(void *self);
};

#endif
