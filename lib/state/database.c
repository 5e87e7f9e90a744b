/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/buffer.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/path.h"
#include "state/database.h"

enum {
	BUSY_MS = 30000, /* another command's commit takes no longer */
	CACHE_KIB = 64 * 1024,
	LOG_PAGES = 4000, /* then the log is carried over into the file */
};

struct database {
	sqlite3 *db;
	char *path;
	bool stays;	       /* it was opened as a file that nobody changes */
	struct stat as_opened; /* to see in the end whether it still is that */
};

/* Tell whether a file with something in it stands beside what path leads to. */
static bool
has_beside(const char *path, const char *suffix)
{
	char other[4096], *target = path_follow_links(path);
	struct stat st;

	snprintf(other, sizeof other, "%s%s", target, suffix);
	free(target);
	return stat(other, &st) == 0 && st.st_size != 0;
}

bool
database_has_log(const char *path)
{
	return has_beside(path, "-wal");
}

/* Close without a look at what fails.  A log that has something stays. */
static void
abandon(struct database *d)
{
	sqlite3_stmt *st;

	if (d->db == NULL)
		return;
	while ((st = sqlite3_next_stmt(d->db, NULL)) != NULL)
		sqlite3_finalize(st);
	sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
	if (!database_has_log(d->path))
		sqlite3_close(d->db);
}

