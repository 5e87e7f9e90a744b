/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <strings.h>

#include "base/memory.h"
#include "state/statement.h"
#include "state/store_table.h"

/*
 * While rows are put by one statement, SQLite keeps all pages that it changes,
 * as they were: a page a row if they lie far apart, and more of long ones.
 */
enum { PUT_BYTES = 1 << 20 };

struct store_table {
	struct database *db;
	struct buffer name;	/* quoted */
	struct buffer *columns; /* quoted */
	size_t nkeys, n;
	struct statement *get, *put, *del;
	struct filled_rows *filled; /* keys to get, or rows to put */
	struct stored_value *row;
};

static void
append(struct buffer *sql, const char *text)
{
	buffer_put(sql, span_of(text));
}

static void
append_quoted(struct buffer *sql, struct span name)
{
	buffer_byte(sql, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '"')
			buffer_byte(sql, '"');
		buffer_byte(sql, name.p[i]);
	}
	buffer_byte(sql, '"');
}

/* Compile what has been put together, and empty it. */
static struct statement *
prepare(struct database *db, struct buffer *sql)
{
	struct statement *st;

	buffer_byte(sql, '\0');
	st = statement_new(db, sql->p);
	sql->n = 0;
	return st;
}

static void
run(struct database *db, struct buffer *sql)
{
	buffer_byte(sql, '\0');
	database_run(db, sql->p);
	sql->n = 0;
}

/* The name quoted, with a number where one before it is the same. */
static void
name_column(struct store_table *t, size_t i, struct span name)
{
	struct buffer numbered = { 0 };

	for (int number = 1;; number++) {
		bool same = false;

		numbered.n = t->columns[i].n = 0;
		buffer_put(&numbered, name);
		if (number > 1) {
			buffer_byte(&numbered, '_');
			buffer_int(&numbered, number);
		}
		append_quoted(&t->columns[i], buffer_span(&numbered));
		for (size_t k = 0; k < i; k++)
			same = same ||
			    (t->columns[k].n == t->columns[i].n &&
				strncasecmp(t->columns[k].p, t->columns[i].p,
				    t->columns[i].n) == 0);
		if (!same)
			break;
	}
	buffer_fini(&numbered);
}

static void
append_columns(struct buffer *sql, const struct store_table *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		append(sql, i == 0 ? "" : ", ");
		buffer_put(sql, buffer_span(&t->columns[i]));
	}
}

static void
create_table(struct store_table *t, struct buffer *sql)
{
	append(sql, "CREATE TABLE IF NOT EXISTS ");
	buffer_put(sql, buffer_span(&t->name));
	append(sql, " (");
	append_columns(sql, t, t->n);
	append(sql, ", PRIMARY KEY (");
	append_columns(sql, t, t->nkeys);
	append(sql, ")) WITHOUT ROWID");
	run(t->db, sql);
}

static void
append_from(struct buffer *sql, const struct store_table *t)
{
	append(sql, " FROM ");
	buffer_put(sql, buffer_span(&t->name));
}

static void
append_select(struct buffer *sql, const struct store_table *t)
{
	append(sql, "SELECT ");
	append_columns(sql, t, t->n);
}

/* A column by its full name, since the table of the keys has columns, too. */
static void
append_column(struct buffer *sql, const struct store_table *t, size_t i)
{
	buffer_put(sql, buffer_span(&t->name));
	append(sql, ".");
	buffer_put(sql, buffer_span(&t->columns[i]));
}

/* The keys stand first: SQLite takes one after the other, and looks it up. */
static void
prepare_get(struct store_table *t, struct buffer *sql)
{
	append(sql, "SELECT ");
	for (size_t i = 0; i < t->n; i++) {
		append(sql, i == 0 ? "" : ", ");
		append_column(sql, t, i);
	}
	append(sql, " FROM ");
	append(sql, filled_rows_name(t->filled));
	append(sql, " CROSS JOIN ");
	buffer_put(sql, buffer_span(&t->name));
	for (size_t i = 0; i < t->nkeys; i++) {
		append(sql, i == 0 ? " ON " : " AND ");
		append_column(sql, t, i);
		append(sql, " = ");
		append(sql, filled_rows_name(t->filled));
		append(sql, ".c");
		buffer_int(sql, (int64_t)i);
	}
	append(sql, " LIMIT ?1");
	t->get = prepare(t->db, sql);
}

static void
prepare_put(struct store_table *t, struct buffer *sql)
{
	append(sql, "REPLACE INTO ");
	buffer_put(sql, buffer_span(&t->name));
	append(sql, " SELECT * FROM ");
	append(sql, filled_rows_name(t->filled));
	t->put = prepare(t->db, sql);
}

static void
prepare_del(struct store_table *t, struct buffer *sql)
{
	append(sql, "DELETE");
	append_from(sql, t);
	for (size_t i = 0; i < t->nkeys; i++) {
		append(sql, i == 0 ? " WHERE " : " AND ");
		buffer_put(sql, buffer_span(&t->columns[i]));
		append(sql, " = ?");
	}
	t->del = prepare(t->db, sql);
}

