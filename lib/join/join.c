/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "join/join.h"

enum { BUCKETS = 64 };

_Static_assert((int)SPAN_PAD <= (int)POOL_PAD, "all can be read behind a part");

const char *const join_reason_names[JOIN_END + 1] = {
	[JOIN_TIMEOUT] = "timeout",
	[JOIN_DUPLICATE] = "duplicate",
	[JOIN_NULL_KEY] = "null-key",
	[JOIN_LATE] = "late",
	[JOIN_END] = "end",
};

/*
 * What a stream has waiting under a key, by time, then order: a ring, of one
 * part at most in a single join.
 */
struct list {
	struct join_part *last; /* NULL: there is none */
};

static struct join_part *
first_of(const struct list *l)
{
	return l->last == NULL ? NULL : l->last->next;
}

/* The part after p, or NULL. */
static struct join_part *
next_of(const struct list *l, const struct join_part *p)
{
	return p == l->last ? NULL : p->next;
}

static bool
is_more_than(int64_t later, int64_t earlier, int64_t length)
{
	int64_t limit;

	return !__builtin_add_overflow(earlier, length, &limit) &&
	    later > limit;
}

void
join_init(struct join *j, const struct join_owner *owner, size_t nstreams,
    size_t nfields, int64_t length, int64_t lateness)
{
	int64_t span;

	*j = (struct join){ .owner = *owner,
		.nstreams = nstreams,
		.nfields = nfields,
		.length = length };
	if (__builtin_add_overflow(length, lateness, &span))
		span = INT64_MAX;
	time_cache_map_init(&j->waiting, length, span, BUCKETS,
	    nstreams * sizeof(struct list));
	j->row = memory_new(nstreams, sizeof *j->row);
}

/* What waits under a key, or HASH_MAP_NONE. */
static uint32_t
find(const struct join *j, const struct key *key)
{
	return time_cache_map_get(&j->waiting, key->hint, key->bytes,
	    key->hash);
}

static struct list *
lists_of(const struct join *j, uint32_t id)
{
	return time_cache_map_value(&j->waiting, id);
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
		uintptr_t part;
		uint32_t id;

		if (key == NULL)
			continue;
		/* Without a hint any will do, as that is hard to predict. */
		id = key->hint + 1;
		id -= id != 0;
		part = (uintptr_t)lists_of(j, id)[other].last;
		for (uintptr_t at = 0; at < 3 * 64; at += 64)
			__builtin_prefetch((const void *)(part + at));
	}
}

/* Put a change into a place. */
static void
put_change(struct join *j, size_t at, struct join_change change)
{
	j->changes[at] = change;
	change.part->change = (unsigned)(at + 1) & 0x3fffffff;
}

/* Note a part that is not stored as it is. */
static void
note(struct join *j, struct join_part *p, uint32_t id)
{
	if (!j->notes || p->change != 0)
		return;
	j->changes = memory_grow(j->changes, &j->changes_cap, j->nchanges + 1,
	    sizeof *j->changes);
	put_change(j, j->nchanges++, (struct join_change){ p, id });
}

/* Note that a part waits no more. */
static void
note_gone(struct join *j, const struct join_part *p)
{
	if (p->change != 0)
		put_change(j, p->change - 1, j->changes[--j->nchanges]);
	if (p->stored) {
		j->gone = memory_grow(j->gone, &j->gone_cap, j->ngone + 1,
		    sizeof *j->gone);
		j->gone[j->ngone++] = p->order;
	}
}

static void
tell_done(const struct join *j, const struct join_part *part)
{
	if (j->owner.done != NULL)
		j->owner.done(j->owner.self, part);
}

/* How much a part takes that is kept with so many bytes of its line. */
static size_t
size_with(const struct join *j, size_t line)
{
	return sizeof(struct join_part) +
	    j->nfields * sizeof(struct join_field) + line;
}

