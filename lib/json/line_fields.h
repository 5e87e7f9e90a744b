/*
 * line_fields - find the wanted fields of a valid line by its tokens.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_FIELDS_H
#define JSON_LINE_FIELDS_H

#include "json/index.h"
#include "json/scanner.h"

/* One of the lines whose tokens a json_index has found. */
struct indexed_line {
	const char *text;      /* where offsets count from */
	const uint16_t *at;    /* the offset of each token */
	const uint8_t *token;  /* its byte */
	const uint16_t *close; /* of what it opens, the token that closes it */
	uint32_t flags;
};

/*
 * Point the slots at the fields of a line that root wants.
 *
 * Shape:  the line is an object.
 * Owns:   the slots point into the line.
 * Errors: false if two paths want the same value, which only json_scan can
 *         handle; the slots are then undefined.
 */
bool line_fields_find(const struct indexed_line *l,
    const struct scan_node *root, struct value *slots);

#endif
