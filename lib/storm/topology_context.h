/*
 * topology_context - what Storm tells a shell component before all else: its
 * part of the configuration, and its place in the topology.
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
	bool known; /* old versions of Storm do not tell */
};

struct topology_context {
	json_t *setup;
	struct span component;
	struct span pid_dir; /* p is NULL for none */
	int64_t task;
	size_t index, ntasks; /* among the tasks of the component, by number */
	int64_t tick_ms;      /* 0: no ticks will come */
	int64_t max_pending;  /* of a spout; 0: no limit */
	struct declared_streams sources, outputs;
};

/*
 * Read the setup message.
 *
 * Owns:   all spans are the context's.
 * Errors: -1 where it is no such message; wrong, a string, tells why.
 *         _fini is then still due.
 */
int topology_context_init(struct topology_context *t, struct span setup,
    char *wrong, size_t size);
void topology_context_fini(struct topology_context *t);

/* The stream, or NULL. */
const struct declared_stream *
declared_streams_find(const struct declared_streams *s, struct span component,
    struct span name);

#endif
