/*
 * database - open and close a file of SQLite's; only this module, statement and
 * filled_rows call it.
 *
 * A function that fails rolls back an open transaction and stops the program
 * (status 2) with SQLite's reason.  The contents of a file are not trusted: a
 * file that is not such a database is reported as damaged.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_DATABASE_H
#define STATE_DATABASE_H

#include <stdbool.h>

struct database;

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

/*
 * Stop the program with a message, which begins with the file's name.  The file
 * stays as it was at the last commit, and no files are left beside it.
 */
_Noreturn void database_stop(struct database *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Stop the program with the first thing that SQLite's check of a file has found:
 * that a page could not be read, or else damage.
 */
_Noreturn void database_stop_found(struct database *d, const char *what);

/*
 * For statement and filled_rows: SQLite's connection; and stop the program if
 * what SQLite returned is an error.
 */
struct sqlite3 *database_handle(struct database *d);
void database_check_code(struct database *d, int code);

/* Run statements that give no rows. */
void database_run(struct database *d, const char *sql);

#endif
