/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <strings.h>

#include "base/memory.h"
#include "state/store_table.h"

/*
 * Rows that are put at once, in half the time that they would take one by one if
 * they are new, and two thirds if not.  SQLite allows 32766 parameters, enough
 * for this many rows of 2000 columns, which is the most that it allows.
 */
enum { ROWS = 16 };

struct store_table {
	struct database *db;
	struct buffer name;	/* quoted */
	struct buffer *columns; /* quoted */
	size_t nkeys, n;
	struct statement *get, *put, *del;
	struct statement *put_rows; /* made when it is needed first */
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
	st = database_prepare(db, sql->p);
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
append_columns(struct buffer *sql, const struct store_table *t, size_t n,
    const char *after, const char *between)
{
	for (size_t i = 0; i < n; i++) {
		append(sql, i == 0 ? "" : between);
		buffer_put(sql, buffer_span(&t->columns[i]));
		append(sql, after);
	}
}

static void
create_table(struct store_table *t, struct buffer *sql)
{
	append(sql, "CREATE TABLE IF NOT EXISTS ");
	buffer_put(sql, buffer_span(&t->name));
	append(sql, " (");
	append_columns(sql, t, t->n, "", ", ");
	append(sql, ", PRIMARY KEY (");
	append_columns(sql, t, t->nkeys, "", ", ");
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
append_where(struct buffer *sql, const struct store_table *t)
{
	append_from(sql, t);
	append(sql, " WHERE ");
	append_columns(sql, t, t->nkeys, " = ?", " AND ");
}

static void
append_select(struct buffer *sql, const struct store_table *t)
{
	append(sql, "SELECT ");
	append_columns(sql, t, t->n, "", ", ");
}

static struct statement *
prepare_put(struct store_table *t, struct buffer *sql, size_t nrows)
{
	append(sql, "REPLACE INTO ");
	buffer_put(sql, buffer_span(&t->name));
	append(sql, " VALUES");
	for (size_t row = 0; row < nrows; row++) {
		append(sql, row == 0 ? " (" : ", (");
		for (size_t i = 0; i < t->n; i++)
			append(sql, i == 0 ? "?" : ", ?");
		append(sql, ")");
	}
	return prepare(t->db, sql);
}

static void
prepare_table(struct store_table *t, struct buffer *sql)
{
	append_select(sql, t);
	append_where(sql, t);
	append(sql, " LIMIT 1");
	t->get = prepare(t->db, sql);
	append(sql, "DELETE");
	append_where(sql, t);
	t->del = prepare(t->db, sql);
	t->put = prepare_put(t, sql, 1);
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
	prepare_table(t, &sql);
	buffer_fini(&sql);
	return t;
}

void
store_table_free(struct store_table *t)
{
	statement_free(t->get);
	statement_free(t->put);
	statement_free(t->put_rows);
	statement_free(t->del);
	for (size_t i = 0; i < t->n; i++)
		buffer_fini(&t->columns[i]);
	buffer_fini(&t->name);
	free(t->columns);
	free(t->row);
	free(t);
}

static void
each_row(struct store_table *t, struct statement *st, size_t i,
    store_row_fn *row, void *arg)
{
	while (statement_step(st)) {
		for (size_t k = 0; k < t->n; k++)
			t->row[k] = statement_column(st, (int)k);
		row(arg, i++, t->row);
	}
}

void
store_table_get(struct store_table *t, size_t n, store_fill_fn *key,
    store_row_fn *found, void *arg)
{
	for (size_t i = 0; i < n; i++) {
		key(arg, i, t->row);
		for (size_t k = 0; k < t->nkeys; k++)
			statement_bind(t->get, (int)k + 1, &t->row[k]);
		each_row(t, t->get, i, found, arg);
	}
}

/* Put so many rows, from the first on, by a statement for as many. */
static void
put_rows(struct store_table *t, struct statement *st, size_t first,
    size_t nrows, store_fill_fn *row, void *arg)
{
	int at = 0;

	for (size_t i = first; i < first + nrows; i++) {
		row(arg, i, t->row);
		for (size_t k = 0; k < t->n; k++)
			statement_bind(st, ++at, &t->row[k]);
	}
	statement_step(st);
}

void
store_table_put(struct store_table *t, size_t n, store_fill_fn *row, void *arg)
{
	struct buffer sql = { 0 };
	size_t i = 0;

	if (n >= ROWS && t->put_rows == NULL)
		t->put_rows = prepare_put(t, &sql, ROWS);
	buffer_fini(&sql);
	for (; n - i >= ROWS; i += ROWS)
		put_rows(t, t->put_rows, i, ROWS, row, arg);
	for (; i < n; i++)
		put_rows(t, t->put, i, 1, row, arg);
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
		append_columns(&sql, t, t->nkeys, "", ", ");
	else
		buffer_put(&sql, buffer_span(&t->columns[column]));
	st = prepare(t->db, &sql);
	each_row(t, st, 0, row, arg);
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
	each_row(t, st, 0, row, arg);
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
