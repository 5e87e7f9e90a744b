/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/gzip_zstd.h"
#include "state/content.h"
#include "tuple/options.h"

enum { PACKED_BLOCK = 32 * 1024, HASHED_BLOCK = 256 * 1024 };

static size_t
least(int64_t length, size_t most)
{
	return length < (int64_t)most ? (size_t)length : most;
}

/* 0 of nothing. */
static int64_t
hash(const char *p, size_t n)
{
	return n == 0 ? 0 : (int64_t)hash_seeded((struct span){ p, n }, 0);
}

/* Read n bytes from an offset on, or as many as are there. */
static size_t
read_at(int fd, const char *name, int64_t offset, char *to, size_t n)
{
	ssize_t got = descriptor_read_at(fd, to, n, (off_t)offset);

	if (got < 0)
		die_errno("%s", name);
	return (size_t)got;
}

void
content_add(struct content *c, struct span bytes)
{
	size_t head = least(c->length, CONTENT_HEAD);
	size_t tail = least(c->length, CONTENT_TAIL);
	size_t n = least((int64_t)bytes.n, CONTENT_TAIL), keep = tail;

	if (n == 0)
		return;
	if (keep > CONTENT_TAIL - n)
		keep = CONTENT_TAIL - n;
	memcpy(c->head + head, bytes.p, least((int64_t)n, CONTENT_HEAD - head));
	memmove(c->tail, c->tail + tail - keep, keep);
	memcpy(c->tail + keep, bytes.p + bytes.n - n, n);
	c->length += (int64_t)bytes.n;
}

struct content_mark
content_mark(const struct content *c)
{
	return (struct content_mark){ .length = c->length,
		.head = hash(c->head, least(c->length, CONTENT_HEAD)),
		.tail = hash(c->tail, least(c->length, CONTENT_TAIL)) };
}

struct span
content_tail(const struct content *c)
{
	return (struct span){ c->tail, least(c->length, CONTENT_TAIL) };
}

bool
content_load_first(struct content *c, int fd, const char *name, int64_t length)
{
	size_t head = least(length, CONTENT_HEAD);
	size_t tail = least(length, CONTENT_TAIL);

	c->length = length;
	return read_at(fd, name, 0, c->head, head) == head &&
	    read_at(fd, name, length - (int64_t)tail, c->tail, tail) == tail;
}

bool
content_load(struct content *c, int fd, const char *name,
    const struct content_mark *m)
{
	struct content_mark found;

	if (!content_load_first(c, fd, name, m->length))
		return false;
	found = content_mark(c);
	return found.head == m->head && found.tail == m->tail;
}

/* Decompress a block of a file, up to length; hash may be NULL. */
static void
add_block(struct content *c, struct gzip_zstd *d, struct span block,
    int64_t length, XXH3_state_t *hash)
{
	char out[PACKED_BLOCK];
	size_t n;

	do {
		struct span got = { out, 0 };

		n = gzip_zstd_put(d, &block, out, sizeof out);
		got.n = least(length - c->length, n);
		content_add(c, got);
		if (hash != NULL)
			XXH3_64bits_update(hash, got.p, got.n);
	} while (n == sizeof out && c->length < length);
}

static bool
load_compressed(struct content *c, int fd, const char *name, int64_t length,
    XXH3_state_t *hash)
{
	char *in = memory_new(PACKED_BLOCK, 1);
	struct gzip_zstd d = { 0 };
	int64_t at = 0;
	size_t n;

	c->length = 0;
	while (c->length < length && d.damage == NULL &&
	    (n = read_at(fd, name, at, in, PACKED_BLOCK)) != 0) {
		add_block(c, &d, (struct span){ in, n }, length, hash);
		at += (int64_t)n;
	}
	gzip_zstd_fini(&d);
	free(in);
	return c->length == length;
}

bool
content_load_compressed(struct content *c, int fd, const char *name,
    int64_t length)
{
	return load_compressed(c, fd, name, length, NULL);
}

bool
content_is_at(int fd, const char *name, int64_t offset, struct span bytes)
{
	char there[CONTENT_TAIL];
	size_t n = least((int64_t)bytes.n, CONTENT_TAIL), before = bytes.n - n;

	return read_at(fd, name, offset + (int64_t)before, there, n) == n &&
	    (n == 0 || memcmp(there, bytes.p + before, n) == 0);
}

void
content_file_init(struct content_file *f, int fd, const char *operand)
{
	struct content c;
	size_t n;

	f->name = operand_name(operand);
	f->fd = fd;
	if (fstat(fd, &f->st) < 0)
		die_errno("%s", f->name);
	n = read_at(fd, f->name, 0, f->head,
	    least((int64_t)f->st.st_size, CONTENT_HEAD));
	f->compressed = gzip_zstd_detect((struct span){ f->head, n }) ==
	    GZIP_ZSTD_COMPRESSED;
	if (f->compressed) {
		content_load_compressed(&c, fd, f->name, CONTENT_HEAD);
		n = least(c.length, CONTENT_HEAD);
		memcpy(f->head, c.head, n);
	}
	f->head_hash = hash(f->head, n);
}

bool
content_file_see(const char *operand, struct stat *st)
{
	if ((operand_is_stdin(operand) ? fstat(STDIN_FILENO, st) :
					 stat(operand, st)) == 0)
		return S_ISREG(st->st_mode);
	if (errno != ENOENT)
		die_errno("%s", operand_name(operand));
	return false;
}

bool
content_file_open(struct content_file *f, const char *operand)
{
	int fd = STDIN_FILENO;

	/* A pipe must not be opened: it would have had a reader. */
	if (!content_file_see(operand, &f->st))
		return false;
	if (!operand_is_stdin(operand))
		fd = open(operand, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		content_file_init(f, fd, operand);
	else if (errno != ENOENT)
		die_errno("%s", operand);
	return fd >= 0;
}

void
content_file_close(const struct content_file *f)
{
	if (f->fd != STDIN_FILENO)
		close(f->fd);
}

bool
content_file_has(const struct content_file *f, const struct content_mark *m)
{
	size_t head = least(m->length, CONTENT_HEAD);
	size_t tail = least(m->length, CONTENT_TAIL);
	char end[CONTENT_TAIL];
	struct content c;

	if (!f->compressed && m->length > (int64_t)f->st.st_size)
		return false;
	if (m->head !=
	    (head == CONTENT_HEAD ? f->head_hash : hash(f->head, head)))
		return false;
	if (f->compressed)
		return content_load_compressed(&c, f->fd, f->name, m->length) &&
		    content_mark(&c).tail == m->tail;
	return read_at(f->fd, f->name, m->length - (int64_t)tail, end, tail) ==
	    tail &&
	    m->tail == hash(end, tail);
}

void
content_file_hash(const struct content_file *f, int64_t length,
    XXH3_state_t *hash)
{
	char *block;
	size_t n = 1;
	struct content c;

	XXH3_64bits_reset(hash);
	if (f->compressed) {
		load_compressed(&c, f->fd, f->name, length, hash);
		return;
	}
	block = memory_new(HASHED_BLOCK, 1);
	for (int64_t at = 0; at < length && n != 0; at += (int64_t)n) {
		n = read_at(f->fd, f->name, at, block,
		    least(length - at, HASHED_BLOCK));
		XXH3_64bits_update(hash, block, n);
	}
	free(block);
}