/* Keep a copy of a part, its fields, and the line that they are in: one piece. */
static struct join_part *
keep(struct join *j, const struct join_part *part, uint32_t id)
{
	uint32_t before = part->spare.before;
	size_t n = part->line.n - before - part->spare.after;
	struct join_part *p = pool_new(&j->parts, size_with(j, n));
	struct join_field *fields = (struct join_field *)(void *)(p + 1);
	char *line = (char *)(fields + j->nfields);

	*p = *part;
	p->fields = fields;
	p->line = (struct span){ line, n };
	span_copy(line, (struct span){ part->line.p + before, n });
	for (size_t i = 0; i < j->nfields; i++) {
		fields[i] = part->fields[i];
		fields[i].at -= before;
	}
	j->nparts++;
	note(j, p, id);
	return p;
}

static void
drop(struct join *j, struct join_part *p)
{
	note_gone(j, p);
	pool_free(&j->parts, p, size_with(j, p->line.n));
	j->nparts--;
}

/* Tell the owner of a part that stayed alone. */
static void
fail_alone(struct join *j, struct span key, const struct join_part *part,
    enum join_reason reason)
{
	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = i == part->stream ? part : NULL;
	j->owner.row(j->owner.self, key, j->row, true);
	j->owner.failed(j->owner.self, part, reason);
}

/* Fail a part that has expired on arrival. */
static void
fail_expired(struct join *j, struct span key, const struct join_part *part,
    int64_t now)
{
	int64_t by;

	if (__builtin_sub_overflow(now, part->time, &by))
		by = INT64_MAX;
	if (by > j->max_late)
		j->max_late = by;
	j->nlate++;
	fail_alone(j, key, part, JOIN_LATE);
}

/* Put a part that is kept into its list. */
static void
insert(struct list *l, struct join_part *p)
{
	struct join_part *after = l->last;
	bool is_last;

	if (after == NULL) {
		l->last = p->previous = p->next = p;
		return;
	}
	is_last = after->time <= p->time;
	while (after->time > p->time) {
		after = after->previous;
		if (after == l->last) /* it goes before them all */
			break;
	}
	p->next = after->next;
	p->previous = after;
	p->next->previous = after->next = p;
	if (is_last)
		l->last = p;
}

