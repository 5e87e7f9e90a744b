/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/packed.h"
#include "state/table_state.h"

/* The columns of a row: stream, the key, and these. */
enum { TIME, TUPLE, NREST };

/* Those of one that waits. */
enum { ORDER, WAITING_TUPLE, WAITING_TIME, NWAITING };

static const struct span waiting_names[NWAITING] = {
	[ORDER] = { "_order", 6 },
	[WAITING_TUPLE] = { "tuple", 5 },
	[WAITING_TIME] = { "timeNanos", 9 },
};

/* Read a tuple of a stream, with its key in base.key. */
static bool
read_tuple(struct table_state *s, size_t stream,
    const struct stored_value *line, const struct stored_value *time,
    struct join_part **part)
{
	struct tuple t;

	if (!store_int_is(time, INT64_MIN, INT64_MAX) ||
	    !join_state_scan(&s->base, line, &t))
		return false;
	*part = s->base.read(s->base.self, &t, stream, time->i, &s->base.key);
	return *part != NULL;
}

static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct table_state *s = arg;
	struct join_state *base = &s->base;
	const struct stored_value *rest = row + 1 + base->nkeys;
	size_t stream = stream_names_find(base->names, row[0].bytes);
	struct join_part *part = NULL;

	(void)i;
	if (stream == base->names->n || !s->join->is_table[stream] ||
	    !read_tuple(s, stream, &rest[TUPLE], &rest[TIME], &part) ||
	    base->key.has_null ||
	    !stored_key_read_bytes(&base->stored, row + 1, base->nkeys) ||
	    !span_eq(base->key.bytes, base->stored.key.bytes))
		store_table_damaged(s->rows);
	lookup_table_put(&s->join->tables[stream], &base->key, part, INT64_MIN);
}

static void
take_waiting(void *arg, size_t i, const struct stored_value *row)
{
	struct table_state *s = arg;
	struct join_part *part = NULL;
	size_t stream = 0;

	(void)i;
	while (s->join->is_table[stream])
		stream++;
	if (!store_int_is(&row[ORDER], 0, (int64_t)*s->base.order - 1) ||
	    !read_tuple(s, stream, &row[WAITING_TUPLE], &row[WAITING_TIME],
		&part))
		store_table_damaged(s->waiting);
	part->order = (uint64_t)row[ORDER].i;
	table_join_put_back(s->join, &s->base.key, part);
}

static void
open_tables(struct table_state *s, struct store *store,
    const struct span *names)
{
	size_t nkeys = s->base.nkeys, n = 1 + nkeys + NREST;
	struct span *all = memory_new(n, sizeof *all);

	all[0] = SPAN("stream");
	memcpy(all + 1, names, nkeys * sizeof *all);
	all[1 + nkeys + TIME] = SPAN("timeNanos");
	all[1 + nkeys + TUPLE] = SPAN("tuple");
	s->rows = store_table(store, PART_ITSELF, all, 1 + nkeys + 1, n);
	free(all);
	s->waiting =
	    store_table(store, PART_WAITING, waiting_names, 1, NWAITING);
}

void
table_state_open(struct table_state *s, struct store *store,
    const struct span *names)
{
	open_tables(s, store, names);
	if (!store_is_new(store)) {
		*s->base.order = (uint64_t)store_get_int_within(store, "order",
		    0, PACKED_MOST);
		store_table_scan(s->rows, STORE_TABLE_KEY, take_row, s);
		store_table_scan(s->waiting, STORE_TABLE_KEY, take_waiting, s);
		join_state_restore_watermark(&s->base, store);
	}
	table_join_note(s->join);
}

static const struct lookup_change *
change(const struct table_state *s, size_t i, struct key *key)
{
	const struct lookup_table *t = &s->join->tables[s->stream];
	const struct lookup_change *c = &t->changes[i];

	*key = (struct key){ .bytes = { t->changed_keys.p + c->at, c->n },
		.hint = HASH_MAP_NONE };
	key->hash = hash_bytes(key->bytes);
	return c;
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	struct table_state *s = arg;
	const struct lookup_table *t = &s->join->tables[s->stream];
	size_t nkeys = s->base.nkeys;
	struct key key;
	const struct lookup_change *c = change(s, i, &key);

	row[0] = stored_value_of_text(s->base.names->names[s->stream]);
	stored_key_columns(key.bytes, nkeys, row + 1);
	row[1 + nkeys + TIME] = stored_value_of_int(c->time);
	if (c->gone)
		return;
	row[1 + nkeys + TUPLE] = stored_value_of_text(lookup_table_line(t,
	    lookup_table_find(t, &key, c->time)));
}

static void
fill_gone(void *arg, size_t i, struct stored_value *row)
{
	const struct table_state *s = arg;

	row[0] = stored_value_of_int((int64_t)s->join->parts.gone[i]);
}

static void
fill_waiting(void *arg, size_t i, struct stored_value *row)
{
	const struct table_state *s = arg;
	const struct join_part *p = s->join->parts.changes[i].part;

	row[ORDER] = stored_value_of_int((int64_t)p->order);
	row[WAITING_TUPLE] = stored_value_of_text(join_part_line(p));
	row[WAITING_TIME] = stored_value_of_int(p->time);
}

/* Delete the rows behind those that are still there. */
struct gone_rows {
	struct table_state *s;
	size_t from;
};

static void
fill_gone_row(void *arg, size_t i, struct stored_value *row)
{
	struct gone_rows *g = arg;

	fill_row(g->s, g->from + i, row);
}

void
table_state_save(struct table_state *s, struct store *store)
{
	struct join_parts *w = &s->join->parts;

	for (s->stream = 0; s->stream < s->base.names->n; s->stream++) {
		struct lookup_table *t = &s->join->tables[s->stream];
		struct gone_rows gone = { s, lookup_table_sort_changes(t) };

		store_table_del(s->rows, t->nchanges - gone.from, fill_gone_row,
		    &gone);
		store_table_put(s->rows, gone.from, fill_row, s);
	}
	store_table_del(s->waiting, w->ngone, fill_gone, s);
	store_table_put(s->waiting, w->nchanges, fill_waiting, s);
	table_join_note(s->join);
	store_put_int(store, "order", (int64_t)*s->base.order);
	join_state_save_watermark(&s->base, store);
}
