/*
 * field_path - parse the path of a field, as options have it: .user.id,
 * .["id.orig_h"], .list[0], or a JSON Pointer, /user/id.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_FIELD_PATH_H
#define TUPLE_FIELD_PATH_H

#include <stdint.h>

#include "base/span.h"

/* A step into an object by name, into an array by index, or either. */
struct field_step {
	struct span name; /* decoded; p is NULL: an index only */
	int64_t index;	  /* -1: a name only */
};

struct field_path {
	struct field_step *steps;
	size_t n, cap;
};

/*
 * Parse a path.  One that begins with neither a dot, a bracket nor a slash is
 * read as if it had a dot before it.
 *
 * Owns:   the caller frees with field_path_fini, even after an error.
 * Errors: NULL on success, else what is wrong, for a message.
 * Source: RFC 6901 for pointers; a number in one is a name or an index.
 */
const char *field_path_parse(struct field_path *path, struct span text);
void field_path_fini(struct field_path *path);

/*
 * The number of bytes of text before the first stop that is not within
 * ["..."]; text.n if there is none.
 *
 * Errors: none; an unfinished bracket goes up to the end.
 */
size_t field_path_until(struct span text, char stop);

#endif
