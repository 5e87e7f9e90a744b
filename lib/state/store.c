/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "state/state_file.h"
#include "state/statement.h"
#include "state/store.h"

enum {
	CHECKED_BYTES = 4 << 20,      /* files up to this are checked whole */
	ROWS_CHECKED_BYTES = 1 << 20, /* and up to this what rows say, too */
	MAX_COLUMNS = 500,
};

struct store {
	struct database *db;
	struct span name; /* ends in NUL */
	int64_t part;
	bool is_new, begun, read_only, checks_rows;
	int fd; /* holds the lock */
	struct store_table **tables;
	size_t ntables, cap;
	struct statement *put_value, *get_value;
};

void
store_begin(struct store *s)
{
	if (!s->begun)
		database_run(s->db, "BEGIN IMMEDIATE");
	s->begun = true;
}

void
store_commit(struct store *s)
{
	database_run(s->db, "COMMIT");
	s->begun = s->is_new = false;
}

/* Begin a part, unless another process has just done so. */
static void
make_part(struct store *s, const struct store_part *part)
{
	store_begin(s);
	s->part = store_part_find(s->db, part);
	if (s->part != 0) {
		store_commit(s);
		return;
	}
	s->part = store_part_make(s->db, part);
	s->is_new = true;
}

/* Let SQLite check the whole file. */
static void
check_whole(struct database *d)
{
	struct statement *st = statement_new(d, "PRAGMA quick_check(1)");
	struct stored_value c;

	if (statement_step(st)) {
		c = statement_column(st, 0);
		if (!span_eq(c.bytes, SPAN("ok")))
			database_stop_found(d, span_dup(c.bytes).p);
	}
	statement_free(st);
}

struct store *
store_open(const struct store_part *part)
{
	struct store *s = memory_new(1, sizeof *s);
	off_t size;

	if (part->name[0] == '\0' || strcasecmp(part->name, "sqlite") == 0 ||
	    strncasecmp(part->name, "sqlite_", 7) == 0 ||
	    strncasecmp(part->name, "tupletools_", 11) == 0)
		die("--name: expected a name for a table, got '%s'",
		    part->name);
	s->fd = state_file_open(part->path, !part->read_only, &size);
	s->name = span_dup(span_of(part->name));
	s->db = database_open(part->path, part->read_only);
	s->read_only = part->read_only;
	/* While another process goes on, all that is read is of one commit. */
	if (s->read_only)
		database_run(s->db, "BEGIN");
	s->checks_rows = !part->read_only && size <= ROWS_CHECKED_BYTES;
	if (size <= CHECKED_BYTES)
		check_whole(s->db);
	s->part = store_part_find(s->db, part);
	if (s->part == 0 && part->read_only)
		store_part_lacks(s->db, part);
	if (s->part == 0)
		make_part(s, part);
	store_part_check(s->db, s->part, part);
	if (!part->read_only)
		state_file_hold(s->fd, part->path, part->name, s->part);
	return s;
}

bool
store_is_new(const struct store *s)
{
	return s->is_new;
}

bool
store_is_read_only(const struct store *s)
{
	return s->read_only;
}

bool
store_checks_rows(const struct store *s)
{
	return s->checks_rows;
}

void
store_damaged(const struct store *s, const char *name)
{
	database_stop(s->db, "the state is damaged: the value '%s' of '%s'",
	    name, s->name.p);
}

void
store_close(struct store *s)
{
	for (size_t i = 0; i < s->ntables; i++)
		store_table_free(s->tables[i]);
	free(s->tables);
	statement_free(s->put_value);
	statement_free(s->get_value);
	database_close(s->db);
	close(s->fd);
	span_free(s->name);
	free(s);
}

struct store_table *
store_table(struct store *s, enum part_table table, const struct span *names,
    size_t nkeys, size_t n)
{
	struct buffer name = { 0 };

	if (n > MAX_COLUMNS)
		database_stop(s->db, "more than %d columns", MAX_COLUMNS);
	store_part_put_table(&name, s->name.p, table);
	name.n--;
	s->tables =
	    memory_grow(s->tables, &s->cap, s->ntables + 1, sizeof *s->tables);
	s->tables[s->ntables] = store_table_new(s->db, buffer_span(&name),
	    names, nkeys, n, s->is_new);
	buffer_fini(&name);
	return s->tables[s->ntables++];
}

static void
put_value(struct store *s, const char *name, const struct stored_value *value)
{
	struct stored_value c = stored_value_of_int(s->part);

	if (s->put_value == NULL)
		s->put_value = statement_new(s->db,
		    "REPLACE INTO tupletools_values VALUES (?1, ?2, ?3)");
	statement_bind(s->put_value, 1, &c);
	c = stored_value_of_text(span_of(name));
	statement_bind(s->put_value, 2, &c);
	statement_bind(s->put_value, 3, value);
	statement_step(s->put_value);
}

/* The value; the caller resets get_value. */
static bool
get_value(struct store *s, const char *name, struct stored_value *value)
{
	struct stored_value c = stored_value_of_int(s->part);

	if (s->get_value == NULL)
		s->get_value = statement_new(s->db,
		    "SELECT value FROM tupletools_values "
		    "WHERE part = ?1 AND name = ?2");
	statement_bind(s->get_value, 1, &c);
	c = stored_value_of_text(span_of(name));
	statement_bind(s->get_value, 2, &c);
	if (!statement_step(s->get_value))
		return false;
	*value = statement_column(s->get_value, 0);
	return true;
}

void
store_put_value(struct store *s, const char *name, struct span bytes)
{
	struct stored_value c = stored_value_of_blob(bytes);

	put_value(s, name, &c);
}

bool
store_get_value(struct store *s, const char *name, struct buffer *b)
{
	struct stored_value c = { 0 };
	bool has = get_value(s, name, &c);

	if (has)
		buffer_put(b, c.bytes);
	if (s->get_value != NULL)
		statement_reset(s->get_value);
	return has;
}

void
store_put_int(struct store *s, const char *name, int64_t i)
{
	struct stored_value c = stored_value_of_int(i);

	put_value(s, name, &c);
}

int64_t
store_get_int(struct store *s, const char *name)
{
	struct stored_value c = stored_value_of_int(0);

	get_value(s, name, &c);
	if (c.kind != STORED_INT)
		store_damaged(s, name);
	statement_reset(s->get_value);
	return c.i;
}

int64_t
store_get_int_within(struct store *s, const char *name, int64_t least,
    int64_t most)
{
	struct stored_value c = { 0 };

	get_value(s, name, &c);
	if (!store_int_is(&c, least, most))
		store_damaged(s, name);
	statement_reset(s->get_value);
	return c.i;
}
