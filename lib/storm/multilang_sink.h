/*
 * multilang_sink - a stream that a component emits to, by the fields that
 * the topology declares for it.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_MULTILANG_SINK_H
#define STORM_MULTILANG_SINK_H

#include "storm/multilang.h"
#include "storm/topology_context.h"
#include "storm/tuple_ids.h"
#include "storm/tuple_layout.h"

struct multilang_sink {
	struct span name;
	struct tuple_layout layout;
	bool open;   /* rows can go there */
	bool warned; /* that they fit badly */
};

/* What an emit says beside its values. */
struct multilang_origin {
	struct span id; /* of a spout's tuple; p is NULL for none */
	const struct tuple_ids *ids;
	const uint64_t *anchors; /* nanchors of ids */
	size_t nanchors;
};

/*
 * Shape:  if_unknown tells whether it is open where Storm is too old to say.
 * Owns:   name is kept, not copied.
 */
void multilang_sink_init(struct multilang_sink *s,
    const struct declared_streams *outputs, struct span name, bool if_unknown);
void multilang_sink_fini(struct multilang_sink *s);

/*
 * Append an emit of an object's members to out.  What is not to be done is
 * warned of, once.
 *
 * Shape:  object is valid and followed by a newline and JSON_PAD bytes.
 * Errors: false where the stream is not open.
 */
bool multilang_sink_put(struct multilang_sink *s, struct buffer *out,
    const struct multilang_origin *origin, struct span object);

#endif
