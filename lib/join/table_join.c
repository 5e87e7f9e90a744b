/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "join/table_join.h"
#include "join/waiting.h"

void
table_join_init(struct table_join *j, const struct join_owner *owner,
    size_t nstreams, size_t nfields, int64_t length)
{
	j->owner = *owner;
	j->nstreams = nstreams;
	j->length = length;
	j->parts.nfields = nfields;
	j->joined = INT64_MIN;
	j->tables = memory_new(nstreams, sizeof *j->tables);
	j->row = memory_new(nstreams, sizeof *j->row);
	j->found = memory_new(nstreams, sizeof *j->found);
	hash_map_init(&j->waiting_keys, sizeof(uint64_t));
	j->waiting_keys.fill_holes = true;
	for (size_t i = 0; i < nstreams; i++) {
		j->found[i] = join_part_new(nfields);
		j->found[i]->stream = (uint32_t)i;
		lookup_table_init(&j->tables[i], nfields);
		j->waits = j->waits || (j->is_table[i] && j->timed[i]);
		j->tables[i].expires =
		    j->is_table[i] && j->timed[i] && length != INT64_MAX;
	}
}

/* Let go of what waits at a place. */
static void
forget(struct table_join *j, uint32_t place)
{
	struct table_waiting *w = &j->waiting[place];
	uint64_t *n = hash_map_value(&j->waiting_keys, w->key);

	if (--*n == 0)
		hash_map_del_hashed(&j->waiting_keys, w->key, w->hash);
	join_parts_drop(&j->parts, w->part);
	w->part = NULL;
	span_free(w->spelling);
	j->free =
	    memory_grow(j->free, &j->free_cap, j->nfree + 1, sizeof *j->free);
	j->free[j->nfree++] = place;
}

void
table_join_fini(struct table_join *j)
{
	for (size_t i = 0; i < j->nwaiting; i++)
		if (j->waiting[i].part != NULL)
			forget(j, (uint32_t)i);
	for (size_t i = 0; i < j->nstreams; i++) {
		lookup_table_fini(&j->tables[i]);
		free(j->found[i]);
	}
	hash_map_fini(&j->waiting_keys);
	join_parts_fini(&j->parts);
	heap_fini(&j->by_time);
	free(j->tables);
	free(j->row);
	free(j->found);
	free(j->waiting);
	free(j->free);
}

/* Fail a tuple, with null for all other streams. */
static void
fail(struct table_join *j, const struct key *key, const struct join_part *part,
    enum join_reason reason)
{
	for (size_t i = 0; i < j->nstreams; i++)
		j->row[i] = i == part->stream ? part : NULL;
	j->owner.row(j->owner.self, key->spelling, j->row, true);
	j->owner.failed(j->owner.self, part, reason);
}

/*
 * The row of a table for a time, of what it has when the watermark is at now.
 *
 * Errors: NULL where it has none.
 */
static const struct lookup_row *
row_for(const struct table_join *j, size_t table, const struct key *key,
    int64_t time, int64_t now)
{
	const struct lookup_row *row;

	if (!j->timed[table])
		return lookup_table_find(&j->tables[table], key, INT64_MAX);
	row = lookup_table_find(&j->tables[table], key, time);
	if (row != NULL && j->length != INT64_MAX &&
	    waiting_is_more_than(time > now ? time : now, row->time, j->length))
		row = NULL;
	return row;
}

static void
join(struct table_join *j, const struct key *key, const struct join_part *part,
    int64_t now)
{
	bool lacks = false;

	if (key->has_null) {
		fail(j, key, part, JOIN_NULL_KEY);
		return;
	}
	if (part->time > j->joined)
		j->joined = part->time;
	for (size_t i = 0; i < j->nstreams; i++) {
		const struct lookup_row *row;

		j->row[i] = i == part->stream ? part : NULL;
		if (i == part->stream)
			continue;
		row = row_for(j, i, key, part->time, now);
		if (row != NULL) {
			lookup_table_row_part(&j->tables[i], row, j->found[i]);
			j->row[i] = j->found[i];
		}
		lacks = lacks || row == NULL;
	}
	j->owner.row(j->owner.self, key->spelling, j->row, lacks);
	if (lacks)
		j->owner.failed(j->owner.self, part, JOIN_UNMATCHED);
	else
		waiting_done(&j->owner, part);
}

/* Let a tuple wait until the watermark is past its time. */
static void
let_wait(struct table_join *j, const struct key *key,
    const struct join_part *part)
{
	struct table_waiting *w;
	uint32_t place;
	bool added;

	if (j->nfree != 0) {
		place = j->free[--j->nfree];
	} else {
		j->waiting = memory_grow(j->waiting, &j->waiting_cap,
		    j->nwaiting + 1, sizeof *j->waiting);
		place = (uint32_t)j->nwaiting++;
	}
	w = &j->waiting[place];
	*w = (struct table_waiting){
		.part = join_parts_keep(&j->parts, part, 0, 0),
		.hash = key->hash,
		.key = hash_map_put_hinted(&j->waiting_keys, key->hint,
		    key->bytes, key->bytes, key->hash, &added),
		.has_null = key->has_null,
	};
	++*(uint64_t *)hash_map_value(&j->waiting_keys, w->key);
	if (!span_eq(key->bytes, key->spelling))
		w->spelling = span_dup(key->spelling);
	heap_push(&j->by_time,
	    (struct heap_entry){ part->time, part->order, place });
}

