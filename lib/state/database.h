/*
 * database - run statements of SQL over SQLite; the only module that calls it.
 *
 * A function that fails rolls back an open transaction and stops the program
 * (status 2) with SQLite's reason.  The contents of a file are not trusted: a
 * file that is not such a database is reported as damaged.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_DATABASE_H
#define STATE_DATABASE_H

#include "base/buffer.h"
#include "tuple/stored_value.h"

struct database;
struct statement;

/* SQLite's header has the version at byte 60, the application at byte 68. */
enum {
	DATABASE_VERSION = 3,
	DATABASE_APPLICATION = 0x7475706c, /* "tupl" */
	DATABASE_HEADER_BYTES = 100,
};

/*
 * Create a database file with the tables that sql makes.
 *
 * Errors: none; stops the program if it fails, as all functions here do.
 */
void database_create(const char *path, const char *sql);

/*
 * Open an existing database.  Commits are synced to the disk, and wait for
 * commits of other processes.  With just_read the file, or its folder, need
 * not be writable.
 *
 * Owns:   copies path; the caller frees with database_close.
 */
struct database *database_open(const char *path, bool just_read);

/*
 * Close a database.
 *
 * Errors: also stops the program if the file was not writable and another
 *         process has changed it since it was opened, since what was read may
 *         then be of two different moments.
 */
void database_close(struct database *d);

/* Tell whether a file has a write-ahead log beside it, with newer commits. */
bool database_has_log(const char *path);

/* Let SQLite check the whole file. */
void database_check(struct database *d);

/*
 * Stop the program with a message, which begins with the file's name.  The file
 * stays as it was at the last commit, and no files are left beside it.
 */
_Noreturn void database_stop(struct database *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Run statements that give no rows. */
void database_run(struct database *d, const char *sql);

/*
 * Compile a statement, whose parameters are ?1, ?2, ...
 *
 * Owns:   the caller frees with statement_free before database_close.
 */
struct statement *database_prepare(struct database *d, const char *sql);
void statement_free(struct statement *st);

/*
 * Set parameter i, from 1.
 *
 * Owns:   c->bytes are copied; the copy is freed when the statement has run.
 */
void statement_bind(struct statement *st, int i, const struct stored_value *c);

/*
 * Go to the next row.  Returns false after the last one; the statement can
 * then be run again.  _reset allows that before the last row.
 */
bool statement_step(struct statement *st);
void statement_reset(struct statement *st);

/* Column i of the row, from 0; its bytes are valid until the next step. */
struct stored_value statement_column(struct statement *st, int i);

#endif
