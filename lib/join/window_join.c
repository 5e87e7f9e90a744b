/*
 * SPDX-License-Identifier: ISC
 */
#include "join/window_join.h"
#include "join/waiting.h"

/* What has been chosen of a row, the parts in join->row, and what has not. */
struct choice {
	struct join *join;
	uint32_t id;
	struct join_part *own; /* which the row is for */
	size_t next;	       /* the stream to choose of */
	int64_t low, high;     /* the times of the parts so far */
};

/* The times that a part may have. */
struct times {
	int64_t from, to;
};

static const struct times no_times = { INT64_MAX, INT64_MIN };

/* a + b; where that is beyond all times, the last or the first one. */
static int64_t
add_time(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/* How long after its time a part of a stream can still join what is newer. */
static int64_t
reach(const struct join *j, size_t stream)
{
	return stream == 0 ? j->after : j->before;
}

/*
 * The times that a part may have to join with all parts from low to high.  Where
 * before and after differ there are only two streams, and low and high are both
 * the time of own.
 */
static struct times
times_within(const struct choice *c, int64_t low, int64_t high)
{
	const struct join *j = c->join;
	size_t stream = c->own->stream;
	/* No length is INT64_MIN, so each has a negative. */
	int64_t older = -(stream == 0 ? j->before : j->after);
	int64_t newer = reach(j, stream), sum;

	/* They may begin after the last time, or end before the first. */
	if ((older > 0 && __builtin_add_overflow(high, older, &sum)) ||
	    (newer < 0 && __builtin_add_overflow(low, newer, &sum)))
		return no_times;
	return (struct times){ add_time(high, older), add_time(low, newer) };
}

/*
 * The time that the map is to have for a part.  There all wait for LENGTH, so a
 * part whose stream waits for less has a time that is as much earlier; where
 * that would be before all times, it waits longer.
 */
static int64_t
waits_from(const struct join *j, const struct join_part *p)
{
	return add_time(add_time(reach(j, p->stream), -j->length), p->time);
}

/*
 * The times that the next part may have so that each stream after its own still
 * has a part that joins with it and with those chosen.  Without this, many
 * parts would be combined in vain where a later stream has none for them.
 */
static struct times
times_of_next(const struct choice *c)
{
	struct times within = times_within(c, c->low, c->high);
	struct times t = within;
	const struct part_list *lists = waiting_lists(c->join, c->id);

	for (size_t i = c->next + 1; i < c->join->nstreams; i++) {
		const struct join_part *first, *last;
		struct times near;

		if (i == c->own->stream)
			continue;
		first = part_list_first_from(&lists[i], within.from);
		last = part_list_last_to(&lists[i], within.to);
		if (first == NULL || last == NULL || first->time > within.to)
			return no_times;
		near = times_within(c, last->time, first->time);
		t.from = near.from > t.from ? near.from : t.from;
		t.to = near.to < t.to ? near.to : t.to;
	}
	return t;
}

static void
write_row(const struct choice *c)
{
	struct join *j = c->join;

	j->owner.row(j->owner.self, time_cache_map_label(&j->waiting, c->id),
	    j->row, false);
	for (size_t i = 0; i < j->nstreams; i++)
		if (i != c->own->stream)
			join_parts_joined(&j->parts,
			    (struct join_part *)(uintptr_t)j->row[i], c->id);
	c->own->joined = true;
}

/* Choose a part, and all that goes with it of the streams that are left. */
static void
choose(struct choice c, struct join_part *p)
{
	const struct part_list *l;
	struct times t;

	c.join->row[p->stream] = p;
	if (p->time < c.low)
		c.low = p->time;
	if (p->time > c.high)
		c.high = p->time;
	c.next += c.next == c.own->stream;
	if (c.next == c.join->nstreams) {
		write_row(&c);
		return;
	}
	t = times_of_next(&c);
	l = &waiting_lists(c.join, c.id)[c.next++];
	for (p = part_list_first_from(l, t.from); p != NULL && p->time <= t.to;
	     p = part_list_next(l, p))
		choose(c, p);
}

/* Let a part wait with those of its key. */
static void
wait_with(struct join *j, uint32_t id, const struct join_part *part)
{
	int64_t from = waits_from(j, part);

	waiting_add(j, id, part);
	if (from < time_cache_map_time(&j->waiting, id))
		time_cache_map_set_time(&j->waiting, id, from, part->order);
}

void
window_join_put_back(struct join *j, const struct key *key,
    const struct join_part *part)
{
	uint32_t id = waiting_find(j, key);

	if (id == HASH_MAP_NONE)
		waiting_begin(j, key, part, waits_from(j, part), part->order);
	else
		wait_with(j, id, part);
}

void
window_join_add(struct join *j, const struct key *key, struct join_part *part,
    int64_t now)
{
	uint32_t id = waiting_find(j, key);

	if (id != HASH_MAP_NONE)
		choose((struct choice){ j, id, part, 0, part->time,
			   part->time },
		    part);
	if (!waiting_is_more_than(now, part->time, reach(j, part->stream))) {
		if (id != HASH_MAP_NONE)
			wait_with(j, id, part);
		else if (!key_limit_refuses(j->limit, join_live(j),
			     join_keys(j), key))
			waiting_begin(j, key, part, waits_from(j, part),
			    part->order);
		return;
	}
	waiting_note_expired(j, waits_from(j, part));
	if (part->joined)
		waiting_done(&j->owner, part);
	else
		waiting_fail_late(j, key->spelling, part, now);
}

/*
 * Tell whether part a, if there is one, expires before b.  The first of a list
 * does before all others of it, even if the map has one time for several.
 */
static bool
goes_before(const struct join *j, const struct join_part *a,
    const struct join_part *b)
{
	int64_t from;

	if (a == NULL || b == NULL)
		return a != NULL;
	from = waits_from(j, b);
	if (waits_from(j, a) != from)
		return waits_from(j, a) < from;
	return a->order < b->order;
}

void
window_join_fail_oldest(struct join *j, uint32_t id, enum join_reason reason)
{
	struct part_list *lists = waiting_lists(j, id), *own = lists;
	struct join_part *oldest = NULL, *next = NULL, *p;

	for (size_t i = 0; i < j->nstreams; i++) {
		p = part_list_first(&lists[i]);
		if (goes_before(j, p, oldest)) {
			next = oldest;
			oldest = p;
			own = &lists[i];
		} else if (goes_before(j, p, next)) {
			next = p;
		}
	}
	part_list_take_first(own);
	p = part_list_first(own);
	if (goes_before(j, p, next))
		next = p;
	if (oldest->joined)
		waiting_done(&j->owner, oldest);
	else
		waiting_fail(j, time_cache_map_label(&j->waiting, id), oldest,
		    reason);
	join_parts_drop(&j->parts, oldest);
	if (next == NULL)
		time_cache_map_del(&j->waiting, id);
	else
		time_cache_map_set_time(&j->waiting, id, waits_from(j, next),
		    next->order);
}
