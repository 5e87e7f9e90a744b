/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state/state_file.h"
#include "state/statement.h"
#include "state/store_part.h"

/* A statement with text parameters, run for the first column it gives. */
static bool
look_up(struct database *db, const char *sql, int64_t part, const char *text,
    struct buffer *got)
{
	struct statement *st = statement_new(db, sql);
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
insert(struct database *db, const char *sql, int64_t part, const char *a,
    const char *b)
{
	struct statement *st = statement_new(db, sql);
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

int64_t
store_part_find(struct database *db, const struct store_part *part)
{
	struct buffer got = { 0 };
	int64_t number = 0;

	if (look_up(db, "SELECT part FROM tupletools_parts WHERE name = ?2", 0,
		part->name, &got))
		number = strtoll(got.p, NULL, 10);
	buffer_fini(&got);
	return number;
}

/* The part is the state of this command. */
static void
check_command(struct database *db, const struct store_part *part)
{
	struct buffer got = { 0 };

	if (!look_up(db, "SELECT command FROM tupletools_parts WHERE name = ?2",
		0, part->name, &got))
		database_stop(db, "the state is damaged: no command for '%s'",
		    part->name);
	if (strcmp(got.p, part->command) != 0)
		database_stop(db,
		    "'%s' is the state of %s; --name gives this one another "
		    "name",
		    part->name, got.p);
	buffer_fini(&got);
}

/* Tell whether the text of an option says that it was not given. */
static bool
was_left_out(const struct store_option *o, const char *text)
{
	return strcmp(text, o->is_flag ? "off" : "") == 0;
}

/* Say how a part was begun, and how it was not, and stop. */
static _Noreturn void
refuse(struct database *db, const struct store_part *part,
    const struct store_option *now, const char *was)
{
	const char *name = now->name.p, *text = now->text.p;

	if (was_left_out(now, was))
		database_stop(db,
		    "'%s' was begun without %s; --name begins another",
		    part->name, name);
	if (now->is_flag)
		database_stop(db,
		    "'%s' was begun with %s; --name begins another", part->name,
		    name);
	if (was_left_out(now, text))
		database_stop(db,
		    "'%s' was begun with %s '%s'; --name begins another",
		    part->name, name, was);
	database_stop(db,
	    "%s: '%s' was begun with '%s', not '%s'; --name begins another",
	    name, part->name, was, text);
}

void
store_part_check(struct database *db, int64_t number,
    const struct store_part *part)
{
	struct buffer got = { 0 };

	check_command(db, part);
	for (size_t i = 0; i < part->options.n; i++) {
		const struct store_option *o = &part->options.list[i];

		got.n = 0;
		if (!look_up(db,
			"SELECT text FROM tupletools_options "
			"WHERE part = ?1 AND option = ?2",
			number, o->name.p, &got))
			buffer_byte(&got, '\0');
		if (strcmp(got.p, o->text.p) != 0)
			refuse(db, part, o, got.p);
	}
	buffer_fini(&got);
}

void
store_part_lacks(struct database *db, const struct store_part *part)
{
	database_stop(db, "there is no '%s' in it", part->name);
}

void
store_part_put_table(struct buffer *b, const char *part, enum part_table table)
{
	static const char *const suffixes[PART_TABLES] = { "", "_inputs",
		"_keys", "_outputs", "_waiting" };

	buffer_put(b, span_of(part));
	buffer_put(b, span_of(suffixes[table]));
	buffer_byte(b, '\0');
}

/* A part whose tables would be those of another one is not begun. */
static void
check_tables(struct database *db, const struct store_part *part)
{
	struct buffer name = { 0 }, got = { 0 };

	for (int i = 0; i < PART_TABLES; i++) {
		name.n = 0;
		store_part_put_table(&name, part->name, (enum part_table)i);
		if (look_up(db,
			"SELECT name FROM sqlite_master "
			"WHERE name = ?2 COLLATE NOCASE",
			0, name.p, &got))
			database_stop(db,
			    "there is a table '%s' already; --name gives this "
			    "one another name",
			    got.p);
	}
	buffer_fini(&name);
}

int64_t
store_part_make(struct database *db, const struct store_part *part)
{
	int64_t number;

	check_tables(db, part);
	insert(db,
	    "INSERT INTO tupletools_parts (name, command) "
	    "VALUES (?2, ?3)",
	    0, part->name, part->command);
	number = store_part_find(db, part);
	for (size_t i = 0; i < part->options.n; i++)
		insert(db, "INSERT INTO tupletools_options VALUES (?1, ?2, ?3)",
		    number, part->options.list[i].name.p,
		    part->options.list[i].text.p);
	return number;
}

/* The options that a part was begun with. */
static struct store_options
options_of(struct database *db, int64_t number)
{
	struct store_options options = { 0 };
	struct buffer name = { 0 };
	struct stored_value c = stored_value_of_int(number);
	struct statement *st = statement_new(db,
	    "SELECT option, text FROM tupletools_options WHERE part = ?1");

	statement_bind(st, 1, &c);
	while (statement_step(st)) {
		name.n = 0;
		c = statement_column(st, 0);
		buffer_put(&name, c.bytes);
		buffer_byte(&name, '\0');
		c = statement_column(st, 1);
		store_options_add(&options, name.p, c.bytes);
	}
	statement_free(st);
	buffer_fini(&name);
	return options;
}

void
store_part_recall(const struct store_part *part, struct options *given)
{
	struct store_options options;
	struct database *db;
	off_t size;
	int64_t number;
	int fd = state_file_open(part->path, false, &size);

	db = database_open(part->path, true);
	number = store_part_find(db, part);
	if (number == 0)
		store_part_lacks(db, part);
	check_command(db, part);
	options = options_of(db, number);
	database_close(db);
	close(fd);
	/* Now that nothing is open, it may stop the program. */
	for (size_t i = 0; i < options.n; i++)
		options_give(given, options.list[i].name.p,
		    options.list[i].text.p);
	store_options_fini(&options);
}
