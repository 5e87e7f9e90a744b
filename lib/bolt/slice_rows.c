/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bolt/slice_rows.h"
#include "window/step_counts.h"

static void
save_value(void *self, const void *value, struct stored_value *columns)
{
	struct slice_rows *r = self;

	r->text.n = 0;
	step_counts_put(value, r->nsteps, &r->text);
	columns[0] = stored_value_of_text(buffer_span(&r->text));
}

static bool
fold_value(void *self, void *value, const struct stored_value *row)
{
	const struct slice_rows *r = self;
	const struct stored_value *start = &row[r->key_fields.n];

	return start->kind == STORED_INT && start->i % r->slice_ms == 0 &&
	    start[1].kind == STORED_TEXT &&
	    step_counts_add_text(value, r->nsteps, start[1].bytes);
}

static void
drop_value(void *self, void *value)
{
	(void)self;
	step_counts_fini(value);
}

static void
report(void *self, struct span spelling, const void *value)
{
	struct slice_rows *r = self;
	struct buffer *row = collector_row(r->bolt.collector);

	buffer_byte(row, '{');
	key_put(row, r->fields, r->key_fields.n + 1, spelling);
	buffer_put(row, SPAN(",\"" SLICE_ROWS_COUNTS "\":"));
	step_counts_put(value, r->nsteps, row);
	buffer_byte(row, '}');
	collector_emit(r->bolt.collector, NULL, 0);
}

static const struct persistent_type type = {
	.size = sizeof(struct step_counts),
	.ncolumns = 1,
	.save = save_value,
	.fold = fold_value,
	.drop = drop_value,
	.report = report,
};

void
slice_rows_init(struct slice_rows *r, const struct bolt_context *context)
{
	/* Padded, as the names of a projection are. */
	static const char start[sizeof "\"" SLICE_ROWS_START "\"" + SPAN_PAD] =
	    "\"" SLICE_ROWS_START "\"";
	size_t n = r->key_fields.n;

	r->bolt.map = (struct persistent_map){ .type = &type,
		.self = r,
		.nkeys = n + 1,
		.nprefix = n,
		.by_key = true };
	persistent_bolt_init(&r->bolt, context);
	r->nsteps = r->slice_ms / r->step_ms;
	r->fields = memory_new(n + 1, sizeof *r->fields);
	memcpy(r->fields, context->projection->fields + r->key_fields.first,
	    n * sizeof *r->fields);
	r->fields[n].name = (struct span){ start, strlen(start) };
}

void
slice_rows_fini(struct slice_rows *r)
{
	persistent_map_fini(&r->bolt.map);
	key_fini(&r->slice_key);
	free(r->fields);
	buffer_fini(&r->text);
}

/* Append a part to a key. */
static struct span
with_part(struct buffer *b, struct span key, int64_t part)
{
	b->n = 0;
	buffer_put(b, key);
	buffer_byte(b, (char)KEY_SEPARATOR);
	buffer_int(b, part);
	return buffer_span(b);
}

/* The key of a slice, but for its spelling. */
static struct key *
key_of_slice(struct slice_rows *r, struct span key, int64_t slice)
{
	struct key *k = &r->slice_key;

	k->bytes = with_part(&k->canonical, key, slice * r->slice_ms);
	k->hash = hash_bytes(k->bytes);
	k->hint = HASH_MAP_NONE;
	return k;
}

/* Tell whether the limit refuses the slices, of which some are new. */
static bool
is_refused(struct slice_rows *r, struct span key, int64_t slice, int64_t last)
{
	const struct hash_map *keys = persistent_map_keys(&r->bolt.map);
	uint64_t n = 0;

	if (r->limit == NULL)
		return false;
	for (; slice <= last; slice++) {
		const struct key *k = key_of_slice(r, key, slice);

		n += hash_map_get(keys, k->bytes, k->hash) == HASH_MAP_NONE;
	}
	return key_limit_refuses_new(r->limit, keys->live, n);
}

/* The row of a slice. */
static struct step_counts *
touch_slice(struct slice_rows *r, struct span key, struct span spelling,
    int64_t slice)
{
	struct key *k = key_of_slice(r, key, slice);

	k->spelling = span_eq(key, spelling) ?
	    k->bytes :
	    with_part(&k->spelled, spelling, slice * r->slice_ms);
	return persistent_map_touch(&r->bolt.map, k);
}

void
slice_rows_look_ahead(const struct slice_rows *r, struct keys_ahead *ahead,
    struct tuple *const *tuples, size_t n)
{
	keys_look_ahead(ahead, persistent_map_prefixes(&r->bolt.map), tuples, n,
	    r->key_fields.first, r->key_fields.n);
}

bool
slice_rows_add(struct slice_rows *r, const struct tuple *t,
    const struct key *key, int64_t first, int64_t last)
{
	int64_t slice = floor_div(first, r->nsteps);
	struct span spelling;

	if (is_refused(r, key->bytes, slice, floor_div(last, r->nsteps)))
		return false;
	spelling = persistent_map_spelling(&r->bolt.map, key);
	for (; slice * r->nsteps <= last; slice++) {
		int64_t start = slice * r->nsteps, end = start + r->nsteps - 1;

		step_counts_add(touch_slice(r, key->bytes, spelling, slice),
		    r->nsteps, (first > start ? first : start) - start,
		    (last < end ? last : end) - start);
	}
	persistent_bolt_took(&r->bolt, t);
	return true;
}

void
slice_rows_restore(void *self, struct store *s)
{
	struct slice_rows *r = self;
	size_t n = r->key_fields.n + 1;
	struct span *names = field_plain_names(r->fields, n, 1);

	names[n] = SPAN(SLICE_ROWS_COUNTS);
	persistent_map_restore(&r->bolt.map, s, names);
	free(names);
}
