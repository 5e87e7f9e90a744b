/*
 * content - recognize the bytes that were read of a file, or written to one,
 * when the file is opened again.
 *
 * Content is recognized by its length, its beginning and its end.  These are
 * kept while the bytes go by; so they are known even if the file was truncated
 * since, or came from a decompressor.  A state stores a mark, with hashes of
 * them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_CONTENT_H
#define STATE_CONTENT_H

#include <sys/stat.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/span.h"

enum { CONTENT_HEAD = 1024, CONTENT_TAIL = 4096 };

struct content {
	int64_t length;
	char head[CONTENT_HEAD], tail[CONTENT_TAIL]; /* all of short content */
};

struct content_mark {
	int64_t length;
	int64_t head, tail; /* hashes, the same on every machine */
};

/* An open regular file that is searched for content. */
struct content_file {
	const char *name; /* for messages */
	int fd;
	bool compressed; /* its content is compressed: what comes out counts */
	struct stat st;
	char head[CONTENT_HEAD];
	int64_t head_hash;
};

/*
 * Append bytes, which may be none, to a zeroed content or one that has some.
 *
 * Errors: none.
 */
void content_add(struct content *c, struct span bytes);

/* Make the mark of a content. */
struct content_mark content_mark(const struct content *c);

/* The last CONTENT_TAIL bytes, or all. */
struct span content_tail(const struct content *c);

/*
 * Load the first m->length bytes of a file, if they match m.
 *
 * Shape:  name is the file's, for messages.
 * Errors: false if they do not match; stops the program if the file cannot
 *         be read.
 */
bool content_load(struct content *c, int fd, const char *name,
    const struct content_mark *m);

/*
 * content_load of `length` bytes, without a mark.
 *
 * Errors: false if the file has fewer; else as content_load.
 */
bool content_load_first(struct content *c, int fd, const char *name,
    int64_t length);

/*
 * Load the first bytes that a compressed file decompresses to.
 *
 * Errors: false if there are fewer, or the file is damaged; c has those that
 *         there are.  Stops the program if the file cannot be read.
 */
bool content_load_compressed(struct content *c, int fd, const char *name,
    int64_t length);

/*
 * Tell whether a file has these bytes at an offset.  Of many bytes only the
 * last ones are compared.
 *
 * Errors: none; stops the program if the file cannot be read.
 */
bool content_is_at(int fd, const char *name, int64_t offset, struct span bytes);

/*
 * Prepare to search a regular file, which is open as fd, for several marks.
 *
 * Owns:   fd and operand are kept, not copied.
 * Errors: none; stops the program if the file cannot be read.
 */
void content_file_init(struct content_file *f, int fd, const char *operand);

/*
 * Get the stat(2) of an operand; open it for content_file_has, then close it.
 *
 * Errors: false if it is not a regular file, or no longer exists; stops the
 *         program if the system refuses or the file cannot be read.
 */
bool content_file_see(const char *operand, struct stat *st);
bool content_file_open(struct content_file *f, const char *operand);
void content_file_close(const struct content_file *f);

/*
 * Tell whether the file begins with the content of a mark.
 *
 * Errors: none; stops the program if the file cannot be read.
 */
bool content_file_has(const struct content_file *f,
    const struct content_mark *m);

/*
 * Begin a hash anew, with the first bytes of the content, or all if it has fewer.
 *
 * Errors: none; stops the program if the file cannot be read.
 */
void content_file_hash(const struct content_file *f, int64_t length,
    XXH3_state_t *hash);

#endif
