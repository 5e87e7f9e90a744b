/*
 * field_path - the ways to name a field: .user.id, .["id.orig_h"], .list[0],
 * and JSON Pointer, /user/id.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_FIELD_PATH_H
#define TUPLE_FIELD_PATH_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"

/* One step: into an object by name, into an array by index, or either. */
struct field_step {
	struct span name; /* decoded; p is NULL where only the index counts */
	int64_t index;	  /* -1 where only the name counts */
};

struct field_path {
	struct field_step *steps;
	size_t n, cap;
};

/*
 * Take text apart, a path that starts with a dot, a bracket or a slash, or
 * the dotted reading of a bare name.
 *
 * Owns:   the caller frees with field_path_fini.
 * Errors: NULL on success, else what is wrong, for a message; fini is then
 *         still due.
 * Source: RFC 6901 for pointers, whose numbers may be names or indexes.
 */
const char *field_path_parse(struct field_path *path, struct span text);
void field_path_fini(struct field_path *path);

/*
 * The bytes of text up to the first stop that is not inside ["..."], or all.
 *
 * Errors: none; an unfinished bracket runs to the end.
 */
size_t field_path_until(struct span text, char stop);

#endif
