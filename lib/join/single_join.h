/*
 * single_join - join one tuple of each stream to one row, then forget the key.
 *
 * A key waits from its first tuple on for one of each other stream.  At most
 * one tuple of each stream waits, so each part_list has at most one part, which
 * has no links.
 *
 * Source: SingleJoinBolt of storm-starter.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_SINGLE_JOIN_H
#define JOIN_SINGLE_JOIN_H

#include "join/join.h"

/*
 * join_add for a single join.
 *
 * Owns:   copies what it keeps.
 * Errors: none.
 */
void single_join_add(struct join *j, const struct key *key,
    const struct join_part *part, int64_t now);

/* Fail all tuples of a key, and forget it. */
void single_join_fail(struct join *j, uint32_t id, enum join_reason reason);

#endif
