/*
 * shell_bolt - a bolt at work under Storm: all that is alive while it
 * runs, and what becomes of one message.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SHELL_BOLT_H
#define STORM_SHELL_BOLT_H

#include "bolt/bolt.h"
#include "bolt/run.h"
#include "storm/multilang.h"
#include "storm/multilang_sink.h"

/* A stream that the bolt receives. */
struct multilang_source {
	struct span component, name;
	struct tuple_layout layout;
	uint32_t stream; /* which of the bolt's it is; or... */
	bool passed;	 /* it is none of them */
	bool wants_task; /* the number of the task is a member */
};

/* How one of the bolt's streams stands, where one watermark waits for all. */
struct multilang_liveness {
	int64_t heard_ms; /* when the last tuple came */
	uint64_t heard;	  /* its number */
	bool idle;	  /* it is not waited for any more */
};

struct shell_bolt {
	struct run run; /* first: it is what run's functions hand back */
	struct collector collector;
	const struct bolt *bolt;
	struct multilang_input in;
	struct topology_context context;
	struct multilang_source *sources;
	size_t nsources, cap;
	/* The bolt's streams, each COMPONENT or COMPONENT:STREAM; 0: one */
	char *const *operands;
	size_t noperands;
	struct multilang_liveness *streams; /* NULL: nothing waits */
	uint64_t heard;			    /* the number of the last tuple */
	struct multilang_sink rows, late, expired;
	struct tuple_ids ids;
	struct tuple tuple;
	struct value *slots;
	struct buffer row, line, scratch, copy;
	struct output side; /* a file, beside the stream */
	struct fault fault;
	int64_t now_ms;
	int64_t complaints_ms; /* since when they are counted */
	uint64_t complaints;
};

/* Make the collector and the counters work, once the context is there. */
void shell_bolt_init(struct shell_bolt *b, const struct projection *projection);
void shell_bolt_fini(struct shell_bolt *b);

/*
 * Add a source; fields is NULL where they are not known.  Which of the
 * bolt's streams it is the operands tell; one that is none is passed over.
 *
 * Errors: none; stops the program where it is two of them.
 * Owns:   copies all; the result is good until the next call.
 */
struct multilang_source *shell_bolt_add_source(struct shell_bolt *b,
    struct span component, struct span name, const struct span *fields,
    size_t n);

/* Do what a message asks for. */
void shell_bolt_take(struct shell_bolt *b, struct span text);

/* Tell Storm of something that is wrong, unless it has been told enough. */
void shell_bolt_complain(struct shell_bolt *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