/* The part that arrived first after another one, of a single join. */
static struct join_part *
next_to_arrive(const struct join *j, const struct list *lists,
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

static uint64_t
hash_of(const struct join *j, uint32_t id)
{
	return hash_bytes(time_cache_map_key(&j->waiting, id));
}

/* Let go of a key of a single join and of all that waits under it. */
static void
forget(struct join *j, uint32_t id, uint64_t hash)
{
	struct list *lists = lists_of(j, id);

	for (size_t i = 0; i < j->nstreams; i++)
		if (lists[i].last != NULL)
			drop(j, lists[i].last);
	time_cache_map_del(&j->waiting, id, hash);
}

/* Fail all that waits under a key of a single join. */
static void
fail_key(struct join *j, uint32_t id, enum join_reason reason)
{
	struct list *lists = lists_of(j, id);
	const struct join_part *p = NULL;

	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = lists[i].last;
	j->owner.row(j->owner.self, time_cache_map_label(&j->waiting, id),
	    j->row, true);
	while ((p = next_to_arrive(j, lists, p)) != NULL)
		j->owner.failed(j->owner.self, p, reason);
	forget(j, id, hash_of(j, id));
}

/* Write the row of a key whose last part has come, and forget the key. */
static void
complete(struct join *j, uint32_t id, const struct key *key,
    const struct join_part *part)
{
	struct list *lists = lists_of(j, id);

	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = i == part->stream ? part : lists[i].last;
	j->owner.row(j->owner.self,
	    hash_map_label_or(join_keys(j), id, key->bytes), j->row, false);
	for (size_t i = 0; i < j->nstreams; i++)
		tell_done(j, j->row[i]);
	forget(j, id, key->hash);
}

/* Let a part wait whose key does not wait yet, from a time on. */
static void
wait_alone(struct join *j, const struct key *key, const struct join_part *part,
    int64_t since, uint64_t first)
{
	uint32_t id = time_cache_map_add(&j->waiting, key->bytes, key->spelling,
	    key->hash, since, first);
	struct list *lists = lists_of(j, id);
	struct join_part *p = keep(j, part, id);

	for (size_t i = 0; i < j->nstreams; i++)
		lists[i].last = i == p->stream ? p : NULL;
	p->previous = p->next = p;
}

/* A tuple whose key waits already, for part too. */
static void
add_to_waiting(struct join *j, uint32_t id, const struct key *key,
    const struct join_part *part)
{
	struct list *lists = lists_of(j, id);
	struct list *own = &lists[part->stream];
	size_t missing = 0;

	if (own->last != NULL && !j->replace) {
		j->owner.failed(j->owner.self, part, JOIN_DUPLICATE);
		return;
	}
	if (own->last != NULL) {
		j->owner.failed(j->owner.self, own->last, JOIN_DUPLICATE);
		drop(j, own->last);
		own->last = NULL;
	}
	for (size_t i = 0; i < j->nstreams; i++)
		missing += lists[i].last == NULL;
	if (missing == 1)
		complete(j, id, key, part);
	else
		insert(own, keep(j, part, id));
}

static void
add_single(struct join *j, const struct key *key, const struct join_part *part,
    int64_t now)
{
	uint32_t id = find(j, key);
	int64_t first;

	if (id != HASH_MAP_NONE) {
		first = time_cache_map_time(&j->waiting, id);
		if (is_more_than(first, part->time, j->length)) {
			fail_alone(j, key->spelling, part, JOIN_LATE);
			return;
		}
		if (!is_more_than(part->time, first, j->length)) {
			add_to_waiting(j, id, key, part);
			return;
		}
		fail_key(j, id, JOIN_TIMEOUT);
	}
	if (is_more_than(now, part->time, j->length))
		fail_expired(j, key->spelling, part, now);
	else
		wait_alone(j, key, part, part->time, part->order);
}

/* The first part of a list from a time on. */
static struct join_part *
find_from(const struct list *l, int64_t time)
{
	struct join_part *p = l->last;

	if (p == NULL || p->time < time)
		return NULL;
	while (p->previous != l->last && p->previous->time >= time)
		p = p->previous;
	return p;
}

/* A part is in a row; one that has just come is not kept yet. */
static void
set_joined(struct join *j, struct join_part *p, bool is_new, uint32_t id)
{
	if (!is_new && !p->joined)
		note(j, p, id);
	p->joined = true;
}

/*
 * Write a row for each combination of part with what is kept of the streams
 * from `stream` on, given that the row so far lies within low..high.
 */
static void
combine(struct join *j, uint32_t id, const struct join_part *part,
    size_t stream, int64_t low, int64_t high)
{
	const struct list *l;
	struct join_part *p;
	int64_t from;

	if (stream == j->nstreams) {
		j->owner.row(j->owner.self,
		    time_cache_map_label(&j->waiting, id), j->row, false);
		for (size_t i = 0; i < j->nstreams; i++)
			set_joined(j, (struct join_part *)(uintptr_t)j->row[i],
			    i == part->stream, id);
		return;
	}
	if (stream == part->stream) {
		j->row[stream] = part;
		combine(j, id, part, stream + 1, low, high);
		return;
	}
	if (__builtin_sub_overflow(high, j->length, &from))
		from = INT64_MIN;
	l = &lists_of(j, id)[stream];
	for (p = find_from(l, from); p != NULL; p = next_of(l, p)) {
		if (is_more_than(p->time, low, j->length))
			break;
		j->row[stream] = p;
		combine(j, id, part, stream + 1, p->time < low ? p->time : low,
		    p->time > high ? p->time : high);
	}
}

static bool
is_oldest(const struct join *j, uint32_t id, const struct join_part *p)
{
	return p->time < time_cache_map_time(&j->waiting, id);
}

static void
add_many(struct join *j, const struct key *key, const struct join_part *part,
    int64_t now)
{
	uint32_t id = find(j, key);
	struct join_part own = *part;

	if (id != HASH_MAP_NONE)
		combine(j, id, &own, 0, own.time, own.time);
	if (is_more_than(now, own.time, j->length)) {
		if (own.joined)
			tell_done(j, &own);
		else
			fail_expired(j, key->spelling, &own, now);
	} else if (id == HASH_MAP_NONE) {
		wait_alone(j, key, &own, own.time, own.order);
	} else {
		insert(&lists_of(j, id)[own.stream], keep(j, &own, id));
		if (is_oldest(j, id, &own))
			time_cache_map_set_time(&j->waiting, id, own.time,
			    own.order);
	}
}

void
join_add(struct join *j, const struct key *key, const struct join_part *part,
    int64_t now)
{
	if (key->has_null)
		fail_alone(j, key->spelling, part, JOIN_NULL_KEY);
	else if (j->many)
		add_many(j, key, part, now);
	else
		add_single(j, key, part, now);
}

/* The list with the oldest part of a key of a window join. */
static struct list *
oldest_list(const struct join *j, struct list *lists)
{
	const struct join_part *first = NULL;
	struct list *oldest = NULL;

	for (size_t i = 0; i < j->nstreams; i++) {
		const struct join_part *p = first_of(&lists[i]);

		if (p != NULL &&
		    (first == NULL || p->time < first->time ||
			(p->time == first->time && p->order < first->order))) {
			oldest = &lists[i];
			first = p;
		}
	}
	return oldest;
}

/* Let go of the oldest part of a key of a window join. */
static void
drop_oldest(struct join *j, uint32_t id, enum join_reason reason)
{
	struct list *lists = lists_of(j, id);
	struct list *l = oldest_list(j, lists);
	struct join_part *p = first_of(l);

	if (p->joined)
		tell_done(j, p);
	else
		fail_alone(j, time_cache_map_label(&j->waiting, id), p, reason);
	l->last->next = p->next;
	p->next->previous = l->last;
	if (l->last == p)
		l->last = NULL;
	drop(j, p);
	if ((l = oldest_list(j, lists)) == NULL)
		time_cache_map_del(&j->waiting, id, hash_of(j, id));
	else
		time_cache_map_set_time(&j->waiting, id, first_of(l)->time,
		    first_of(l)->order);
}

void
join_let_go(struct join *j, uint32_t id, enum join_reason reason)
{
	if (j->many)
		drop_oldest(j, id, reason);
	else
		fail_key(j, id, reason);
}

void
join_finish(struct join *j)
{
	uint32_t id;

	while ((id = time_cache_map_oldest(&j->waiting)) != HASH_MAP_NONE)
		join_let_go(j, id, JOIN_END);
}

/* Tell whether a part of a single join can wait with those of its key. */
static bool
can_wait_with(const struct join *j, uint32_t id, const struct join_part *part,
    int64_t since, uint64_t first)
{
	const struct list *lists = lists_of(j, id);
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
	uint32_t id = find(j, key);

	if (key->has_null || first > part->order ||
	    (j->many && first != part->order) ||
	    is_more_than(part->time, since, j->length) ||
	    is_more_than(since, part->time, j->length))
		return false;
	if (id == HASH_MAP_NONE) {
		wait_alone(j, key, part, since, first);
		return true;
	}
	if (!j->many && !can_wait_with(j, id, part, since, first))
		return false;
	if (is_oldest(j, id, part) && j->many)
		time_cache_map_set_time(&j->waiting, id, part->time,
		    part->order);
	insert(&lists_of(j, id)[part->stream], keep(j, part, id));
	return true;
}

void
join_note(struct join *j)
{
	for (size_t i = 0; i < j->nchanges; i++) {
		j->changes[i].part->change = 0;
		j->changes[i].part->stored = true;
	}
	j->nchanges = j->ngone = 0;
	j->notes = true;
}

static void
free_lists(struct join *j, const struct list *lists)
{
	struct join_part *next;

	for (size_t i = 0; i < j->nstreams; i++)
		for (struct join_part *p = first_of(&lists[i]); p != NULL;
		     p = next) {
			next = next_of(&lists[i], p);
			pool_free(&j->parts, p, size_with(j, p->line.n));
		}
}

void
join_fini(struct join *j)
{
	for (uint32_t id = 0;
	     (id = hash_map_next(join_keys(j), id)) != HASH_MAP_NONE; id++)
		free_lists(j, lists_of(j, id));
	time_cache_map_fini(&j->waiting);
	pool_fini(&j->parts);
	free(j->row);
	free(j->changes);
	free(j->gone);
}
