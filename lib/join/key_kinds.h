/*
 * key_kinds - see why nothing joins: the keys of one stream are numbers, and
 * those of another strings.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_KEY_KINDS_H
#define JOIN_KEY_KINDS_H

#include "join/join.h"
#include "join/stream_names.h"

struct key_kinds {
	/* A stream whose keys are all numbers, plus 1, or 0; one of strings. */
	size_t numbers, strings;
};

/*
 * Look at the first part of some keys that wait.
 *
 * Errors: none.
 */
void key_kinds_look(struct key_kinds *k, const struct join *j);

/* Append what was seen, if the kinds differ. */
void key_kinds_hint(const struct key_kinds *k, const struct stream_names *names,
    struct buffer *text);

#endif
