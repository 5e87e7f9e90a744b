/*
 * line_walk - parse the tokens of a line by the grammar, and record its shape.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_WALK_H
#define JSON_LINE_WALK_H

#include "json/line_shape.h"

/* An object or array that the walk is in. */
struct line_walk_level {
	const struct scan_node *node; /* NULL: it has no wanted fields */
	int64_t n;		      /* how many members or elements so far */
	int slot;		      /* where the whole value goes */
	bool is_object;
};

struct line_walk {
	const struct indexed_line *line;
	struct line_shape *shape;
	size_t at; /* the next token */
	struct line_walk_level *top;
	struct line_walk_level levels[JSON_DEPTH + 1]; /* [0]: outside */
};

/*
 * Parse a line, look for the fields that root wants, and record its shape.
 *
 * Shape:  w need not be initialized; its memory is only lent.
 * Owns:   line and shape are used during the call only.
 * Errors: false if the line is not valid, or is one that only json_scan can
 *         handle: two paths want the same value, or it is nested too deep.
 */
bool line_walk(struct line_walk *w, const struct scan_node *root,
    const struct indexed_line *line, struct line_shape *shape);

#endif
