/*
 * stream_names - the streams of a join as the command line names them, and
 * options that may say one thing for each stream.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_STREAM_NAMES_H
#define JOIN_STREAM_NAMES_H

#include "base/buffer.h"
#include "base/span.h"
#include "tuple/options.h"
#include "tuple/projection.h"

struct stream_names {
	struct span *names;
	struct span *quoted; /* as JSON strings */
	char **files;	     /* NULL where the operands are names alone */
	size_t n;
};

/*
 * Read the operands, NAME=FILE or NAME, at least two, all different; one
 * FILE at the most is stdin.
 *
 * Owns:   names and files point into argv.
 * Errors: NULL on success, else what is wrong, for a message.
 */
const char *stream_names_init(struct stream_names *s, char *const *argv,
    size_t n, bool with_files);
void stream_names_fini(struct stream_names *s);

/* The stream of that name; s->n where there is none. */
size_t stream_names_find(const struct stream_names *s, struct span name);

/*
 * Drop NAME and a dot from the front of *text, where there is a stream of
 * that name, the longest one.  Returns it; s->n where there is none.
 */
size_t stream_names_take(const struct stream_names *s, struct span *text);

/* Append all names, with a comma between two. */
void stream_names_put(const struct stream_names *s, struct buffer *b);

/*
 * Set the marks of the streams that list names, separated by commas.
 *
 * Errors: false at a name that is no stream's, which unknown then is.
 */
bool stream_names_mark(const struct stream_names *s, const char *list,
    bool *marks, struct span *unknown);

/* Fields for each stream. */
struct stream_fields {
	struct field_range *ranges;
};

/*
 * Add the fields of list to p: those written NAME:FIELD for that stream,
 * others for all.
 *
 * Shape:  each stream must get the same number, n where that is not 0.
 * Errors: NULL on success, else what is wrong, for a message.
 */
const char *stream_fields_add(struct stream_fields *f,
    const struct stream_names *s, struct projection *p, const char *list,
    size_t n);
void stream_fields_fini(struct stream_fields *f);

#endif
