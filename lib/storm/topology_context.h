/*
 * topology_context - receive the first message of Storm, with the configuration
 * of a shell component and its place in the topology, and answer it with our
 * process id.
 *
 * Source: the setup message of Storm's multilang protocol, and
 *         TopologyContext.toJSONString().
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_TOPOLOGY_CONTEXT_H
#define STORM_TOPOLOGY_CONTEXT_H

#include <jansson.h>
#include <stdint.h>

#include "base/span.h"
#include "io/output.h"
#include "storm/multilang.h"

/* The fields that a component declares for a stream. */
struct declared_stream {
	struct span component; /* who emits it */
	struct span name;
	struct span *fields;
	size_t n;
};

struct declared_streams {
	struct declared_stream *list;
	size_t n, cap;
	bool known; /* false: this version of Storm does not tell them */
};

struct topology_context {
	json_t *setup;
	json_t *components; /* the name of each by task */
	json_t *targets;    /* groupings by stream and component, or NULL */
	struct span component;
	struct span pid_dir; /* p is NULL: none */
	int64_t task;
	size_t index, ntasks; /* place among the component's tasks */
	int64_t tick_ms;      /* 0: no ticks will come */
	int64_t max_pending;  /* of a spout; 0: no limit */
	struct declared_streams sources, outputs;
};

/*
 * Read the setup message, answer, and make the empty file in pid_dir whose name
 * is our process id.  From here on warnings go into Storm's log, through
 * out, and writing to stderr, which Storm rarely reads, never blocks.
 *
 * Owns:   all spans are the context's.
 * Errors: none; stops the program if the message is not as it should be.
 */
void topology_context_receive(struct topology_context *t,
    struct multilang_input *in, struct output *out);
void topology_context_fini(struct topology_context *t);

/*
 * List the tasks, in their order, of the component of that name, or, if it is
 * NULL, of the one that takes our default stream with direct grouping.
 *
 * Owns:   the caller frees the list.
 * Errors: none; stops the program if that is not clear, or no component does.
 */
int64_t *topology_context_targets(const struct topology_context *t,
    const char *component, size_t *n);

/* The stream of that component and name, or NULL. */
const struct declared_stream *
declared_streams_find(const struct declared_streams *s, struct span component,
    struct span name);

#endif
