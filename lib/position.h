/*
 * position - how far a file was read, and how to tell that it is that file:
 * by device and inode, by its size, and by a fingerprint of what was read,
 * the hash of the first and of the last few kilobytes of it.
 *
 * A name or an inode alone will not do: logs are renamed, copied and cut,
 * and inodes are used again.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef POSITION_H
#define POSITION_H

#include <sys/stat.h>
#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

struct position {
	int64_t device, inode; /* 0 for what is no regular file */
	int64_t offset;	       /* bytes used */
	int64_t line;	       /* the last one used */
	int64_t head, tail;    /* hashes */
};

enum position_change {
	POSITION_SAME,	  /* or grown */
	POSITION_SHORTER, /* than what was read */
	POSITION_OTHER,	  /* what was read is not there any more */
};

/*
 * Take down that the regular file fd was used up to offset.
 *
 * Errors: -1 with errno where it cannot be read.
 */
int position_take(struct position *p, int fd, off_t offset);

/* Tell what has become of what was read of the file. */
enum position_change position_check(const struct position *p, int fd);

/* Tell whether p is of this regular file, by device and inode. */
bool position_is_of(const struct position *p, const struct stat *st);

#endif
