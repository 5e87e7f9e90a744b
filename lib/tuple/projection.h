/*
 * projection - the fields that a command reads from its tuples, compiled
 * once into a tree that the scanner walks beside each line.
 *
 * Each field path ends in a slot of the tree; paths that share a beginning
 * share its nodes.  A bare name like `id.orig_h` is two paths: the member
 * of that very name, and the dotted path, which counts where the first is
 * absent.  Every projection also looks for the tick member (slot 0).
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

#include "base/span.h"
#include "json/scanner.h"

enum { PROJECTION_TICK_SLOT = 0 };

/* A field as an option names it. */
struct field {
	struct span text; /* the option's spelling, for messages */
	struct span name; /* the JSON string that names it on output, quoted */
	int slot, other;  /* other: the dotted reading, or NO_SLOT */
	bool optional;	  /* a tuple may lack it, which is a null in its key */
	bool tacit;	  /* nobody minds if no tuple has it */
};

/*
 * The names of n fields without their quotes, for columns of a table, with
 * room for so many more.
 *
 * Owns:   the result is the caller's to free; the names are the fields'.
 */
struct span *field_plain_names(const struct field *fields, size_t n,
    size_t more);

struct projection {
	struct scan_node root;
	int nslots;
	struct field *fields;
	size_t nfields, cap;
};

void projection_init(struct projection *p);
void projection_fini(struct projection *p);

/*
 * Add the fields that text lists (see field paths in tuple(5)): paths
 * separated by commas, each with `NAME=` before it if it is to have another
 * name on output.  Those of a key may have a `?` after them: a tuple may lack
 * the field then.
 *
 * Shape:  *first and *n tell which of p->fields they became.
 * Owns:   copies all.
 * Errors: NULL on success, else what is wrong with text, for a message.
 */
const char *projection_add(struct projection *p, const char *text,
    size_t *first, size_t *n);
const char *projection_add_key(struct projection *p, const char *text,
    size_t *first, size_t *n);

/*
 * Finish: give every slot its number.  Call once, after the last _add and
 * before the first scan.
 */
void projection_compile(struct projection *p);

/*
 * Make slots for the values of a tuple.
 *
 * Shape:  p is compiled.
 * Owns:   the result is the caller's to free.
 */
struct value *projection_new_slots(const struct projection *p);

#endif
