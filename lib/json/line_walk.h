/*
 * line_walk - walk through the tokens of a line as the grammar has it, and
 * make its shape.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_WALK_H
#define JSON_LINE_WALK_H

#include "json/line_shape.h"

/* An object or array that the walk is in. */
struct line_walk_level {
	const struct scan_node *node; /* NULL: nothing in it is looked for */
	int64_t n;		      /* how many members or elements so far */
	int slot;		      /* where it goes itself */
	bool is_object;
};

struct line_walk {
	const struct indexed_line *line;
	struct line_shape *shape;
	size_t at; /* the token that is next */
	struct line_walk_level *top;
	struct line_walk_level levels[JSON_DEPTH + 1]; /* [0] is outside all */
};

/*
 * Walk through a line, looking for what root looks for, and make shape its
 * own.
 *
 * Shape:  any struct will do for the walk.
 * Owns:   line and shape are kept during the call only.
 * Errors: false where the line is not valid, or has what is left to
 *         json_scan: fields that two paths find, or too many levels.
 */
bool line_walk(struct line_walk *w, const struct scan_node *root,
    const struct indexed_line *line, struct line_shape *shape);

#endif
