/*
 * waiting - what the two ways of joining share: the parts that wait under a
 * key, and how the owner of the join is told of one.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_WAITING_H
#define JOIN_WAITING_H

#include "join/join.h"

/* Tell whether a time is more than a length after an earlier one. */
bool waiting_is_more_than(int64_t later, int64_t earlier, int64_t length);

/* What waits under a key, or HASH_MAP_NONE. */
uint32_t waiting_find(const struct join *j, const struct key *key);

/*
 * The part_list of each stream.
 *
 * Owns:   good until the next waiting_begin.
 */
static inline struct part_list *
waiting_lists(const struct join *j, uint32_t id)
{
	return time_cache_map_value(&j->waiting, id);
}

/*
 * Let a part wait, with those of its key or, where its key does not wait yet,
 * from a time and an order on.
 *
 * Owns:   copies both.
 * Errors: none.
 */
void waiting_add(struct join *j, uint32_t id, const struct join_part *part);
void waiting_begin(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first);

/* Tell the owner of a part that it will not be asked for again. */
void waiting_done(const struct join *j, const struct join_part *part);

/*
 * Tell the owner of a part that stayed alone; of one that had expired on
 * arrival, at a time when the watermark was at now.
 */
void waiting_fail(struct join *j, struct span key, const struct join_part *part,
    enum join_reason reason);
void waiting_fail_late(struct join *j, struct span key,
    const struct join_part *part, int64_t now);

#endif
