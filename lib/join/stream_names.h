/*
 * stream_names - the names of a join's streams, and options that can have a
 * value for each stream (NAME:VALUE).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_STREAM_NAMES_H
#define JOIN_STREAM_NAMES_H

#include "base/buffer.h"
#include "base/hash_map.h"
#include "base/span.h"
#include "tuple/options.h"
#include "tuple/projection.h"

struct stream_names {
	struct span *names;
	struct span *quoted; /* as JSON strings */
	char **files;	     /* NULL: the operands have names only */
	size_t n;
	struct hash_map ids; /* the names; an id is an index */
};

/*
 * Read the operands: with_files NAME=FILE, else NAME.  There must be two or
 * more, with different names.
 *
 * Owns:   names and files point into argv.
 * Errors: NULL on success, else what is wrong, for a message.
 */
const char *stream_names_init(struct stream_names *s, char *const *argv,
    size_t n, bool with_files);
void stream_names_fini(struct stream_names *s);

/* The index of the stream of that name; s->n if there is none. */
size_t stream_names_find(const struct stream_names *s, struct span name);

/*
 * If *text begins with the name of a stream and the byte `end`, remove both from
 * it and return the stream's index; of several such names the longest counts.
 *
 * Errors: s->n if it begins with no such name; *text is unchanged.
 */
size_t stream_names_take(const struct stream_names *s, struct span *text,
    char end);

/* Append all names, separated by commas. */
void stream_names_put(const struct stream_names *s, struct buffer *b);

/*
 * Set marks[i] for each stream in list, which has names separated by commas.
 *
 * Errors: false if a name is not a stream's; *unknown is that name.
 */
bool stream_names_mark(const struct stream_names *s, const char *list,
    bool *marks, struct span *unknown);

/* The fields of an option, for each stream. */
struct stream_fields {
	struct field_range *ranges;
};

/*
 * Add the fields of list to p: NAME:FIELD for that stream, FIELD for all.
 * Streams that are marked in optional, which may be NULL, may get none.
 *
 * Shape:  n is 0 for a key: as many fields for each stream, and `?` is allowed;
 *         or n is 1: one field for each.
 * Errors: NULL on success, else what is wrong, for a message.
 */
const char *stream_fields_add(struct stream_fields *f,
    const struct stream_names *s, struct projection *p, const char *list,
    size_t n, const bool *optional);
void stream_fields_fini(struct stream_fields *f);

#endif
