/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "state/database.h"
#include "state/state_file.h"
#include "state/store.h"

enum {
	CHECKED_BYTES = 16 << 20,     /* files up to this are checked whole */
	ROWS_CHECKED_BYTES = 4 << 20, /* and up to this what rows say, too */
	MAX_COLUMNS = 500,
};

struct store {
	struct database *db;
	struct span name; /* ends in NUL */
	int64_t part;
	bool is_new, begun, checks_rows;
	int fd; /* holds the lock */
	struct store_table **tables;
	size_t ntables, cap;
	struct statement *put_value, *get_value;
};

/* A statement with text parameters, run for the first column it gives. */
static bool
look_up(struct store *s, const char *sql, int64_t part, const char *text,
    struct buffer *got)
{
	struct statement *st = database_prepare(s->db, sql);
	struct stored_value c;
	bool has;

	c = stored_value_of_int(part);
	if (part != 0)
		statement_bind(st, 1, &c);
	c = stored_value_of_text(span_of(text));
	statement_bind(st, 2, &c);
	has = statement_step(st);
	if (has) {
		c = statement_column(st, 0);
		if (c.kind == STORED_INT)
			buffer_int(got, c.i);
		else
			buffer_put(got, c.bytes);
		buffer_byte(got, '\0');
	}
	statement_free(st);
	return has;
}

static void
insert(struct store *s, const char *sql, int64_t part, const char *a,
    const char *b)
{
	struct statement *st = database_prepare(s->db, sql);
	struct stored_value c = stored_value_of_int(part);

	if (part != 0)
		statement_bind(st, 1, &c);
	c = stored_value_of_text(span_of(a));
	statement_bind(st, 2, &c);
	c = stored_value_of_text(span_of(b));
	statement_bind(st, 3, &c);
	statement_step(st);
	statement_free(st);
}

/* The number of the part, 0 where there is none. */
static int64_t
find_part(struct store *s, const struct store_part *part)
{
	struct buffer got = { 0 };
	int64_t number = 0;

	if (look_up(s, "SELECT part FROM tupletools_parts WHERE name = ?2", 0,
		part->name, &got))
		number = strtoll(got.p, NULL, 10);
	buffer_fini(&got);
	return number;
}

/* The part is the state of this command. */
static void
check_command(struct store *s, const struct store_part *part)
{
	struct buffer got = { 0 };

	if (!look_up(s, "SELECT command FROM tupletools_parts WHERE name = ?2",
		0, part->name, &got))
		database_stop(s->db, "the state is damaged: no command of '%s'",
		    part->name);
	if (strcmp(got.p, part->command) != 0)
		database_stop(s->db,
		    "'%s' is the state of %s; --name gives this one another "
		    "name",
		    part->name, got.p);
	buffer_fini(&got);
}

static void
check_part(struct store *s, const struct store_part *part)
{
	struct buffer got = { 0 };

	check_command(s, part);
	for (size_t i = 0; i < part->options.n; i++) {
		const struct store_option *o = &part->options.list[i];

		got.n = 0;
		if (!look_up(s,
			"SELECT text FROM tupletools_options "
			"WHERE part = ?1 AND option = ?2",
			s->part, o->name.p, &got))
			buffer_byte(&got, '\0');
		if (strcmp(got.p, o->text.p) == 0)
			continue;
		database_stop(s->db,
		    "%s: '%s' was begun with '%s', not '%s'; --name begins "
		    "another",
		    o->name.p, part->name, got.p, o->text.p);
	}
	buffer_fini(&got);
}

/* The tables that parts may have: PART and, with these, PART_SUFFIX. */
static const char *const suffixes[] = { NULL, "inputs", "keys", "outputs" };

static void
put_table_name(struct buffer *b, const char *part, const char *suffix)
{
	buffer_put(b, span_of(part));
	if (suffix != NULL) {
		buffer_byte(b, '_');
		buffer_put(b, span_of(suffix));
	}
	buffer_byte(b, '\0');
}

/* A part whose tables would be those of another one is not begun. */
static void
check_tables(struct store *s, const struct store_part *part)
{
	struct buffer name = { 0 }, got = { 0 };

	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		name.n = 0;
		put_table_name(&name, part->name, suffixes[i]);
		if (look_up(s,
			"SELECT name FROM sqlite_master "
			"WHERE name = ?2 COLLATE NOCASE",
			0, name.p, &got))
			database_stop(s->db,
			    "there is a table '%s' already; --name gives this "
			    "one another name",
			    got.p);
	}
	buffer_fini(&name);
}

/* Begin a part, unless another process has just done so. */
static void
make_part(struct store *s, const struct store_part *part)
{
	store_begin(s);
	s->part = find_part(s, part);
	if (s->part != 0) {
		store_commit(s);
		return;
	}
	check_tables(s, part);
	insert(s,
	    "INSERT INTO tupletools_parts (name, command) "
	    "VALUES (?2, ?3)",
	    0, part->name, part->command);
	s->part = find_part(s, part);
	for (size_t i = 0; i < part->options.n; i++)
		insert(s, "INSERT INTO tupletools_options VALUES (?1, ?2, ?3)",
		    s->part, part->options.list[i].name.p,
		    part->options.list[i].text.p);
	s->is_new = true;
}

void
store_recall(const struct store_part *part, struct options *given)
{
	struct store_options options = { 0 };
	struct store s = { 0 };
	struct statement *st;
	struct stored_value c;
	off_t size;

	s.fd = state_file_open(part->path, false, &size);
	s.db = database_open(part->path, true);
	c = stored_value_of_int(find_part(&s, part));
	if (c.i == 0)
		database_stop(s.db, "there is no '%s' in it", part->name);
	check_command(&s, part);
	st = database_prepare(s.db,
	    "SELECT option, text FROM tupletools_options WHERE part = ?1");
	statement_bind(st, 1, &c);
	while (statement_step(st)) {
		struct buffer name = { 0 };

		c = statement_column(st, 0);
		buffer_put(&name, c.bytes);
		buffer_byte(&name, '\0');
		c = statement_column(st, 1);
		store_options_add(&options, name.p, c.bytes);
		buffer_fini(&name);
	}
	statement_free(st);
	database_close(s.db);
	close(s.fd);
	/* Now that nothing is open, it may stop the program. */
	for (size_t i = 0; i < options.n; i++)
		options_give(given, options.list[i].name.p,
		    options.list[i].text.p);
	store_options_fini(&options);
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
	s->checks_rows = !part->read_only && size <= ROWS_CHECKED_BYTES;
	if (size <= CHECKED_BYTES)
		database_check(s->db);
	s->part = find_part(s, part);
	if (s->part == 0 && part->read_only)
		database_stop(s->db, "there is no '%s' in it", part->name);
	if (s->part == 0)
		make_part(s, part);
	check_part(s, part);
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

struct store_table *
store_table(struct store *s, const char *suffix, const struct span *names,
    size_t nkeys, size_t n)
{
	struct buffer name = { 0 };

	if (n > MAX_COLUMNS)
		database_stop(s->db, "more than %d columns", MAX_COLUMNS);
	put_table_name(&name, s->name.p, suffix);
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
		s->put_value = database_prepare(s->db,
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
		s->get_value = database_prepare(s->db,
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
