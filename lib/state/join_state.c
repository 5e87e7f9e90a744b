/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "state/join_state.h"

/* The columns: the order, the key, and these. */
enum {
	STREAM,
	TUPLE,
	TIME,
	SINCE,
	FIRST,
	JOINED,
	FIELDS,
	SPELLING,
	NREST,
};

static const struct span column_names[NREST] = {
	[STREAM] = { "stream", 6 },
	[TUPLE] = { "tuple", 5 },
	[TIME] = { "timeNanos", 9 },
	[SINCE] = { "_since", 6 },
	[FIRST] = { "_first", 6 },
	[JOINED] = { "_joined", 7 },
	[FIELDS] = { "_fields", 7 },
	[SPELLING] = { "_spelling", 9 },
};

/* Take what rows need of a tuple.  False: that cannot be right. */
static bool
take_fields(struct join_state *s, const struct stored_value *c,
    struct span line)
{
	size_t n = s->join->nfields;

	if (n == 0)
		return true;
	if (!s->has_fields || c->kind != STORED_BLOB ||
	    c->bytes.n != n * sizeof *s->fields)
		return false;
	memcpy(s->fields, c->bytes.p, c->bytes.n);
	for (size_t i = 0; i < n; i++)
		if (s->fields[i].at > line.n ||
		    s->fields[i].n > line.n - s->fields[i].at)
			return false;
	return true;
}

static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct join_state *s = arg;
	const struct stored_value *rest = row + 1 + s->nkeys;
	bool is_first = rest[FIRST].kind == STORED_NULL;
	struct join_part part = { .line = rest[TUPLE].bytes,
		.time = rest[TIME].i,
		.order = (uint64_t)row[0].i,
		.joined = rest[JOINED].i != 0,
		.stored = true };
	size_t stream = stream_names_find(s->names, rest[STREAM].bytes);

	(void)i;
	if (stream == s->names->n || !take_fields(s, &rest[FIELDS], part.line))
		die("--state: the row of _order %" PRId64 " is damaged",
		    row[0].i);
	part.fields = s->fields;
	part.stream = (uint32_t)stream;
	key_of_columns(&s->key, row + 1, s->nkeys, &rest[SPELLING]);
	join_put_back(s->join, &s->key, &part,
	    is_first ? part.time : rest[SINCE].i,
	    is_first ? part.order : (uint64_t)rest[FIRST].i);
}

/* The watermark, then for each stream how far it is and if it was seen. */
static void
save_watermark(const struct join_state *s, struct store *store)
{
	struct buffer b = { 0 };
	int64_t of[2] = { s->watermark->now, 0 };

	buffer_put(&b, (struct span){ (char *)of, sizeof *of });
	for (size_t i = 0; i < s->watermark->n; i++) {
		of[0] = s->watermark->streams[i].max;
		of[1] = s->watermark->streams[i].seen;
		buffer_put(&b, (struct span){ (char *)of, sizeof of });
	}
	store_put_value(store, "watermark", buffer_span(&b));
	buffer_fini(&b);
}

static void
restore_watermark(struct join_state *s, struct store *store)
{
	struct watermark *w = s->watermark;
	struct buffer b = { 0 };
	int64_t of[2];

	store_get_value(store, "watermark", &b);
	if (b.n == sizeof *of + w->n * sizeof of) {
		memcpy(&w->now, b.p, sizeof w->now);
		for (size_t i = 0; i < w->n; i++) {
			memcpy(of, b.p + sizeof *of + i * sizeof of, sizeof of);
			w->streams[i].max = of[0];
			w->streams[i].seen = of[1] != 0;
		}
	}
	buffer_fini(&b);
}

void
join_state_open(struct join_state *s, struct store *store,
    const struct span *names)
{
	size_t n = 1 + s->nkeys + NREST;
	struct span *all = memory_new(n, sizeof *all);

	all[0] = SPAN("_order");
	memcpy(all + 1, names, s->nkeys * sizeof *all);
	memcpy(all + 1 + s->nkeys, column_names, sizeof column_names);
	s->table = store_table(store, NULL, all, 1, n);
	free(all);
	s->fields = memory_new(s->join->nfields, sizeof *s->fields);
	/* A part once had a field for each item of -o. */
	s->has_fields =
	    store_get_int(store, "fields") == (int64_t)s->join->nfields;
	store_table_scan(s->table, NULL, 0, take_row, s);
	restore_watermark(s, store);
	join_note(s->join);
}

void
join_state_fini(struct join_state *s)
{
	key_fini(&s->key);
	free(s->fields);
}

static int
by_order(const void *a, const void *b)
{
	const struct join_change *x = a, *y = b;

	return (x->part->order > y->part->order) -
	    (x->part->order < y->part->order);
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	struct join_state *s = arg;
	const struct join_change *change = &s->join->changes[i];
	const struct join_part *p = change->part;
	const struct time_cache_map *waiting = &s->join->waiting;
	struct span key = time_cache_map_key(waiting, change->id);
	uint64_t first = time_cache_map_order(waiting, change->id);

	row[0] = stored_value_of_int((int64_t)p->order);
	key_columns(key, s->nkeys, row + 1);
	row += 1 + s->nkeys;
	row[STREAM] = stored_value_of_text(s->names->names[p->stream]);
	row[TUPLE] = stored_value_of_text(p->line);
	row[TIME] = stored_value_of_int(p->time);
	row[SINCE] = row[FIRST] = row[FIELDS] =
	    (struct stored_value){ .kind = STORED_NULL };
	if (first != p->order && !s->join->many) {
		row[SINCE] = stored_value_of_int(time_cache_map_time(waiting,
		    change->id));
		row[FIRST] = stored_value_of_int((int64_t)first);
	}
	row[JOINED] = stored_value_of_int(p->joined);
	if (s->join->nfields != 0)
		row[FIELDS] = stored_value_of_blob((struct span){
		    (char *)p->fields, s->join->nfields * sizeof *p->fields });
	row[SPELLING] =
	    key_spelling_column(key, time_cache_map_label(waiting, change->id));
}

static void
fill_gone(void *arg, size_t i, struct stored_value *row)
{
	const struct join_state *s = arg;

	row[0] = stored_value_of_int((int64_t)s->join->gone[i]);
}

void
join_state_save(struct join_state *s, struct store *store)
{
	struct join *j = s->join;

	/* In the order of the table; then nothing finds a part by its place. */
	if (j->nchanges != 0)
		qsort(j->changes, j->nchanges, sizeof *j->changes, by_order);
	if (j->ngone != 0)
		qsort(j->gone, j->ngone, sizeof *j->gone, by_number);
	store_table_del(s->table, j->ngone, fill_gone, s);
	store_table_put(s->table, j->nchanges, fill_row, s);
	join_note(j);
	store_put_int(store, "fields", (int64_t)j->nfields);
	save_watermark(s, store);
}
