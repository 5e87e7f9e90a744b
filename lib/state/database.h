/*
 * database - statements of SQL and the columns they give, over SQLite; the
 * one module that knows its names.
 *
 * Every function stops the program (status 2) with the database's reason
 * where it fails; a transaction that is open is then undone.  What a file
 * holds is not believed: what is no database, or not one of these tables, is
 * said to be damaged.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_DATABASE_H
#define STATE_DATABASE_H

#include "base/buffer.h"
#include "tuple/stored_value.h"

struct database;
struct statement;

/* What a state file has in its header, at bytes 60 and 68, big-endian. */
enum {
	DATABASE_VERSION = 3,
	DATABASE_APPLICATION = 0x7475706c, /* "tupl" */
	DATABASE_HEADER_BYTES = 100,
};

/*
 * Make a database file that has only the tables that sql creates.
 *
 * Errors: stops the program.
 */
void database_create(const char *path, const char *sql);

/*
 * Open a database that is there.  Commits are then on the disk; another
 * process's commit is waited for.  With just_read it may be one that cannot be
 * written, or lie where no file can be made.
 *
 * Owns:   copies path; the result is given back by database_close.
 */
struct database *database_open(const char *path, bool just_read);

/*
 * Close it.
 *
 * Errors: stops the program, too, where it could not be written, and somebody
 *         else has written to it meanwhile: what was read may be of two times.
 */
void database_close(struct database *d);

/* Tell whether the file of that name has a log, with what it lacks, beside it. */
bool database_has_log(const char *path);

/* Check the whole of it. */
void database_check(struct database *d);

/*
 * Stop the program with a message that begins with the file's name.  The file
 * is as it was at the last commit, and nothing is beside it that was not there.
 */
_Noreturn void database_stop(struct database *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Run statements that give no rows. */
void database_run(struct database *d, const char *sql);

/*
 * Compile a statement, whose parameters are ?1, ?2, ...
 *
 * Owns:   the result is given back by statement_free before the database.
 */
struct statement *database_prepare(struct database *d, const char *sql);
void statement_free(struct statement *st);

/*
 * Set a parameter, from 1.
 *
 * Owns:   bytes are to stay until the statement has run.
 */
void statement_bind(struct statement *st, int i, const struct stored_value *c);

/*
 * Take the next row.  False: there is none, and the statement can be run
 * again; _reset makes it so before.
 */
bool statement_step(struct statement *st);
void statement_reset(struct statement *st);

/* A column of the row, from 0; its bytes are good until the next step. */
struct stored_value statement_column(struct statement *st, int i);

#endif
