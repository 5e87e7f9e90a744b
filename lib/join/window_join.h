/*
 * window_join - make a row of every combination of tuples whose times are
 * within the length.
 *
 * Each tuple waits until it expires by itself.  The entry of a key is stamped
 * by that of its tuples that expires first.
 *
 * Source: the stream-stream joins of Kafka Streams.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_WINDOW_JOIN_H
#define JOIN_WINDOW_JOIN_H

#include "join/join.h"

/*
 * join_add for a window join.
 *
 * Owns:   copies what it keeps.
 * Errors: none.
 */
void window_join_add(struct join *j, const struct key *key,
    struct join_part *part, int64_t now);

/* Put back a tuple from a state; it makes no rows. */
void window_join_put_back(struct join *j, const struct key *key,
    const struct join_part *part);

/* Drop the tuple of a key that expires first; fail it if it was in no row. */
void window_join_fail_oldest(struct join *j, uint32_t id,
    enum join_reason reason);

#endif