struct store_table *
store_table_new(struct database *db, struct span name,
    const struct span *columns, size_t nkeys, size_t n, bool create)
{
	struct store_table *t = memory_new(1, sizeof *t);
	struct buffer sql = { 0 };

	*t = (struct store_table){ .db = db, .nkeys = nkeys, .n = n };
	append_quoted(&t->name, name);
	t->columns = memory_new(n, sizeof *t->columns);
	t->row = memory_new(n, sizeof *t->row);
	for (size_t i = 0; i < n; i++)
		name_column(t, i, columns[i]);
	if (create)
		create_table(t, &sql);
	t->filled = filled_rows_new(db, n);
	prepare_get(t, &sql);
	prepare_put(t, &sql);
	prepare_del(t, &sql);
	buffer_fini(&sql);
	return t;
}

void
store_table_free(struct store_table *t)
{
	statement_free(t->get);
	statement_free(t->put);
	statement_free(t->del);
	for (size_t i = 0; i < t->n; i++)
		buffer_fini(&t->columns[i]);
	buffer_fini(&t->name);
	free(t->columns);
	free(t->row);
	free(t);
}

static void
take_row(struct store_table *t, struct statement *st, size_t i,
    store_row_fn *row, void *arg)
{
	for (size_t k = 0; k < t->n; k++)
		t->row[k] = statement_column(st, (int)k);
	row(arg, i, t->row);
}

static void
each_row(struct store_table *t, struct statement *st, store_row_fn *row,
    void *arg)
{
	for (size_t i = 0; statement_step(st); i++)
		take_row(t, st, i, row, arg);
}

void
store_table_get(struct store_table *t, size_t n, store_fill_fn *key,
    store_row_fn *found, void *arg)
{
	/* Only by a part of the key are there several rows of one; -1: all. */
	struct stored_value limit = stored_value_of_int(n == 1 ? 1 : -1);
	size_t last = SIZE_MAX;

	filled_rows_set(t->filled, 0, n, SIZE_MAX, key, arg);
	statement_bind(t->get, 1, &limit);
	while (statement_step(t->get)) {
		size_t i = filled_rows_at(t->filled);

		if (i == last)
			store_table_damaged(t);
		take_row(t, t->get, i, found, arg);
		last = i;
	}
}

void
store_table_put(struct store_table *t, size_t n, store_fill_fn *row, void *arg)
{
	for (size_t first = 0; first < n; first = filled_rows_at(t->filled)) {
		filled_rows_set(t->filled, first, n, PUT_BYTES, row, arg);
		statement_step(t->put);
	}
}

void
store_table_del(struct store_table *t, size_t n, store_fill_fn *key, void *arg)
{
	for (size_t i = 0; i < n; i++) {
		key(arg, i, t->row);
		for (size_t k = 0; k < t->nkeys; k++)
			statement_bind(t->del, (int)k + 1, &t->row[k]);
		statement_step(t->del);
	}
}

void
store_table_scan(struct store_table *t, size_t column, store_row_fn *row,
    void *arg)
{
	struct buffer sql = { 0 };
	struct statement *st;

	append_select(&sql, t);
	append_from(&sql, t);
	append(&sql, " ORDER BY ");
	if (column == STORE_TABLE_KEY)
		append_columns(&sql, t, t->nkeys);
	else
		buffer_put(&sql, buffer_span(&t->columns[column]));
	st = prepare(t->db, &sql);
	each_row(t, st, row, arg);
	statement_free(st);
	buffer_fini(&sql);
}

void
store_table_scan_above(struct store_table *t, size_t column, int64_t above,
    store_row_fn *row, void *arg)
{
	struct buffer sql = { 0 };
	struct stored_value bound = stored_value_of_int(above);
	struct statement *st;

	append_select(&sql, t);
	append_from(&sql, t);
	append(&sql, " WHERE ");
	buffer_put(&sql, buffer_span(&t->columns[column]));
	append(&sql, " > ?1 ORDER BY ");
	buffer_put(&sql, buffer_span(&t->columns[column]));
	st = prepare(t->db, &sql);
	statement_bind(st, 1, &bound);
	each_row(t, st, row, arg);
	statement_free(st);
	buffer_fini(&sql);
}

void
store_table_damaged(const struct store_table *t)
{
	database_stop(t->db, "the state is damaged: a row of the table %.*s",
	    (int)t->name.n, t->name.p);
}

void
store_table_clear(struct store_table *t)
{
	struct buffer sql = { 0 };

	append(&sql, "DELETE");
	append_from(&sql, t);
	run(t->db, &sql);
	buffer_fini(&sql);
}

void
store_table_clear_below(struct store_table *t, int64_t below)
{
	struct buffer sql = { 0 };
	struct stored_value bound = stored_value_of_int(below);
	struct statement *st;

	append(&sql, "DELETE");
	append_from(&sql, t);
	append(&sql, " WHERE ");
	buffer_put(&sql, buffer_span(&t->columns[0]));
	append(&sql, " < ?1");
	st = prepare(t->db, &sql);
	statement_bind(st, 1, &bound);
	statement_step(st);
	statement_free(st);
	buffer_fini(&sql);
}
