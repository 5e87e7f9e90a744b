/*
 * file_uses - check that no file which a command writes is also read, part of
 * its state, or written for another option.
 *
 * Add all files that the command line names, then check.  Files are compared
 * by device and inode; a file that does not exist yet by its folder and name.
 * Only regular files count, and descriptors (/dev/fd/5) that are not open.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_FILE_USES_H
#define IO_FILE_USES_H

#include "tuple/options.h"

struct file_use;

/* A zeroed struct is ready for use.  Files that are read are added first. */
struct file_uses {
	struct file_use *list;
	size_t n, cap;
};

/* Add the files that are read; `-`, or no name, is stdin. */
void file_uses_read(struct file_uses *u, char *const *names, size_t n);

/* Add the file of the state, and those that SQLite has beside it. */
void file_uses_keep(struct file_uses *u, const char *path);

/*
 * Add a file that is written for an option; none if path is NULL or empty.
 * Options whose shares is true can write to the same file.
 */
void file_uses_write(struct file_uses *u, const char *option, const char *path,
    bool shares);
void file_uses_write_stdout(struct file_uses *u);

/*
 * Compare all files that were added, and free u.  Call it before anything is
 * opened for writing.
 *
 * Errors: none; calls options_misuse if a file has two uses.
 */
void file_uses_check(struct file_uses *u, const struct command *command);

/*
 * Check that no pipe, nor `-`, is among inputs twice that are read side by side:
 * each would get a part of the lines, and parts of lines.
 *
 * Errors: none; calls options_misuse if one is.
 */
void file_uses_check_pipes(char *const *names, size_t n,
    const struct command *command);

#endif