/* Tell whether a row in effect at now, which is past time, is newer than it. */
static bool
is_late(const struct table_join *j, const struct key *key,
    const struct join_part *part, int64_t now)
{
	for (size_t i = 0; i < j->nstreams; i++) {
		const struct lookup_row *row;

		if (!j->is_table[i] || !j->timed[i])
			continue;
		row = row_for(j, i, key, now, now);
		if (row != NULL && row->time > part->time)
			return true;
	}
	return false;
}

static void
fail_late(struct table_join *j, const struct key *key,
    const struct join_part *part, int64_t now)
{
	int64_t by;

	if (__builtin_sub_overflow(now, part->time, &by))
		by = INT64_MAX;
	if (by > j->max_late)
		j->max_late = by;
	j->nlate++;
	fail(j, key, part, JOIN_LATE);
}

/* Tell whether a row of a table is older than any that is asked for. */
static bool
has_expired(const struct table_join *j, const struct join_part *row,
    int64_t now)
{
	return j->tables[row->stream].expires &&
	    waiting_is_more_than(now, row->time, j->length);
}

size_t
table_join_live(const struct table_join *j)
{
	size_t n = j->waiting_keys.live;

	for (size_t i = 0; i < j->nstreams; i++)
		n += j->tables[i].keys.live;
	return n;
}

void
table_join_add(struct table_join *j, const struct key *key,
    const struct join_part *part, int64_t now)
{
	if (j->is_table[part->stream]) {
		if (key->has_null) {
			fail(j, key, part, JOIN_NULL_KEY);
			return;
		}
		if (j->timed[part->stream] && part->time <= j->joined &&
		    part->time < now)
			behind_note(&j->behind, now, part->time);
		if (!has_expired(j, part, now)) {
			if (key_limit_refuses(j->limit, table_join_live(j),
				&j->tables[part->stream].keys, key))
				return;
			lookup_table_put(&j->tables[part->stream], key, part,
			    now);
		}
		waiting_done(&j->owner, part);
	} else if (j->waits && part->time >= now) {
		if (!key_limit_refuses(j->limit, table_join_live(j),
			&j->waiting_keys, key))
			let_wait(j, key, part);
	} else if (j->waits && !key->has_null && is_late(j, key, part, now)) {
		fail_late(j, key, part, now);
	} else {
		join(j, key, part, now);
	}
}

void
table_join_put_back(struct table_join *j, const struct key *key,
    const struct join_part *part)
{
	let_wait(j, key, part);
}

void
table_join_note(struct table_join *j)
{
	for (size_t i = 0; i < j->nstreams; i++)
		lookup_table_note(&j->tables[i]);
	join_parts_note(&j->parts);
}

/* Join what waits first. */
static void
take(struct table_join *j)
{
	uint32_t place = heap_pop(&j->by_time).id;
	const struct table_waiting *w = &j->waiting[place];
	struct key key = { .bytes = hash_map_key(&j->waiting_keys, w->key),
		.hash = w->hash,
		.hint = HASH_MAP_NONE,
		.has_null = w->has_null };

	key.spelling = w->spelling.p == NULL ? key.bytes : w->spelling;
	/* Which rows have expired is told by its own time, not by now. */
	join(j, &key, w->part, INT64_MIN);
	forget(j, place);
}

void
table_join_advance(struct table_join *j, int64_t now)
{
	int64_t oldest;

	while (heap_has_before(&j->by_time, now))
		take(j);
	if (j->length == INT64_MAX ||
	    __builtin_sub_overflow(now, j->length, &oldest))
		return;
	for (size_t i = 0; i < j->nstreams; i++)
		lookup_table_expire(&j->tables[i], oldest);
}

void
table_join_finish(struct table_join *j)
{
	while (heap_size(&j->by_time) != 0)
		take(j);
}

/* The table that the tuples of a stream are put into, or looked up in first. */
static const struct lookup_table *
first_table(const struct table_join *j, size_t stream)
{
	if (!j->is_table[stream])
		stream = stream == 0; /* all others are tables */
	return &j->tables[stream];
}

void
table_join_look_ahead(const struct table_join *j, struct join_streams *s,
    struct tuple *const *tuples, size_t n)
{
	size_t stream = tuples[0]->stream;
	const struct lookup_table *table;

	if (j->waits && !j->is_table[stream]) {
		join_streams_look_ahead(s, &j->waiting_keys, tuples, n);
		return;
	}
	table = first_table(j, stream);
	join_streams_look_ahead(s, &table->keys, tuples, n);
	lookup_table_look_ahead(table, tuples, n);
}
