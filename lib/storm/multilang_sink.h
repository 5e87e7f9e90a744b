/*
 * multilang_sink - emit rows to a stream, with the fields that the topology
 * declares for it, or as blocks of lines if it declares those.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_MULTILANG_SINK_H
#define STORM_MULTILANG_SINK_H

#include "storm/line_block.h"
#include "storm/topology_context.h"
#include "storm/tuple_ids.h"
#include "storm/tuple_layout.h"

struct multilang_sink {
	struct span name;
	struct tuple_layout layout;
	bool open;   /* the stream is declared */
	bool warned; /* of rows that do not fit it */
	/* Blocks to be sent, one for each of the tasks, at least one. */
	struct line_block *blocks;
	const int64_t *tasks; /* NULL: Storm decides who gets what */
	size_t ntasks;
};

/* What an emit has beside its values. */
struct multilang_origin {
	struct span id; /* of a spout's tuple; p is NULL: none */
	int64_t task;	/* whom it is sent to; 0: Storm decides */
	const struct tuple_ids *ids;
	const uint64_t *anchors; /* numbers of ids; equal ones together */
	size_t nanchors;
};

/*
 * Prepare to emit to the stream of that name.  If Storm is too old to tell
 * which streams are declared, it is open if if_unknown.
 *
 * Owns:   name is kept, not copied.
 * Errors: none.
 */
void multilang_sink_init(struct multilang_sink *s,
    const struct declared_streams *outputs, struct span name, bool if_unknown);
void multilang_sink_fini(struct multilang_sink *s);

/*
 * Have every row sent to one of n tasks, which the caller chooses.
 *
 * Shape:  n is at least 1; nothing has been put yet.
 * Owns:   tasks is kept, not copied.
 */
void multilang_sink_direct(struct multilang_sink *s, const int64_t *tasks,
    size_t n);

/*
 * Append an emit of an object, or of a block, to out.  The first row that is
 * dropped, or lacks a declared field, is warned of.
 *
 * Shape:  row is a block if the stream is one of blocks; else it is a valid
 *         object followed by a newline and JSON_PAD bytes.
 * Errors: false if the stream is not open; the row is dropped.
 */
bool multilang_sink_put(struct multilang_sink *s, struct buffer *out,
    const struct multilang_origin *origin, struct span row);

#endif
