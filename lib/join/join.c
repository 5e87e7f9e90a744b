/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/prefetch.h"
#include "join/join.h"
#include "join/single_join.h"
#include "join/waiting.h"
#include "join/window_join.h"

const char *const join_reason_names[JOIN_UNMATCHED + 1] = {
	[JOIN_TIMEOUT] = "timeout",
	[JOIN_DUPLICATE] = "duplicate",
	[JOIN_NULL_KEY] = "null-key",
	[JOIN_LATE] = "late",
	[JOIN_END] = "end",
	[JOIN_UNMATCHED] = "unmatched",
};

void
join_init(struct join *j, const struct join_owner *owner, size_t nstreams,
    size_t nfields, int64_t length, int64_t lateness)
{
	int64_t span;

	*j = (struct join){ .owner = *owner,
		.nstreams = nstreams,
		.parts.nfields = nfields,
		.length = length,
		.before = length,
		.after = length,
		.expired = INT64_MIN };
	if (__builtin_add_overflow(length, lateness, &span))
		span = INT64_MAX;
	time_cache_map_init(&j->waiting, length, span, TIME_CACHE_MAP_BUCKETS,
	    nstreams * sizeof(struct part_list));
	j->row = memory_new(nstreams, sizeof *j->row);
}

void
join_look_ahead(const struct join *j, size_t stream,
    struct tuple *const *tuples, size_t n)
{
	size_t other = stream == 0; /* one of them */

	if (join_keys(j)->end == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct key *key = tuples[i]->key;
		uint32_t id;

		if (key == NULL)
			continue;
		/* Without a hint any will do, as that is hard to predict. */
		id = key->hint + 1;
		id -= id != 0;
		rotating_map_prefetch(&j->waiting.buckets, id);
		prefetch(waiting_lists(j, id)[other].last, 2 * PREFETCH_LINE);
	}
}

static inline void
add(struct join *j, const struct key *key, struct join_part *part, int64_t now)
{
	if (j->many)
		window_join_add(j, key, part, now);
	else
		single_join_add(j, key, part, now);
}

/*
 * Add a part that is behind now; count it if what has expired may join it.
 * Apart, as all joins took 4 % more when join_add did this.
 */
static __attribute__((noinline)) void
add_behind(struct join *j, const struct key *key, struct join_part *part,
    int64_t now)
{
	uint64_t nlate = j->nlate;
	int64_t time = part->time, expired = j->expired;

	add(j, key, part, now);
	if (j->nlate == nlate &&
	    !waiting_is_more_than(time, expired, j->length))
		behind_note(&j->behind, now, time);
}

void
join_add(struct join *j, const struct key *key, struct join_part *part,
    int64_t now)
{
	if (key->has_null)
		waiting_fail(j, key->spelling, part, JOIN_NULL_KEY);
	else if (part->time < now)
		add_behind(j, key, part, now);
	else
		add(j, key, part, now);
}

/*
 * Fail an entry of waiting: in a single join all its tuples, in a window join
 * the one that expires first.
 */
static void
let_go(struct join *j, uint32_t id, enum join_reason reason)
{
	if (j->many)
		window_join_fail_oldest(j, id, reason);
	else
		single_join_fail(j, id, reason);
}

/*
 * Fetch into the cache the tuples of an entry that expires soon.  This saves a
 * fifth of a window join whose tuples do not fit a core's cache.
 */
static inline __attribute__((always_inline)) void
look_at_next(const struct join *j)
{
	uint32_t id =
	    time_cache_map_soon(&j->waiting, TIME_CACHE_MAP_VALUE_SOON);

	for (size_t s = 0; id != HASH_MAP_NONE && s < j->nstreams; s++)
		prefetch(waiting_lists(j, id)[s].last, 2 * PREFETCH_LINE);
}

/* Out of line, since mostly nothing expires. */
__attribute__((noinline)) void
join_fail_expired(struct join *j, uint32_t id, int64_t now)
{
	do {
		waiting_note_expired(j, time_cache_map_time(&j->waiting, id));
		look_at_next(j);
		let_go(j, id, JOIN_TIMEOUT);
		id = time_cache_map_expired(&j->waiting, now);
	} while (id != HASH_MAP_NONE);
}

void
join_finish(struct join *j)
{
	uint32_t id = 0;

	/* If the order matters all are sorted, which takes longer. */
	for (; j->any_order &&
	     (id = hash_map_next(join_keys(j), id)) != HASH_MAP_NONE;
	     id++)
		while (hash_map_is_live(join_keys(j), id))
			let_go(j, id, JOIN_END);
	while ((id = time_cache_map_oldest(&j->waiting)) != HASH_MAP_NONE) {
		look_at_next(j);
		let_go(j, id, JOIN_END);
	}
}

/* Tell whether a part of a single join can wait with those of its key. */
static bool
can_wait_with(const struct join *j, uint32_t id, const struct join_part *part,
    int64_t since, uint64_t first)
{
	const struct part_list *lists = waiting_lists(j, id);
	size_t missing = 0;

	for (size_t i = 0; i < j->nstreams; i++)
		missing += lists[i].last == NULL;
	return lists[part->stream].last == NULL && missing > 1 &&
	    time_cache_map_time(&j->waiting, id) == since &&
	    time_cache_map_order(&j->waiting, id) == first;
}

bool
join_put_back(struct join *j, const struct key *key,
    const struct join_part *part, int64_t since, uint64_t first)
{
	uint32_t id = waiting_find(j, key);

	if (key->has_null || first > part->order ||
	    (j->many && first != part->order) ||
	    waiting_is_more_than(part->time, since, j->length) ||
	    waiting_is_more_than(since, part->time, j->length))
		return false;
	if (j->many)
		window_join_put_back(j, key, part);
	else if (id == HASH_MAP_NONE)
		waiting_begin(j, key, part, since, first);
	else if (can_wait_with(j, id, part, since, first))
		waiting_add(j, id, part);
	else
		return false;
	return true;
}

/* Let go of all parts of a list, which in a single join is one at most. */
static void
drop_list(struct join *j, struct part_list *l)
{
	if (!j->many && l->last != NULL)
		join_parts_drop(&j->parts, l->last);
	while (j->many && l->last != NULL)
		join_parts_drop(&j->parts, part_list_take_first(l));
}

void
join_fini(struct join *j)
{
	for (uint32_t id = 0;
	     (id = hash_map_next(join_keys(j), id)) != HASH_MAP_NONE; id++)
		for (size_t i = 0; i < j->nstreams; i++)
			drop_list(j, &waiting_lists(j, id)[i]);
	time_cache_map_fini(&j->waiting);
	join_parts_fini(&j->parts);
	free(j->row);
}
