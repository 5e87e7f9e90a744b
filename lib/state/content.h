/*
 * content - what was read of a file, or written to one: how much, and how to
 * tell whether it still stands there.
 *
 * Content is known by its length, its beginning and its end.  These are kept as
 * the bytes go by, so that they are known of a file that was truncated since,
 * too, and of what comes from a decompressor.  A mark is what is stored of them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_CONTENT_H
#define STATE_CONTENT_H

#include <sys/stat.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { CONTENT_HEAD = 1024, CONTENT_TAIL = 4096 };

struct content {
	int64_t length;
	char head[CONTENT_HEAD], tail[CONTENT_TAIL]; /* all of it if shorter */
};

struct content_mark {
	int64_t length;
	int64_t head, tail; /* hashes, the same on every machine */
};

/* A regular file in which content is looked for. */
struct content_file {
	const char *name; /* in messages */
	int fd;
	bool packed; /* its content is compressed: what comes out counts */
	struct stat st;
	char head[CONTENT_HEAD];
	int64_t head_hash;
};

/*
 * Append bytes.
 *
 * Shape:  at least one.
 * Errors: none.
 */
void content_add(struct content *c, struct span bytes);

struct content_mark content_mark(const struct content *c);

/* The last bytes of it. */
struct span content_tail(const struct content *c);

/*
 * Take in what the mark was made of, from the beginning of a file.
 *
 * Errors: false where it is not there; stops the program where the file,
 *         which messages call name, cannot be read.
 */
bool content_load(struct content *c, int fd, const char *name,
    const struct content_mark *m);

/* The same for the first bytes, whatever they are. */
bool content_load_first(struct content *c, int fd, const char *name,
    int64_t length);

/*
 * Take in the first bytes of what comes out of a compressed file.
 *
 * Errors: false where they are fewer, or the file is damaged; what there are
 *         is in c then.  Stops the program where it cannot be read.
 */
bool content_load_packed(struct content *c, int fd, const char *name,
    int64_t length);

/*
 * Tell whether a file has these bytes at an offset.
 *
 * Shape:  of many bytes only the last ones are looked at.
 * Errors: stops the program where the file cannot be read.
 */
bool content_is_at(int fd, const char *name, int64_t offset, struct span bytes);

/*
 * Get ready to look for several marks in an operand's regular file, which is
 * open.
 *
 * Owns:   fd and operand are kept, not copied.
 * Errors: stops the program where the file cannot be read.
 */
void content_file_init(struct content_file *f, int fd, const char *operand);

/*
 * Ask what an operand names; and open it, to be closed again.
 *
 * Errors: false where it is no regular file, or is not there any more; stops
 *         the program where it cannot be asked or read.
 */
bool content_file_see(const char *operand, struct stat *st);
bool content_file_open(struct content_file *f, const char *operand);
void content_file_close(const struct content_file *f);

/*
 * Tell whether the file begins with what the mark was made of.
 *
 * Errors: as above.
 */
bool content_file_has(const struct content_file *f,
    const struct content_mark *m);

#endif
