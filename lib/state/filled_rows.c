/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

#include "base/memory.h"
#include "state/filled_rows.h"

enum { PAGE_BYTES = 4096 };

struct filled_rows {
	sqlite3_vtab table; /* first, since this is what SQLite hands back */
	sqlite3_vtab_cursor cursor;
	char name[40];
	size_t ncolumns;
	struct stored_value *row;
	size_t first, end, at;
	size_t bytes, most; /* what these rows take, a page each at least */
	filled_rows_fn *fill;
	void *arg;
};

static struct filled_rows *
rows_of(sqlite3_vtab_cursor *cursor)
{
	return (struct filled_rows *)cursor->pVtab;
}

static int
connect_table(sqlite3 *db, void *self, int argc, const char *const *argv,
    sqlite3_vtab **table, char **error)
{
	struct filled_rows *r = self;
	struct buffer sql = { 0 };
	int code;

	(void)argc;
	(void)argv;
	(void)error;
	buffer_put(&sql, SPAN("CREATE TABLE rows("));
	for (size_t i = 0; i < r->ncolumns; i++) {
		buffer_put(&sql, i == 0 ? SPAN("c") : SPAN(", c"));
		buffer_int(&sql, (int64_t)i);
	}
	buffer_put(&sql, (struct span){ ")", 2 });
	code = sqlite3_declare_vtab(db, sql.p);
	buffer_fini(&sql);
	*table = &r->table;
	return code;
}

/* All is freed with the module. */
static int
disconnect_table(sqlite3_vtab *table)
{
	(void)table;
	return SQLITE_OK;
}

/* No row is looked for, and CROSS JOIN says which table stands first. */
static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	(void)info;
	return SQLITE_OK;
}

static int
open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	*cursor = &((struct filled_rows *)table)->cursor;
	return SQLITE_OK;
}

static int
close_cursor(sqlite3_vtab_cursor *cursor)
{
	(void)cursor;
	return SQLITE_OK;
}

static bool
is_at_end(const struct filled_rows *r)
{
	return r->at >= r->end || r->bytes >= r->most;
}

static int
fill_in(struct filled_rows *r)
{
	if (!is_at_end(r))
		r->fill(r->arg, r->at, r->row);
	return SQLITE_OK;
}

static int
first_row(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc,
    sqlite3_value **argv)
{
	(void)index;
	(void)name;
	(void)argc;
	(void)argv;
	rows_of(cursor)->at = rows_of(cursor)->first;
	rows_of(cursor)->bytes = 0;
	return fill_in(rows_of(cursor));
}

static int
next_row(sqlite3_vtab_cursor *cursor)
{
	rows_of(cursor)->at++;
	rows_of(cursor)->bytes += PAGE_BYTES;
	return fill_in(rows_of(cursor));
}

static int
ends(sqlite3_vtab_cursor *cursor)
{
	return is_at_end(rows_of(cursor));
}

static int
put_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int k)
{
	const struct stored_value *c = &rows_of(cursor)->row[k];
	const char *p = c->bytes.n == 0 ? "" : c->bytes.p;

	rows_of(cursor)->bytes += c->bytes.n;
	switch (c->kind) {
	case STORED_NULL:
		break;
	case STORED_INT:
		sqlite3_result_int64(result, c->i);
		break;
	case STORED_REAL:
		sqlite3_result_double(result, c->d);
		break;
	case STORED_TEXT:
		sqlite3_result_text64(result, p, c->bytes.n, SQLITE_STATIC,
		    SQLITE_UTF8);
		break;
	case STORED_BLOB:
		sqlite3_result_blob64(result, p, c->bytes.n, SQLITE_STATIC);
		break;
	}
	return SQLITE_OK;
}

static int
row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number)
{
	*number = (sqlite3_int64)rows_of(cursor)->at;
	return SQLITE_OK;
}

static void
destroy(void *self)
{
	struct filled_rows *r = self;

	free(r->row);
	free(r);
}

struct filled_rows *
filled_rows_new(struct database *db, size_t n)
{
	static const sqlite3_module module = {
		.xConnect = connect_table,
		.xBestIndex = best_index,
		.xDisconnect = disconnect_table,
		.xOpen = open_cursor,
		.xClose = close_cursor,
		.xFilter = first_row,
		.xNext = next_row,
		.xEof = ends,
		.xColumn = put_column,
		.xRowid = row_number,
	};
	struct filled_rows *r = memory_new(1, sizeof *r);

	/* No other has the same address. */
	snprintf(r->name, sizeof r->name, "tupletools_rows_%" PRIxPTR,
	    (uintptr_t)r);
	r->ncolumns = n;
	r->row = memory_new(n, sizeof *r->row);
	database_check_code(db,
	    sqlite3_create_module_v2(database_handle(db), r->name, &module, r,
		destroy));
	return r;
}

const char *
filled_rows_name(const struct filled_rows *r)
{
	return r->name;
}

void
filled_rows_set(struct filled_rows *r, size_t first, size_t end, size_t bytes,
    filled_rows_fn *fill, void *arg)
{
	r->first = first;
	r->end = end;
	r->most = bytes;
	r->fill = fill;
	r->arg = arg;
}

size_t
filled_rows_at(const struct filled_rows *r)
{
	return r->at;
}
