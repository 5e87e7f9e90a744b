/*
 * window_join - every combination of tuples whose times lie within LENGTH is
 * a row.
 *
 * Each part waits until it has expired.  The key waits from its oldest part
 * on, which is the first to go.
 *
 * Source: the stream-stream joins of Kafka Streams.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_WINDOW_JOIN_H
#define JOIN_WINDOW_JOIN_H

#include "join/join.h"

/*
 * Take a part; join_add says more.
 *
 * Owns:   copies what it keeps.
 * Errors: none.
 */
void window_join_add(struct join *j, const struct key *key,
    const struct join_part *part, int64_t now);

/* Let a part wait without joining anything. */
void window_join_put_back(struct join *j, const struct key *key,
    const struct join_part *part);

/* Let go of the oldest part of a key: fail it, if it was in no row. */
void window_join_fail_oldest(struct join *j, uint32_t id,
    enum join_reason reason);

#endif
