/*
 * waiting - what joins share: keeping the tuples of a key, and telling the owner
 * of the join about them.  A table_join only takes what needs no struct join.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_WAITING_H
#define JOIN_WAITING_H

#include "join/join.h"

/* Tell whether later is more than length after earlier, without overflow. */
bool waiting_is_more_than(int64_t later, int64_t earlier, int64_t length);

/* The entry of a key in waiting, or HASH_MAP_NONE. */
uint32_t waiting_find(const struct join *j, const struct key *key);

/*
 * The array of part_lists of an entry, one for each stream.
 *
 * Owns:   valid until the next waiting_begin.
 */
static inline struct part_list *
waiting_lists(const struct join *j, uint32_t id)
{
	return time_cache_map_value(&j->waiting, id);
}

/*
 * Keep a tuple: _add to the entry of its key, _begin in a new entry with the
 * given time and order.
 *
 * Owns:   copies part, and key.
 * Errors: none.
 */
void waiting_add(struct join *j, uint32_t id, const struct join_part *part);
void waiting_begin(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first);

/* Note the time of an entry that has expired; see behind in struct join. */
static inline void
waiting_note_expired(struct join *j, int64_t time)
{
	if (time > j->expired)
		j->expired = time;
}

/* Tell the owner that a tuple that joined is no longer needed. */
void waiting_done(const struct join_owner *owner, const struct join_part *part);

/*
 * Give the owner the row of a tuple that is alone, and tell it that the tuple
 * failed.  _late: as JOIN_LATE, since it had expired when it arrived, at
 * watermark now; if now is past its time, it is counted in nlate.
 */
void waiting_fail(struct join *j, struct span key, const struct join_part *part,
    enum join_reason reason);
void waiting_fail_late(struct join *j, struct span key,
    const struct join_part *part, int64_t now);

#endif
