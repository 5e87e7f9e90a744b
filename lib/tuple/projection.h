/*
 * projection - the fields that a command reads from its tuples, compiled once
 * into a tree that the scanner walks together with each line.
 *
 * Each field has a slot for its value; paths with the same beginning share the
 * nodes of the tree.  A bare name such as `id.orig_h` is two paths: the member
 * of exactly that name and, if a tuple lacks that, the dotted path.  Slot 0 of
 * every projection is the member of a tick.
 *
 *	-k user.id -t .ts      root +- "__tick"    slot 0
 *	                            +- "user.id"   slot 1  (exact)
 *	                            +- "user" --- "id"  slot 2  (dotted)
 *	                            +- "ts"        slot 3
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PROJECTION_H
#define TUPLE_PROJECTION_H

#include <stdint.h>

#include "base/hash_map.h"
#include "base/span.h"
#include "json/scanner.h"

enum { PROJECTION_TICK_SLOT = 0 };

/* A field as an option names it. */
struct field {
	struct span text; /* as the option has it, for messages */
	struct span name; /* its name on output, as a JSON string; padded */
	/*
	 * For messages: the stream whose name stood before text, and its
	 * number.  Empty if none was named, p is NULL if none can be named.
	 * Borrowed.
	 */
	struct span stream;
	uint32_t stream_at;
	int slot, other;   /* other: that of the dotted path, or SCAN_NO_SLOT */
	bool of_key;	   /* of a key, so it may be optional */
	bool optional;	   /* a key has null for it if a tuple lacks it */
	bool tacit;	   /* no message if no tuple has it */
	bool only_if_like; /* warn only if a similar member exists */
};

/*
 * The names of n fields without their quotes, for columns of a table.  The
 * array has room for `more` further names.
 *
 * Owns:   the caller frees the result; the names themselves are the fields'.
 * Errors: none.
 */
struct span *field_plain_names(const struct field *fields, size_t n,
    size_t more);

struct projection {
	struct scan_node root;
	struct hash_map places; /* of nodes among their siblings, by steps */
	int nslots;
	struct field *fields;
	size_t nfields, cap;
	/* For messages: with split, this field names the stream of a tuple. */
	bool split;
	size_t split_field;
};

void projection_init(struct projection *p);
void projection_fini(struct projection *p);

/*
 * Add the fields in text, which is a list as in tuple(5): paths separated by
 * commas, each with `NAME=` before it if it has another name on output.  In the
 * list of a key, a `?` after a path makes the field optional.  _path: of one
 * path without a name; _key_path: of one that is a key.
 *
 * Shape:  *first and *n become the numbers in p->fields of those added.
 * Owns:   copies text.
 * Errors: NULL on success, else what is wrong with text, for a message.
 */
const char *projection_add(struct projection *p, const char *text,
    size_t *first, size_t *n);
const char *projection_add_key(struct projection *p, const char *text,
    size_t *first, size_t *n);
const char *projection_add_path(struct projection *p, const char *text,
    size_t *first, size_t *n);
const char *projection_add_key_path(struct projection *p, const char *text,
    size_t *first, size_t *n);
/*
 * The same for one path, as it stands: it has no name, and is no list.
 *
 * Shape:  *field becomes its number.
 */
const char *projection_add_one(struct projection *p, struct span text,
    size_t *field);

/*
 * Give every field its slot.  Call this once, after the last field was added
 * and before the first scan.
 */
void projection_compile(struct projection *p);

/*
 * Allocate slots for the values of a tuple.
 *
 * Shape:  p is compiled.
 * Owns:   the caller frees the result with free(3).
 * Errors: none; stops the program when memory runs out.
 */
struct value *projection_new_slots(const struct projection *p);

#endif
