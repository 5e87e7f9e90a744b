/*
 * pipeline - the state of a bolt that runs in a shell pipeline, and the
 * handling of one line.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_H
#define RUN_PIPELINE_H

#include <stddef.h>

#include "base/least.h"
#include "bolt/bolt.h"
#include "bolt/live_time.h"
#include "bolt/run.h"
#include "io/bad_lines.h"
#include "io/part_files.h"
#include "io/progress.h"
#include "io/screen.h"
#include "io/tuple_source.h"
#include "io/workers.h"
#include "run/checkpoint.h"
#include "tuple/unseen_fields.h"

/* One of the inputs that are read side by side. */
struct stream {
	struct tuple_source source;
	const struct tuple *tuple; /* read and not executed yet; or NULL */
	bool ended, idle;
	bool was_silent; /* it was idle once */
	struct long_line long_line;
	int64_t dry_ms; /* since when it is waited for; 0: it is not */
};

struct pipeline {
	struct run run; /* first: a pointer to it is one to the pipeline */
	struct collector collector;
	const struct bolt *bolt;
	struct stream *streams;
	size_t nstreams, turn; /* turn: the stream to be asked next */
	/* Those that have no tuple and have not ended, in their order. */
	struct stream **lacking;
	size_t nlacking, nready; /* nready: how many have one */
	struct least times;	 /* of the tuples, if the bolt has time_of */
	size_t more_threads;	 /* to be started besides this one */
	struct scan_threads scan_threads;
	struct pollfd *fds; /* for the streams, the workers, and run_wait */
	bool advises;	    /* standard error is a terminal, and not with -q */
	struct bad_lines bad_lines;
	struct unseen_fields unseen;
	struct fault fault; /* of the line in hand */
	bool is_short;	    /* a file was damaged: something is missing */
	/* At one bad line or key too many, or an unreadable file. */
	bool gave_up;
	const struct stream *stopped; /* its last line is to be read again */
	struct screen screen;
	struct output side;
	bool dropped; /* a tuple came too late; with a side, too */
	bool told_of_late;
	struct checkpoint *checkpoint; /* NULL: no --state */
	struct workers *workers;       /* NULL: none */
	struct part_files parts;       /* n is 0: none */
	struct progress progress;
	int64_t now_ms; /* of the last look at the clock */
	int64_t next_tick_ms;
	struct live_time live;
};

/* The pipeline of a collector. */
static inline struct pipeline *
pipeline_of(struct collector *c)
{
	return (struct pipeline *)(void *)((char *)c -
	    offsetof(struct pipeline, collector));
}

/* Fill in the functions of the collector and of the counters. */
void pipeline_init(struct pipeline *p);

/*
 * Take the next lines of a stream that have been read, and go to the first.
 *
 * Errors: false if more must be read first, or the stream has ended.
 */
bool pipeline_take_lines(struct pipeline *p, struct stream *s);

/*
 * Handle the current line of a stream.  Returns true if it is a tuple for the
 * bolt; false if it was a blank line, a tick or a bad line, which is done.
 */
bool pipeline_take_line(struct pipeline *p, struct stream *s);

/* Tell whether the current line is a tuple for the bolt, without more ado. */
static inline bool
pipeline_is_plain(const struct pipeline *p, const struct tuple_source *s)
{
	return s->tuple->plain &&
	    (p->bolt->time_of == NULL || s->tuple->timed) && p->unseen.n == 0;
}

/*
 * Go to the next tuple of a stream, in the lines that have been read.
 *
 * Owns:   it is the stream's, and valid until the next call.
 * Errors: NULL if more must be read first, the stream has ended, or
 *         p->gave_up is set.
 */
static inline const struct tuple *
pipeline_next_tuple(struct pipeline *p, struct stream *s)
{
	struct tuple_source *source = &s->source;

	do {
		if (p->gave_up ||
		    (!tuple_source_next(source) && !pipeline_take_lines(p, s)))
			return NULL;
		source->tuple->id = ++p->run.counters.lines;
		source->tuple->now_ms = p->now_ms;
	} while (!pipeline_is_plain(p, source) && !pipeline_take_line(p, s));
	return source->tuple;
}

/* Report the stream's tuple as bad, with p->fault, or as one key too many. */
void pipeline_refuse(struct pipeline *p, struct stream *s);

/* Give the stream's tuple to the bolt. */
static inline void
pipeline_execute(struct pipeline *p, struct stream *s)
{
	p->fault.kind = FAULT_NONE;
	if (p->bolt->execute(p->bolt->self, s->source.tuple, &p->fault) < 0)
		pipeline_refuse(p, s);
}

/* Write all rows and lines that are still in buffers. */
void pipeline_flush(struct pipeline *p);

/* Have the bolt take a tick of time, and commit what it emits, too. */
void pipeline_tick(struct pipeline *p, const struct tick *tick);

/* Tell the bolt of a stream, and commit what it emits, too. */
void pipeline_tell_stream(struct pipeline *p, const struct stream *s,
    enum stream_state state);

/*
 * Nothing can be read: let event time go on, with --live.  A tuple that waits
 * for its turn is still to come.
 */
void pipeline_let_time_go_on(struct pipeline *p);

/* Commit the state, between two lines. */
void pipeline_commit(struct pipeline *p);

#endif
