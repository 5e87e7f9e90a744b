/*
 * scanner - validate a line of JSON in place and find the fields that a
 * command asks for.
 *
 * The grammar of RFC 8259 strictly, valid UTF-8, objects and arrays nested
 * at most JSON_DEPTH deep; escapes of lone surrogates and of NUL are fine.
 * One pass, nothing allocated, nothing copied: what is found is spans into
 * the line.  If a member occurs twice the last one counts.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_SCANNER_H
#define JSON_SCANNER_H

#include <stdint.h>

#include "base/fault.h"
#include "base/span.h"
#include "json/text.h"

enum {
	JSON_DEPTH = 1024,
	/* So many bytes after a line must be readable; the first is '\n'. */
	JSON_PAD = 16,
};

/*
 * What to look for: a tree that is walked beside the line.  A node is a step
 * into an object by member name, an array by index, or either.
 */
struct scan_node {
	struct span name; /* decoded; p is NULL where only index counts */
	int64_t index;	  /* -1 where only name counts */
	int slot;	  /* where the value goes; SCAN_NO_SLOT: nowhere */
	int first, end;	  /* the slots at and below this node */
	bool twin;	  /* what this finds a later sibling finds too */
	struct scan_node *children;
	size_t nchildren, cap;
};

enum { SCAN_NO_SLOT = -1 };

/*
 * The first child of node, from the at-th on, that looks for a member or an
 * element; NULL where none does.
 *
 * Shape:  key is between its quotes; escaped tells that a backslash is in it.
 */
static inline const struct scan_node *
scan_node_member(const struct scan_node *node, size_t at, struct span key,
    bool escaped)
{
	for (size_t i = at; i < node->nchildren; i++) {
		const struct scan_node *child = &node->children[i];

		if (child->name.p != NULL &&
		    (escaped ? json_decodes_to(key, child->name) :
			       span_eq(key, child->name)))
			return child;
	}
	return NULL;
}

static inline const struct scan_node *
scan_node_element(const struct scan_node *node, size_t at, int64_t index)
{
	for (size_t i = at; i < node->nchildren; i++)
		if (node->children[i].index == index)
			return &node->children[i];
	return NULL;
}

/* A value in its line; p is NULL where the field is absent. */
struct value {
	const char *p; /* n bytes, a string with its quotes */
	uint32_t n;
	bool escaped; /* a string with a backslash in it */
	bool digits;  /* known to be digits alone: a canonical number */
};

static inline struct span
value_raw(const struct value *v)
{
	return (struct span){ v->p, v->n };
}

/* The value of a text of fewer than 2^32 bytes. */
static inline struct value
value_from(struct span raw, bool escaped)
{
	return (struct value){
		.p = raw.p, .n = (uint32_t)raw.n, .escaped = escaped
	};
}

/*
 * Validate line as one object and fill the slots of the tree.
 *
 * Shape:  line has no white space at its ends and is followed by JSON_PAD
 *         readable bytes, the first of which is '\n'; slots has root->end.
 * Owns:   the slots point into the line.
 * Errors: -1 where the line is no such object; f, which may be NULL, tells
 *         why, and the slots hold whatever had been found.
 * Source: RFC 8259.
 */
int json_scan(const struct scan_node *root, struct span line,
    struct value *slots, struct fault *f);

/* The same for a document of any kind, which may have newlines within. */
int json_validate(struct span text, struct fault *f);

#endif
