/*
 * known_names - the names that an input has, to suggest one of them for a name
 * that was not found.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_KNOWN_NAMES_H
#define BASE_KNOWN_NAMES_H

#include "base/hash_map.h"

enum { KNOWN_NAMES_MOST = 1000, KNOWN_NAMES_LONGEST = 64 };

struct known_names {
	struct hash_map names;
};

void known_names_init(struct known_names *k);
void known_names_fini(struct known_names *k);

/*
 * Remember a name, within the limits above, and how an option must write it.
 *
 * Owns:   copies both.
 * Errors: none.
 */
void known_names_add(struct known_names *k, struct span name,
    struct span written);

bool known_names_has(const struct known_names *k, struct span name);

/*
 * How a known name is written.
 *
 * Owns:   valid until another name is added.
 */
struct span known_names_written(const struct known_names *k, struct span name);

/*
 * Find the known name that is most like a name: the one that needs the fewest
 * changes, each a byte inserted, deleted, replaced or swapped with its
 * neighbour.  Case does not matter.  The part behind a known name's last dot
 * may stand for it, as one change more.  There may be one change, or a third of
 * name's bytes if that is more, but some byte must stay.  Of equally similar
 * names the first that came is taken, always as a whole.
 *
 * Owns:   valid until the next name is added.
 * Errors: p is NULL if no name is similar enough.
 * Source: the optimal string alignment distance.
 */
struct span known_names_like(const struct known_names *k, struct span name);

/* Append `; did you mean 'LIKE'?`. */
void known_names_suggest(struct buffer *text, struct span like);

/* Append `; they have 'A', 'B', ...` with the first names, if there are any. */
void known_names_list(const struct known_names *k, struct buffer *text);

/*
 * Append `; did you mean 'X'?`, where X is what known_names_like finds.
 *
 * Errors: false if there is none; nothing is appended then.
 */
bool known_names_ask(const struct known_names *k, struct span name,
    struct buffer *text);

#endif
