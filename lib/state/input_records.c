/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/packed.h"
#include "state/input_records.h"

/* What is kept of the records of tables besides, as one value. */
#define WHOLE "whole"
enum { WHOLE_FORM = 1 };

/* What is kept of a record, in the columns of the table. */
enum {
	ID,
	USED,
	KIND,
	STREAM,
	PATH,
	DEVICE,
	INODE,
	OFFSET,
	LINE,
	HEAD,
	TAIL,
	SIZE,
	MTIME,
	NCOLUMNS,
};

static const struct span column_names[NCOLUMNS] = {
	[ID] = { "input", 5 },
	[USED] = { "used", 4 },
	[KIND] = { "kind", 4 },
	[STREAM] = { "stream", 6 },
	[PATH] = { "path", 4 },
	[DEVICE] = { "device", 6 },
	[INODE] = { "inode", 5 },
	[OFFSET] = { "offset", 6 },
	[LINE] = { "line", 4 },
	[HEAD] = { "head", 4 },
	[TAIL] = { "tail", 4 },
	[SIZE] = { "size", 4 },
	[MTIME] = { "mtime", 5 },
};

struct input_record *
input_records_add(struct input_records *rs, struct span stream,
    struct span path)
{
	struct input_record *r = memory_new(1, sizeof *r);

	rs->records = memory_grow(rs->records, &rs->cap, rs->n + 1,
	    sizeof(struct input_record *));
	*r = (struct input_record){ .id = rs->next_id++,
		.stream = span_dup(stream),
		.path = span_dup(path) };
	return rs->records[rs->n++] = r;
}

static void
free_record(struct input_record *r)
{
	span_free(r->stream);
	span_free(r->path);
	free(r);
}

/* Take in a row, which may hold anything. */
static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct input_records *rs = arg;
	bool pipe = span_eq(row[KIND].bytes, SPAN("pipe"));
	struct input_record *r;

	(void)i;
	if (!store_int_is(&row[ID], 0, PACKED_MOST) ||
	    !store_int_is(&row[USED], 0, PACKED_MOST) ||
	    row[KIND].kind != STORED_TEXT ||
	    (!pipe && !span_eq(row[KIND].bytes, SPAN("file"))) ||
	    row[STREAM].kind != STORED_TEXT || row[PATH].kind != STORED_TEXT ||
	    row[DEVICE].kind != STORED_INT || row[INODE].kind != STORED_INT ||
	    !store_int_is(&row[OFFSET], 0, INT64_MAX) ||
	    !store_int_is(&row[LINE], 0, row[OFFSET].i) ||
	    row[HEAD].kind != STORED_INT || row[TAIL].kind != STORED_INT ||
	    !store_int_is(&row[SIZE], 0, INT64_MAX) ||
	    row[MTIME].kind != STORED_INT)
		store_table_damaged(rs->table);
	r = input_records_add(rs, row[STREAM].bytes, row[PATH].bytes);
	r->id = row[ID].i;
	r->used = row[USED].i;
	r->pipe = pipe;
	r->device = row[DEVICE].i;
	r->inode = row[INODE].i;
	r->line = row[LINE].i;
	r->content =
	    (struct content_mark){ row[OFFSET].i, row[HEAD].i, row[TAIL].i };
	r->size = row[SIZE].i;
	r->mtime_ns = row[MTIME].i;
	if (r->used >= rs->run)
		rs->run = r->used + 1;
	if (r->id >= rs->next_id)
		rs->next_id = r->id + 1;
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	const struct input_records *rs = arg;
	const struct input_record *r = rs->dirty[i];

	row[ID] = stored_value_of_int(r->id);
	row[USED] = stored_value_of_int(r->used);
	row[KIND] = stored_value_of_text(r->pipe ? SPAN("pipe") : SPAN("file"));
	row[STREAM] = stored_value_of_text(r->stream);
	row[PATH] = stored_value_of_text(r->path);
	row[DEVICE] = stored_value_of_int(r->device);
	row[INODE] = stored_value_of_int(r->inode);
	row[OFFSET] = stored_value_of_int(r->content.length);
	row[LINE] = stored_value_of_int(r->line);
	row[HEAD] = stored_value_of_int(r->content.head);
	row[TAIL] = stored_value_of_int(r->content.tail);
	row[SIZE] = stored_value_of_int(r->size);
	row[MTIME] = stored_value_of_int(r->mtime_ns);
}

/* Take in the hashes of whole files.  Older states have none. */
static void
load_whole(struct input_records *rs)
{
	struct buffer b = { 0 };
	struct unpacker u;
	size_t i = 0;

	if (!store_get_value(rs->store, WHOLE, &b))
		return;
	u = unpack_form(buffer_span(&b), WHOLE_FORM);
	while (unpack_more(&u)) {
		int64_t id = unpack_int(&u, 0, INT64_MAX);
		int64_t whole = unpack_int(&u, INT64_MIN, INT64_MAX);

		/* Both are in the order of ids. */
		while (i < rs->n && rs->records[i]->id < id)
			i++;
		if (i < rs->n && rs->records[i]->id == id)
			rs->records[i]->whole = whole;
	}
	if (!unpack_done(&u))
		store_damaged(rs->store, WHOLE);
	buffer_fini(&b);
}

