/*
 * line_fields - find the wanted fields of a valid line by its tokens.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_FIELDS_H
#define JSON_LINE_FIELDS_H

#include "json/index.h"
#include "json/scanner.h"

/* The line is indexed alone: it may have pages, and x->keys is not used. */
enum { LINE_FAR = 1 << LINE_FLAG_BITS };

/* A line of an indexed text. */
struct indexed_line {
	const struct json_index *x;
	size_t first, newline; /* its first token, and the last */
	const uint16_t *keys;  /* those of the index from this line on */
	uint32_t flags;	       /* those of the index, and LINE_FAR */
	/* Those with one white space behind them are among keys, too. */
	bool spaced;
};

/*
 * Point the slots at the fields of a line that root wants.  May advance l->keys
 * past the keys of this line.
 *
 * Shape:  the line is an object; the slots are zero.
 * Owns:   the slots point into the line.
 * Errors: false if two paths want the same value, which only json_scan can
 *         handle; the slots are then undefined.
 */
bool line_fields_find(struct indexed_line *l, const struct scan_node *root,
    struct value *slots);

/* The same, with LINE_FAR. */
bool line_fields_find_far(const struct indexed_line *l,
    const struct scan_node *root, struct value *slots);

#endif
