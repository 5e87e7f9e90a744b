/*
 * scanner - validate a line of JSON in place and find the fields that a
 * command asks for.
 *
 * A line is valid by the strict grammar of RFC 8259, if it is UTF-8 and its
 * objects and arrays are nested at most JSON_DEPTH deep; escapes of lone
 * surrogates and of NUL are allowed.  One pass, nothing allocated, nothing
 * copied: fields are spans into the line.  If a member occurs twice, the last
 * one counts.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_SCANNER_H
#define JSON_SCANNER_H

#include <stdint.h>

#include "base/fault.h"
#include "base/span.h"
#include "base/word.h"
#include "json/text.h"

enum {
	JSON_DEPTH = 1024,
	/* Bytes after a line that must be readable; the first is '\n'. */
	JSON_PAD = 16,
};

/*
 * The wanted fields, as a tree that is walked together with the line.  A node
 * is a step into an object by a member's name, into an array by an index, or
 * either.
 */
struct scan_node {
	struct span name; /* decoded; p is NULL: an index only */
	int64_t index;	  /* -1: a name only */
	int slot;	  /* where the value goes; SCAN_NO_SLOT: nowhere */
	int first, end;	  /* slots of this node and of those below */
	bool twin;	  /* a later sibling finds the same values */
	bool leaf;	  /* only a slot is to be filled */
	struct scan_node *children;
	size_t nchildren, cap;
	uint64_t lengths; /* of their names, modulo 64: a bit for each */
	/*
	 * By scan_node_place, the first child whose name has that place, or any
	 * of them if `many` is set; and the child behind this one in the same
	 * list.  A name with a byte that JSON must escape is in no list.
	 */
	const struct scan_node *named[64], *next;
	/*
	 * Set only if many names have the same place: by a hash of the name
	 * (scan_node_among), the first child; many_mask + 1 elements.
	 */
	const struct scan_node **many;
	size_t many_mask;
	/*
	 * Eight bytes of `NAME"` from word_at on, and a mask of those that
	 * exist; the last eight of a name of 8 to 16, since names often begin
	 * alike.
	 */
	size_t word_at;
	uint64_t word, mask;
};

enum { SCAN_NO_SLOT = -1 };

/*
 * The first child of node, from the at-th on, that wants this member or this
 * element.
 *
 * Shape:  key is without its quotes; escaped: it has a backslash.
 * Errors: NULL if none wants it.
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

/* Tell whether a child may want a member whose name has n bytes, no escapes. */
static inline bool
scan_node_may_want(const struct scan_node *node, size_t n)
{
	return (node->lengths >> n % 64 & 1) != 0;
}

/*
 * Where a name, with its quote behind it, is in the table of children: by its
 * first byte and its length, as many names begin alike (journald's, with _).
 */
static inline size_t
scan_node_place(struct span name)
{
	return ((unsigned char)*name.p ^ name.n) % 64;
}

/*
 * Where a name is in the table of many children.
 *
 * Shape:  node->many is not NULL.
 */
const struct scan_node **scan_node_among(const struct scan_node *node,
    struct span name);

/* Tell whether a key is the name of a child; see scan_node_named. */
static inline bool
scan_node_has_name(const struct scan_node *child, struct span key)
{
	size_t n = child->name.n, word = sizeof child->word;

	return (word_load(key.p + child->word_at) & child->mask) ==
	    child->word &&
	    (n < word || /* then the word has its quote */
		(key.n == n && word_load(key.p) == word_load(child->name.p) &&
		    (n <= 2 * word || span_eq(key, child->name))));
}

/*
 * The first child that wants the member with this key.
 *
 * Shape:  the key has no backslash and is followed by its quote; 16 bytes are
 *         readable from its first on.
 * Errors: NULL if none wants it.
 */
static inline const struct scan_node *
scan_node_named(const struct scan_node *node, struct span key)
{
	const struct scan_node *child = node->named[scan_node_place(key)];

	/* Most keys are seen here to be no child's. */
	if (child != NULL && node->many != NULL)
		child = *scan_node_among(node, key);
	while (child != NULL && !scan_node_has_name(child, key))
		child = child->next;
	return child;
}

static inline const struct scan_node *
scan_node_element(const struct scan_node *node, size_t at, int64_t index)
{
	for (size_t i = at; i < node->nchildren; i++)
		if (node->children[i].index == index)
			return &node->children[i];
	return NULL;
}

/* A value in its line. */
struct value {
	const char *p; /* a string with its quotes; NULL: no such field */
	uint32_t n;
	bool escaped; /* a string with a backslash in it */
	bool digits;  /* known to have only digits: a canonical number */
};

static inline struct span
value_raw(const struct value *v)
{
	return (struct span){ v->p, v->n };
}

/* Make a value of a text of fewer than 2^32 bytes. */
static inline struct value
value_from(struct span raw, bool escaped)
{
	return (struct value){
		.p = raw.p, .n = (uint32_t)raw.n, .escaped = escaped
	};
}

/* A buffer's contents, followed by JSON_PAD newlines. */
static inline struct span
json_padded(struct buffer *b)
{
	memset(buffer_room(b, JSON_PAD), '\n', JSON_PAD);
	return buffer_span(b);
}

/*
 * Validate line as one object and put the wanted fields into slots.
 *
 * Shape:  line has no white space at its ends and is followed by JSON_PAD
 *         readable bytes, the first of which is '\n'; slots has root->end
 *         elements.
 * Owns:   the slots point into the line.
 * Errors: -1 if the line is not a valid object; f, which may be NULL, says
 *         why, and the slots hold what had been found so far.
 * Source: RFC 8259.
 */
int json_scan(const struct scan_node *root, struct span line,
    struct value *slots, struct fault *f);

/*
 * Validate any JSON text, which may have newlines.
 *
 * Shape:  text is followed by bytes as for json_scan.
 * Errors: -1 if it is not valid; f, which may be NULL, says why.
 */
int json_validate(struct span text, struct fault *f);

#endif
