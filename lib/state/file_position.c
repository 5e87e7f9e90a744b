/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <unistd.h>

#include "base/hash.h"
#include "state/file_position.h"

enum { PRINT_BYTES = 4096 };

/* Hash n bytes from offset on; -1 where they are not there. */
static int
hash_at(int fd, off_t offset, size_t n, int64_t *hash)
{
	char bytes[PRINT_BYTES];
	size_t done = 0;

	while (done < n) {
		ssize_t got =
		    pread(fd, bytes + done, n - done, offset + (off_t)done);

		if (got <= 0)
			return -1;
		done += (size_t)got;
	}
	*hash = (int64_t)hash_seeded((struct span){ bytes, n }, 0);
	return 0;
}

static int
fingerprint(int fd, off_t offset, int64_t *head, int64_t *tail)
{
	size_t n = offset < PRINT_BYTES ? (size_t)offset : PRINT_BYTES;

	if (hash_at(fd, 0, n, head) < 0)
		return -1;
	return hash_at(fd, offset - (off_t)n, n, tail);
}

int
file_position_take(struct file_position *p, int fd, off_t offset)
{
	struct stat st;

	if (fstat(fd, &st) < 0 ||
	    fingerprint(fd, offset, &p->head, &p->tail) < 0)
		return -1;
	p->device = (int64_t)st.st_dev;
	p->inode = (int64_t)st.st_ino;
	p->offset = (int64_t)offset;
	return 0;
}

enum file_position_change
file_position_check(const struct file_position *p, int fd)
{
	struct stat st;
	int64_t head, tail;

	if (fstat(fd, &st) < 0 || st.st_size < p->offset)
		return FILE_POSITION_SHORTER;
	if (fingerprint(fd, (off_t)p->offset, &head, &tail) < 0 ||
	    head != p->head || tail != p->tail)
		return FILE_POSITION_OTHER;
	return FILE_POSITION_SAME;
}

bool
file_position_is_of(const struct file_position *p, const struct stat *st)
{
	return S_ISREG(st->st_mode) && p->device == (int64_t)st->st_dev &&
	    p->inode == (int64_t)st->st_ino;
}
