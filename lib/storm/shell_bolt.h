/*
 * shell_bolt - the state of a bolt that runs under Storm, and the handling of
 * one message.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SHELL_BOLT_H
#define STORM_SHELL_BOLT_H

#include "bolt/bolt.h"
#include "bolt/run.h"
#include "io/tuple_source.h"
#include "storm/multilang.h"
#include "storm/multilang_sink.h"
#include "tuple/unseen_fields.h"

/* A stream that the bolt receives. */
struct multilang_source {
	struct span component, name;
	struct tuple_layout layout;
	uint32_t stream; /* which of the bolt's streams it is */
	bool skipped;	 /* it is none of them: skip its tuples */
	bool wants_task; /* add the task's number, as a member */
};

/* Whether one of the bolt's streams holds the watermark of all. */
struct multilang_liveness {
	int64_t heard_ms; /* when its last tuple came */
	uint64_t heard;	  /* the number of that tuple */
	bool idle;	  /* it no longer holds the watermark */
};

struct shell_bolt {
	struct run run; /* first: it is what run's functions hand back */
	struct collector collector;
	const struct bolt *bolt;
	struct multilang_input in;
	struct topology_context context;
	struct multilang_source *sources;
	size_t nsources, cap;
	/* The bolt's streams, COMPONENT or COMPONENT:STREAM; none: just one. */
	char *const *operands;
	size_t noperands;
	struct multilang_liveness *streams; /* NULL: no stream is waited for */
	uint64_t heard;			    /* the number of the last tuple */
	uint64_t ntuples;		    /* that the bolt could use */
	int64_t *tasks; /* those that the bolt sends to; NULL: it does not */
	size_t ntasks;
	struct multilang_sink rows, late, expired;
	struct tuple_ids ids;
	struct tuple tuple; /* made of a tuple's values */
	struct value *slots;
	struct tuple_source block;   /* the tuples of the block in hand */
	struct unseen_fields unseen; /* told of once, as there is no end */
	struct buffer row, line, lines, scratch, copy;
	struct output side; /* the file of --late or --expired */
	struct fault fault;
	int64_t now_ms;
	int64_t complaints_ms; /* since when complaints are counted */
	uint64_t complaints;
};

/* Prepare everything, when b->context is received. */
void shell_bolt_init(struct shell_bolt *b, const struct projection *projection);
void shell_bolt_fini(struct shell_bolt *b);

/* Handle a message. */
void shell_bolt_take(struct shell_bolt *b, struct span text);

/* Report an error to Storm, at most ten a minute. */
void shell_bolt_complain(struct shell_bolt *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
