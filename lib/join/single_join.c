/*
 * SPDX-License-Identifier: ISC
 */
#include "join/single_join.h"
#include "join/waiting.h"

/* The part that arrived next after another one; NULL: the first of all. */
static struct join_part *
next_to_arrive(const struct join *j, const struct part_list *lists,
    const struct join_part *after)
{
	struct join_part *next = NULL;

	for (size_t i = 0; i < j->nstreams; i++) {
		struct join_part *p = lists[i].last;

		if (p != NULL && (after == NULL || p->order > after->order) &&
		    (next == NULL || p->order < next->order))
			next = p;
	}
	return next;
}

/* Let go of a key and of all that waits under it. */
static void
forget(struct join *j, uint32_t id, struct part_list *lists)
{
	for (size_t i = 0; i < j->nstreams; i++)
		if (lists[i].last != NULL)
			join_parts_drop(&j->parts, lists[i].last);
	time_cache_map_del(&j->waiting, id);
}

void
single_join_fail(struct join *j, uint32_t id, enum join_reason reason)
{
	struct part_list *lists = waiting_lists(j, id);
	const struct join_part *p = NULL;

	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = lists[i].last;
	j->owner.row(j->owner.self, time_cache_map_label(&j->waiting, id),
	    j->row, true);
	while ((p = next_to_arrive(j, lists, p)) != NULL)
		j->owner.failed(j->owner.self, p, reason);
	forget(j, id, lists);
}

/* Write the row of a key whose last part has come, and forget the key. */
static void
complete(struct join *j, uint32_t id, const struct key *key,
    struct part_list *lists)
{
	j->owner.row(j->owner.self,
	    hash_map_label_or(join_keys(j), id, key->bytes), j->row, false);
	for (size_t i = 0; j->owner.done != NULL && i < j->nstreams; i++)
		waiting_done(&j->owner, j->row[i]);
	forget(j, id, lists);
}

/* A second tuple of a stream.  Tells whether it takes the first's place. */
static bool
replace(struct join *j, struct part_list *own, const struct join_part *part)
{
	j->owner.failed(j->owner.self, j->replace ? own->last : part,
	    JOIN_DUPLICATE);
	if (!j->replace)
		return false;
	join_parts_drop(&j->parts, own->last);
	own->last = NULL;
	return true;
}

/* A tuple whose key waits already, for part too. */
static void
add_to_waiting(struct join *j, uint32_t id, const struct key *key,
    const struct join_part *part)
{
	struct part_list *lists = waiting_lists(j, id);
	struct part_list *own = &lists[part->stream];
	size_t missing = 0;

	if (own->last != NULL && !replace(j, own, part))
		return;
	for (size_t i = 0; i < j->nstreams; i++) {
		j->row[i] = lists[i].last;
		missing += lists[i].last == NULL;
	}
	j->row[part->stream] = part;
	if (missing == 1)
		complete(j, id, key, lists);
	else
		waiting_add(j, id, part);
}

/* With all that it calls in line, which takes 5 % off a join. */
__attribute__((flatten)) void
single_join_add(struct join *j, const struct key *key,
    const struct join_part *part, int64_t now)
{
	uint32_t id = waiting_find(j, key);
	int64_t first;

	if (id != HASH_MAP_NONE) {
		first = time_cache_map_time(&j->waiting, id);
		if (waiting_is_more_than(first, part->time, j->length)) {
			waiting_fail(j, key->spelling, part, JOIN_LATE);
			return;
		}
		if (!waiting_is_more_than(part->time, first, j->length)) {
			add_to_waiting(j, id, key, part);
			return;
		}
		single_join_fail(j, id, JOIN_TIMEOUT);
	}
	if (waiting_is_more_than(now, part->time, j->length)) {
		waiting_note_expired(j, part->time);
		waiting_fail_late(j, key->spelling, part, now);
	} else if (!key_limit_refuses(j->limit, join_live(j), join_keys(j),
		       key)) {
		waiting_begin(j, key, part, part->time, part->order);
	}
}