void
database_stop(struct database *d, const char *fmt, ...)
{
	char why[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	abandon(d);
	die("%s: %s", d->path, why);
}

/* Say why, and stop; what was not committed is undone. */
static _Noreturn void
stop(struct database *d)
{
	int reason = 0;

	switch (sqlite3_errcode(d->db)) {
	case SQLITE_BUSY:
		database_stop(d, "another program holds the file");
	case SQLITE_READONLY:
		database_stop(d,
		    "the file, or the directory it is in, cannot be written");
	case SQLITE_FULL:
		database_stop(d, "the disk is full");
	case SQLITE_TOOBIG:
		database_stop(d,
		    "a row is longer than a state can hold, or the state is "
		    "damaged");
	case SQLITE_ERROR: /* a table or a column is not there */
	case SQLITE_CORRUPT:
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_FORMAT:
	case SQLITE_NOTADB:
		database_stop(d, "the state is damaged: %s",
		    sqlite3_errmsg(d->db));
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		reason = sqlite3_system_errno(d->db);
	}
	database_stop(d, "%s%s%s", sqlite3_errmsg(d->db),
	    reason == 0 ? "" : ": ", reason == 0 ? "" : strerror(reason));
}

void
database_stop_found(struct database *d, const char *what)
{
	static const char code[] = "error code=";
	const char *found = strstr(what, code);
	const char *line = strrchr(what, '\n'); /* the first names no page */
	long reason =
	    found == NULL ? 0 : strtol(found + strlen(code), NULL, 10) & 0xff;

	if (reason == SQLITE_IOERR || reason == SQLITE_NOMEM)
		database_stop(d, "%s", sqlite3_errstr((int)reason));
	database_stop(d, "the state is damaged: %s",
	    line == NULL ? what : line + 1);
}

struct sqlite3 *
database_handle(struct database *d)
{
	return d->db;
}

void
database_check_code(struct database *d, int code)
{
	if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
		stop(d);
}

static struct database *
open_with(const char *path, const char *uri, int flags)
{
	struct database *d = memory_new(1, sizeof *d);

	/*
	 * What a statement may have to undo stays in memory: else SQLite puts
	 * more than 64 KB of it into a temporary file.  Set for all databases
	 * before the first is opened; later it is refused.
	 */
	(void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
	d->path = memory_new(strlen(path) + 1, 1);
	memcpy(d->path, path, strlen(path));
	database_check_code(d, sqlite3_open_v2(uri, &d->db, flags, NULL));
	sqlite3_extended_result_codes(d->db, 0);
	/* A column that is not there is else a string of that name. */
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_busy_timeout(d->db, BUSY_MS);
	return d;
}

/* Open a file by its name, though that be file:..., or :memory:. */
static struct database *
open_plain(const char *path, int flags)
{
	struct buffer name = { 0 };
	struct database *d;

	if (*path != '/')
		buffer_put(&name, SPAN("./"));
	buffer_put(&name, (struct span){ path, strlen(path) + 1 });
	d = open_with(path, name.p, flags);
	buffer_fini(&name);
	if (stat(path, &d->as_opened) < 0)
		d->as_opened = (struct stat){ 0 };
	return d;
}

void
database_create(const char *path, const char *sql)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	struct database *d = open_plain(path, flags);
	char text[128];

	/* Nobody has it yet: it is synced once, with its last change. */
	snprintf(text, sizeof text,
	    "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; "
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    DATABASE_APPLICATION, DATABASE_VERSION);
	database_run(d, text);
	database_run(d, sql);
	database_run(d, "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL");
	database_close(d);
}

/* Tell whether files can be made beside this one, and it be written. */
static bool
can_be_written(const char *path)
{
	char *folder = realpath(path, NULL), *slash;
	bool can = folder != NULL &&
	    faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;

	if (can) {
		slash = strrchr(folder, '/');
		slash[slash == folder] = '\0';
		can = faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
	}
	free(folder);
	return can;
}

/*
 * Open what cannot be written.  With a log somebody may be at work on it, and
 * is heeded; without one it is taken for a file that does not change, and that
 * is checked in the end.
 */
static struct database *
open_read_only(const char *path)
{
	struct buffer uri = { 0 };
	struct database *d;
	struct stat st;
	bool has_log = database_has_log(path);
	char *whole = realpath(path, NULL);

	if (whole == NULL || stat(path, &st) < 0)
		die_errno("%s", path);
	if (has_log && !has_beside(path, "-shm"))
		die("%s: it has a log, %s-wal; dump a copy of both where they "
		    "can be written",
		    path, path);
	buffer_put(&uri, SPAN("file:"));
	for (const char *p = whole; *p != '\0'; p++) {
		char escaped[4];

		snprintf(escaped, sizeof escaped, "%%%02X", (unsigned char)*p);
		buffer_put(&uri, span_of(escaped));
	}
	if (!has_log)
		buffer_put(&uri, SPAN("?immutable=1"));
	buffer_byte(&uri, '\0');
	d = open_with(path, uri.p,
	    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
	d->stays = !has_log;
	d->as_opened = st;
	free(whole);
	buffer_fini(&uri);
	return d;
}

/* Look at what its name is now.  False: nothing is there. */
static bool
look_again(const struct database *d, struct stat *st)
{
	if (stat(d->path, st) == 0)
		return true;
	if (errno != ENOENT)
		die_errno("%s", d->path);
	return false;
}

/* Tell whether nobody has worked on it meanwhile. */
static bool
is_as_opened(const struct database *d)
{
	struct stat st;

	return look_again(d, &st) && !database_has_log(d->path) &&
	    st.st_ino == d->as_opened.st_ino &&
	    st.st_size == d->as_opened.st_size &&
	    st.st_mtim.tv_sec == d->as_opened.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == d->as_opened.st_mtim.tv_nsec;
}

/* Tell whether its name is still that of the same file. */
static bool
is_same_file(const struct database *d)
{
	struct stat st;

	return look_again(d, &st) && st.st_ino == d->as_opened.st_ino &&
	    st.st_dev == d->as_opened.st_dev;
}

struct database *
database_open(const char *path, bool just_read)
{
	struct database *d = just_read && !can_be_written(path) ?
	    open_read_only(path) :
	    open_plain(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
	char text[128];

	snprintf(text, sizeof text,
	    "PRAGMA synchronous = FULL; PRAGMA cache_size = -%d; "
	    "PRAGMA wal_autocheckpoint = %d; PRAGMA cell_size_check = ON",
	    CACHE_KIB, LOG_PAGES);
	database_run(d, text);
	return d;
}

void
database_close(struct database *d)
{
	database_check_code(d, sqlite3_close(d->db));
	if (!d->stays && !is_same_file(d))
		die("%s: it was moved, removed or replaced while this run "
		    "wrote to it; what was written since is lost",
		    d->path);
	if (d->stays && !is_as_opened(d))
		die("%s: another process wrote to it meanwhile; try again",
		    d->path);
	free(d->path);
	free(d);
}

void
database_run(struct database *d, const char *sql)
{
	database_check_code(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL));
}
