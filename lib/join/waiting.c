/*
 * SPDX-License-Identifier: ISC
 */
#include "join/waiting.h"

bool
waiting_is_more_than(int64_t later, int64_t earlier, int64_t length)
{
	int64_t limit;

	if (__builtin_add_overflow(earlier, length, &limit))
		/* INT64_MIN is a watermark that has not moved yet. */
		return length < 0 && later != INT64_MIN;
	return later > limit;
}

uint32_t
waiting_find(const struct join *j, const struct key *key)
{
	return time_cache_map_get(&j->waiting, key->hint, key->bytes,
	    key->hash);
}

static inline void
add_to(struct join *j, uint32_t id, struct part_list *own,
    const struct join_part *part)
{
	if (j->many)
		part_list_add(own,
		    join_parts_keep(&j->parts, part, id,
			part_list_nlinks(part->order)));
	else
		own->last = join_parts_keep(&j->parts, part, id, 0);
}

void
waiting_add(struct join *j, uint32_t id, const struct join_part *part)
{
	add_to(j, id, &waiting_lists(j, id)[part->stream], part);
}

void
waiting_begin(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first)
{
	uint32_t id = time_cache_map_add(&j->waiting, key->bytes, key->spelling,
	    key->hash, since, first);
	struct part_list *lists = waiting_lists(j, id), own = { NULL };

	add_to(j, id, &own, part);
	for (size_t i = 0; i < j->nstreams; i++)
		lists[i].last = i == part->stream ? own.last : NULL;
}

void
waiting_done(const struct join_owner *owner, const struct join_part *part)
{
	if (owner->done != NULL)
		owner->done(owner->self, part);
}

void
waiting_fail(struct join *j, struct span key, const struct join_part *part,
    enum join_reason reason)
{
	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = i == part->stream ? part : NULL;
	j->owner.row(j->owner.self, key, j->row, true);
	j->owner.failed(j->owner.self, part, reason);
}

void
waiting_fail_late(struct join *j, struct span key, const struct join_part *part,
    int64_t now)
{
	int64_t by;

	if (__builtin_sub_overflow(now, part->time, &by))
		by = INT64_MAX;
	/* One that nothing would have kept is not late. */
	if (by > 0)
		j->nlate++;
	if (by > j->max_late)
		j->max_late = by;
	waiting_fail(j, key, part, JOIN_LATE);
}