static void
save_whole(const struct input_records *rs)
{
	struct buffer b = { 0 };

	pack_form(&b, WHOLE_FORM);
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->whole != 0) {
			pack_int(&b, rs->records[i]->id);
			pack_int(&b, rs->records[i]->whole);
		}
	if (b.n > 1)
		store_put_value(rs->store, WHOLE, buffer_span(&b));
	buffer_fini(&b);
}

void
input_records_open(struct input_records *rs, struct store *store)
{
	*rs = (struct input_records){ .store = store,
		.run = 1,
		.table = store_table(store, PART_INPUTS, column_names, 1,
		    NCOLUMNS) };
	store_table_scan(rs->table, STORE_TABLE_KEY, take_row, rs);
	load_whole(rs);
	rs->first_new = rs->next_id;
}

void
input_records_fini(struct input_records *rs)
{
	for (size_t i = 0; i < rs->n; i++)
		free_record(rs->records[i]);
	free(rs->records);
	free(rs->free);
	free(rs->dirty);
}

static void
add_to(struct input_record ***list, size_t *n, size_t *cap,
    struct input_record *r)
{
	*list = memory_grow(*list, cap, *n + 1, sizeof **list);
	(*list)[(*n)++] = r;
}

void
input_records_find_free(struct input_records *rs)
{
	rs->nfree = 0;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->operand == NULL)
			add_to(&rs->free, &rs->nfree, &rs->free_cap,
			    rs->records[i]);
}

void
input_records_release(struct input_records *rs, struct input_record *r)
{
	r->operand->record = NULL;
	r->operand = NULL;
	add_to(&rs->free, &rs->nfree, &rs->free_cap, r);
}

int
input_records_by_file(const void *a, const void *b)
{
	const struct input_record *x = *(struct input_record *const *)a;
	const struct input_record *y = *(struct input_record *const *)b;

	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	return x->device < y->device ? -1 : x->device > y->device;
}

int
input_records_by_name(const void *a, const void *b)
{
	const struct input_record *x = *(struct input_record *const *)a;
	const struct input_record *y = *(struct input_record *const *)b;

	return span_cmp(x->path, y->path);
}

int
input_records_by_head(const void *a, const void *b)
{
	const struct input_record *x = *(struct input_record *const *)a;
	const struct input_record *y = *(struct input_record *const *)b;

	return x->content.head < y->content.head ?
	    -1 :
	    x->content.head > y->content.head;
}

struct input_slice
input_records_alike(struct input_slice sorted, input_order_fn *order,
    const struct input_record *wanted)
{
	size_t low = 0, high = sorted.n, n = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order(&sorted.records[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + n < sorted.n &&
	    order(&sorted.records[low + n], &wanted) == 0)
		n++;
	return (struct input_slice){ sorted.records + low, n };
}

/* When it was used last; 0 where it says nothing, or can fit nothing. */
static int64_t
last_use(const struct input_record *r)
{
	bool is_placed = r->path.n != 0 || r->inode != 0;

	return r->content.length < (is_placed ? 1 : CONTENT_HEAD) ? 0 : r->used;
}

static int
by_use(const void *a, const void *b)
{
	const struct input_record *x = *(struct input_record *const *)a;
	const struct input_record *y = *(struct input_record *const *)b;
	int64_t used = last_use(x), than = last_use(y);

	if (used != than)
		return used < than ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void
fill_id(void *arg, size_t i, struct stored_value *row)
{
	const struct input_records *rs = arg;

	row[ID] = stored_value_of_int(rs->free[i]->id);
}

/* Delete those that are beyond what is kept. */
static void
delete_old(struct input_records *rs)
{
	size_t old, kept = 0;

	input_records_find_free(rs);
	if (rs->nfree <= INPUT_RECORDS_OTHERS)
		return;
	old = rs->nfree - INPUT_RECORDS_OTHERS;
	qsort(rs->free, rs->nfree, sizeof *rs->free, by_use);
	store_table_del(rs->table, old, fill_id, rs);
	for (size_t i = 0; i < old; i++)
		rs->free[i]->id = -1;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->id < 0)
			free_record(rs->records[i]);
		else
			rs->records[kept++] = rs->records[i];
	rs->n = kept;
	rs->nfree = INPUT_RECORDS_OTHERS;
	memmove(rs->free, rs->free + old, rs->nfree * sizeof *rs->free);
}

void
input_records_save(struct input_records *rs)
{
	delete_old(rs);
	rs->ndirty = 0;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->changed) {
			rs->records[i]->changed = false;
			add_to(&rs->dirty, &rs->ndirty, &rs->dirty_cap,
			    rs->records[i]);
		}
	store_table_put(rs->table, rs->ndirty, fill_row, rs);
	save_whole(rs);
}
