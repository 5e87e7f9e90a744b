/*
 * single_join - one tuple of each stream is one row.
 *
 * A key waits from its first tuple on, for one of each other stream.  Of each
 * stream one part at most waits: the first of its list is the last.
 *
 * Source: SingleJoinBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_SINGLE_JOIN_H
#define JOIN_SINGLE_JOIN_H

#include "join/join.h"

/*
 * Take a part; join_add says more.
 *
 * Owns:   copies what it keeps.
 * Errors: none.
 */
void single_join_add(struct join *j, const struct key *key,
    const struct join_part *part, int64_t now);

/* Fail all that waits under a key, and forget it. */
void single_join_fail(struct join *j, uint32_t id, enum join_reason reason);

#endif
