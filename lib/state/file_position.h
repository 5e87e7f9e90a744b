/*
 * file_position - how far a file was read, and how to tell that it is that file:
 * by device and inode, by its size, and by a fingerprint of what was read,
 * the hash of the first and of the last few kilobytes of it.
 *
 * A name or an inode alone will not do: logs are renamed, copied and cut,
 * and inodes are used again.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_FILE_POSITION_H
#define STATE_FILE_POSITION_H

#include <sys/stat.h>
#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

struct file_position {
	int64_t device, inode; /* 0 for what is no regular file */
	int64_t offset;	       /* bytes used */
	int64_t line;	       /* the last one used */
	int64_t head, tail;    /* hashes */
};

enum file_position_change {
	FILE_POSITION_SAME,    /* or grown */
	FILE_POSITION_SHORTER, /* than what was read */
	FILE_POSITION_OTHER,   /* what was read is not there any more */
};

/*
 * Take down that the regular file fd was used up to offset.
 *
 * Errors: -1 with errno where it cannot be read.
 */
int file_position_take(struct file_position *p, int fd, off_t offset);

/* Tell what has become of what was read of the file. */
enum file_position_change file_position_check(const struct file_position *p,
    int fd);

/* Tell whether p is of this regular file, by device and inode. */
bool file_position_is_of(const struct file_position *p, const struct stat *st);

#endif
