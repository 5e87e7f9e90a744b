/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "state/database.h"
#include "state/state_file.h"

enum {
	HELD_MS = 2000,	   /* wait so long for a part */
	FILLED_MS = 30000, /* and for an empty file */
	HELD_POLL_MS = 20,
	SIZE_AT = 28, /* pages, in the header */
	PAGE_AT = 16,
	VERSION_AT = 60,
	APPLICATION_AT = 68,
};

/* Far behind what any file has, and what databases lock. */
static const off_t LOCKS_AT = (off_t)1 << 60;

static const char schema[] =
    "CREATE TABLE tupletools_parts (part INTEGER PRIMARY KEY, "
    "name TEXT NOT NULL UNIQUE COLLATE NOCASE, command TEXT NOT NULL); "
    "CREATE TABLE tupletools_options (part INTEGER, option TEXT, text TEXT, "
    "PRIMARY KEY (part, option)) WITHOUT ROWID; "
    "CREATE TABLE tupletools_values (part INTEGER, name TEXT, value, "
    "PRIMARY KEY (part, name)) WITHOUT ROWID";

/* The file that is being made, for when the program stops meanwhile. */
static char unfinished[4096];

static void
remove_unfinished(void)
{
	static const char *const logs[] = { "-journal", "-wal", "-shm" };
	size_t n = strlen(unfinished);

	if (n == 0)
		return;
	unlink(unfinished);
	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		snprintf(unfinished + n, sizeof unfinished - n, "%s", logs[i]);
		unlink(unfinished);
	}
	unfinished[n] = '\0';
}

/*
 * Make a complete file under another name and put it in its place, so that
 * nobody ever sees half of one.  It takes the place of the empty file that st
 * is of, unless that is NULL, with the permissions of that.
 */
static void
create_file(const char *path, const struct stat *st)
{
	/* With room for the ends of names that remove_unfinished has. */
	int fd =
	    descriptor_create_beside(path, unfinished, sizeof unfinished - 8);

	if (fd < 0)
		die_errno("%s", path);
	atexit(remove_unfinished);
	if (st != NULL && fchmod(fd, st->st_mode & 07777) < 0)
		die_errno("%s", unfinished);
	close(fd);
	database_create(unfinished, schema);
	/* Where another process was quicker, its file is as good. */
	if ((st != NULL ? rename(unfinished, path) : link(unfinished, path)) <
		0 &&
	    errno != EEXIST)
		die_errno("%s", path);
	remove_unfinished();
	unfinished[0] = '\0';
}

/* Begin a state where there is nothing, or in the empty file that st is of. */
static void
begin_file(const char *path, const struct stat *st)
{
	char *target = st == NULL ? NULL : realpath(path, NULL);
	struct stat link;

	/* Unless another process has just made it. */
	if (database_has_log(target == NULL ? path : target) &&
	    (st != NULL || access(path, F_OK) < 0))
		die("%s: there is no state, but a log of one, %s-wal; move "
		    "that away, too",
		    path, target == NULL ? path : target);
	/* A link would be replaced, and one to nothing is never filled. */
	if (st == NULL && lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
		die("%s: expected a state file, got a link to nothing", path);
	create_file(target == NULL ? path : target, st);
	free(target);
}

static uint32_t
big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

static void
check_header(const char *path, int fd)
{
	static const char magic[16] = "SQLite format 3";
	unsigned char h[DATABASE_HEADER_BYTES] = { 0 };
	uint32_t page, version;
	struct stat now;

	if (descriptor_read_at(fd, h, sizeof h, 0) < 0)
		die_errno("%s", path);
	if (memcmp(h, magic, sizeof magic) != 0)
		die("%s: expected a state file, got another kind of file",
		    path);
	if (big_endian(h + APPLICATION_AT) != DATABASE_APPLICATION)
		die("%s: expected a state file, got the database of another "
		    "program",
		    path);
	version = big_endian(h + VERSION_AT);
	if (version != DATABASE_VERSION)
		die("%s: the state file has version %" PRIu32
		    ", which is %s than %d, the one this program knows; "
		    "the release that wrote it can --dump it",
		    path, version,
		    version > DATABASE_VERSION ? "newer" : "older",
		    DATABASE_VERSION);
	page = (uint32_t)h[PAGE_AT] << 8 | h[PAGE_AT + 1];
	page = page == 1 ? 65536 : page;
	/* Whoever removes a log has carried it over: the size is looked at last. */
	if (!database_has_log(path) && fstat(fd, &now) == 0 &&
	    now.st_size < (off_t)big_endian(h + SIZE_AT) * (off_t)page)
		die("%s: the state is damaged: it has been cut short", path);
}

/* Wait until nobody else fills an empty file.  False: somebody has done it. */
static bool
is_still_empty(int fd, const char *path, const struct stat *st)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat now;

	/* What it makes replaces all that is there, however slow its disk is. */
	for (int ms = 0; fcntl(fd, F_SETLK, &lock) < 0 &&
	     (errno == EAGAIN || errno == EACCES);
	     ms += HELD_POLL_MS) {
		if (ms >= FILLED_MS)
			die("%s: another program holds the file", path);
		poll(NULL, 0, HELD_POLL_MS);
	}
	return stat(path, &now) == 0 && now.st_dev == st->st_dev &&
	    now.st_ino == st->st_ino && now.st_size == 0;
}

int
state_file_open(const char *path, bool create, off_t *size)
{
	struct stat st;
	int fd;

	for (;;) {
		fd = descriptor_open(path, O_RDWR);
		if (fd < 0 && !create && errno != ENOENT)
			fd = descriptor_open(path, O_RDONLY);
		if (fd < 0 && (errno != ENOENT || !create))
			die_errno("%s", path);
		if (fd < 0) {
			begin_file(path, NULL);
			continue;
		}
		if (fstat(fd, &st) < 0)
			die_errno("%s", path);
		if (!S_ISREG(st.st_mode))
			die("%s: expected a state file, got no regular file",
			    path);
		if (st.st_size != 0 || !create)
			break;
		if (is_still_empty(fd, path, &st))
			begin_file(path, &st);
		close(fd);
	}
	check_header(path, fd);
	*size = st.st_size;
	return fd;
}

void
state_file_hold(int fd, const char *path, const char *name, int64_t part)
{
	struct flock lock = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = LOCKS_AT + (off_t)part,
		.l_len = 1 };

	for (int ms = 0; fcntl(fd, F_SETLK, &lock) < 0; ms += HELD_POLL_MS) {
		if (errno != EAGAIN && errno != EACCES)
			die_errno("%s", path);
		if (ms < HELD_MS) {
			poll(NULL, 0, HELD_POLL_MS);
			continue;
		}
		if (fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
			die("%s: '%s' is in use by process %ld", path, name,
			    (long)lock.l_pid);
		lock.l_type = F_WRLCK;
	}
}
