/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include <sqlite3.h>

#include "base/memory.h"
#include "state/statement.h"

struct statement {
	struct database *database;
	sqlite3_stmt *stmt;
};

struct statement *
statement_new(struct database *d, const char *sql)
{
	struct statement *st = memory_new(1, sizeof *st);

	st->database = d;
	database_check_code(d,
	    sqlite3_prepare_v3(database_handle(d), sql, -1,
		SQLITE_PREPARE_PERSISTENT, &st->stmt, NULL));
	return st;
}

void
statement_free(struct statement *st)
{
	if (st != NULL)
		sqlite3_finalize(st->stmt);
	free(st);
}

void
statement_bind(struct statement *st, int i, const struct stored_value *c)
{
	const char *p = c->bytes.n == 0 ? "" : c->bytes.p;
	int code = SQLITE_OK;

	switch (c->kind) {
	case STORED_NULL:
		code = sqlite3_bind_null(st->stmt, i);
		break;
	case STORED_INT:
		code = sqlite3_bind_int64(st->stmt, i, c->i);
		break;
	case STORED_REAL:
		code = sqlite3_bind_double(st->stmt, i, c->d);
		break;
	case STORED_TEXT:
		code = sqlite3_bind_text64(st->stmt, i, p, c->bytes.n,
		    SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
	case STORED_BLOB:
		code = sqlite3_bind_blob64(st->stmt, i, p, c->bytes.n,
		    SQLITE_TRANSIENT);
		break;
	}
	database_check_code(st->database, code);
}

bool
statement_step(struct statement *st)
{
	int code = sqlite3_step(st->stmt);

	if (code == SQLITE_ROW)
		return true;
	database_check_code(st->database, code);
	sqlite3_reset(st->stmt);
	sqlite3_clear_bindings(st->stmt);
	return false;
}

void
statement_reset(struct statement *st)
{
	sqlite3_reset(st->stmt);
}

struct stored_value
statement_column(struct statement *st, int i)
{
	struct stored_value c = { 0 };

	switch (sqlite3_column_type(st->stmt, i)) {
	case SQLITE_INTEGER:
		return stored_value_of_int(sqlite3_column_int64(st->stmt, i));
	case SQLITE_FLOAT:
		c.kind = STORED_REAL;
		c.d = sqlite3_column_double(st->stmt, i);
		break;
	case SQLITE_TEXT:
		c.kind = STORED_TEXT;
		c.bytes.p = (const char *)sqlite3_column_text(st->stmt, i);
		c.bytes.n = (size_t)sqlite3_column_bytes(st->stmt, i);
		break;
	case SQLITE_BLOB:
		c.kind = STORED_BLOB;
		c.bytes.p = sqlite3_column_blob(st->stmt, i);
		c.bytes.n = (size_t)sqlite3_column_bytes(st->stmt, i);
		break;
	}
	return c;
}
