/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/packed.h"
#include "json/text.h"
#include "state/join_state.h"

enum { WATERMARK_FORM = 1 };

/* The columns: the order, the key, and these. */
enum {
	STREAM,
	TUPLE,
	TIME,
	SINCE,
	FIRST,
	JOINED,
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
	[SPELLING] = { "_spelling", 9 },
};

/* Scan a line as it was when it came. */
bool
join_state_scan(struct join_state *s, const struct stored_value *line,
    struct tuple *t)
{
	if (line->kind != STORED_TEXT ||
	    memchr(line->bytes.p, '\n', line->bytes.n) != NULL ||
	    json_trim(line->bytes).n != line->bytes.n)
		return false;
	s->line.n = 0;
	buffer_put(&s->line, line->bytes);
	if (s->slots == NULL)
		s->slots = projection_new_slots(s->projection);
	*t = (struct tuple){ .line = json_padded(&s->line),
		.projection = s->projection,
		.slots = s->slots,
		.scratch = &s->scratch,
		.now_ms = INT64_MAX };
	return json_scan(&s->projection->root, t->line, s->slots, NULL) == 0;
}

/* The key that was read of a tuple, with the spelling it had in the join. */
static bool
take_key(struct join_state *s, const struct stored_value *columns,
    const struct stored_value *spelling)
{
	if (!stored_key_read(&s->stored, columns, s->nkeys, spelling) ||
	    !span_eq(s->key.bytes, s->stored.key.bytes))
		return false;
	s->key.spelling = span_eq(s->key.bytes, s->stored.key.spelling) ?
	    s->key.bytes :
	    s->stored.key.spelling;
	return true;
}

static bool
take_part(struct join_state *s, const struct stored_value *row)
{
	const struct stored_value *rest = row + 1 + s->nkeys;
	bool is_first = rest[FIRST].kind == STORED_NULL;
	int64_t end = (int64_t)*s->order;
	size_t stream = stream_names_find(s->names, rest[STREAM].bytes);
	struct tuple t;
	struct join_part *part;

	if (stream == s->names->n || !join_state_scan(s, &rest[TUPLE], &t) ||
	    !store_int_is(&row[0], 0, end - 1) ||
	    !store_int_is(&rest[TIME], INT64_MIN, INT64_MAX) ||
	    !store_int_is(&rest[JOINED], 0, s->join->many) ||
	    rest[SINCE].kind != (is_first ? STORED_NULL : STORED_INT) ||
	    !(is_first || store_int_is(&rest[FIRST], 0, end - 1)))
		return false;
	part = s->read(s->self, &t, stream, rest[TIME].i, &s->key);
	if (part == NULL || !take_key(s, row + 1, &rest[SPELLING]))
		return false;
	part->order = (uint64_t)row[0].i;
	part->joined = rest[JOINED].i != 0;
	return join_put_back(s->join, &s->key, part,
	    is_first ? part->time : rest[SINCE].i,
	    is_first ? part->order : (uint64_t)rest[FIRST].i);
}

static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct join_state *s = arg;

	(void)i;
	if (!take_part(s, row))
		store_table_damaged(s->table);
}

/* The watermark, then for each stream whether it was seen and how far it is. */
void
join_state_save_watermark(const struct join_state *s, struct store *store)
{
	struct buffer b = { 0 };

	pack_form(&b, WATERMARK_FORM);
	pack_int(&b, s->watermark->now);
	for (size_t i = 0; i < s->watermark->n; i++) {
		pack_int(&b, s->watermark->streams[i].seen);
		pack_int(&b, s->watermark->streams[i].max);
	}
	store_put_value(store, "watermark", buffer_span(&b));
	buffer_fini(&b);
}

void
join_state_restore_watermark(struct join_state *s, struct store *store)
{
	struct watermark *w = s->watermark;
	struct buffer b = { 0 };
	struct unpacker u;

	store_get_value(store, "watermark", &b);
	u = unpack_form(buffer_span(&b), WATERMARK_FORM);
	w->now = unpack_int(&u, INT64_MIN, INT64_MAX);
	for (size_t i = 0; i < w->n; i++) {
		bool seen = unpack_int(&u, 0, 1) != 0;
		int64_t max = unpack_int(&u, INT64_MIN, INT64_MAX);

		if (seen)
			watermark_put_back(w, i, max);
	}
	if (!unpack_done(&u))
		store_damaged(store, "watermark");
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
	s->table = store_table(store, PART_ITSELF, all, 1, n);
	free(all);
	if (!store_is_new(store)) {
		*s->order = (uint64_t)store_get_int_within(store, "order", 0,
		    PACKED_MOST);
		store_table_scan(s->table, STORE_TABLE_KEY, take_row, s);
		join_state_restore_watermark(s, store);
	}
	join_parts_note(&s->join->parts);
}

void
join_state_fini(struct join_state *s)
{
	stored_key_fini(&s->stored);
	key_fini(&s->key);
	buffer_fini(&s->line);
	buffer_fini(&s->scratch);
	free(s->slots);
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
	const struct join_change *change = &s->join->parts.changes[i];
	const struct join_part *p = change->part;
	const struct time_cache_map *waiting = &s->join->waiting;
	struct span key = time_cache_map_key(waiting, change->id);
	uint64_t first = time_cache_map_order(waiting, change->id);

	row[0] = stored_value_of_int((int64_t)p->order);
	stored_key_columns(key, s->nkeys, row + 1);
	row += 1 + s->nkeys;
	row[STREAM] = stored_value_of_text(s->names->names[p->stream]);
	row[TUPLE] = stored_value_of_text(join_part_line(p));
	row[TIME] = stored_value_of_int(p->time);
	row[SINCE] = row[FIRST] = (struct stored_value){ .kind = STORED_NULL };
	if (first != p->order && !s->join->many) {
		row[SINCE] = stored_value_of_int(time_cache_map_time(waiting,
		    change->id));
		row[FIRST] = stored_value_of_int((int64_t)first);
	}
	row[JOINED] = stored_value_of_int(p->joined);
	row[SPELLING] =
	    stored_key_spelling(key, time_cache_map_label(waiting, change->id));
}

static void
fill_gone(void *arg, size_t i, struct stored_value *row)
{
	const struct join_state *s = arg;

	row[0] = stored_value_of_int((int64_t)s->join->parts.gone[i]);
}

void
join_state_save(struct join_state *s, struct store *store)
{
	struct join_parts *w = &s->join->parts;

	/* In the order of the table; then nothing finds a part by its place. */
	if (w->nchanges != 0)
		qsort(w->changes, w->nchanges, sizeof *w->changes, by_order);
	if (w->ngone != 0)
		qsort(w->gone, w->ngone, sizeof *w->gone, by_number);
	store_table_del(s->table, w->ngone, fill_gone, s);
	store_table_put(s->table, w->nchanges, fill_row, s);
	join_parts_note(w);
	store_put_int(store, "order", (int64_t)*s->order);
	join_state_save_watermark(s, store);
}
