/*
 * file_uses - the files that a command line names, and what for: no file that
 * is written to may be one that is read, part of the state, or one that
 * something else is written to.
 *
 * Files are told apart by device and inode, what does not exist yet by its
 * folder and its name there.  Only regular files count.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_FILE_USES_H
#define IO_FILE_USES_H

#include "tuple/options.h"

struct file_use;

/* A zeroed one is ready for use.  What is read is added first. */
struct file_uses {
	struct file_use *list;
	size_t n, cap;
};

/* Files are read, `-` being stdin; stdin where there are none. */
void file_uses_read(struct file_uses *u, char *const *names, size_t n);

/* The state is kept there, and in the files that SQLite has beside it. */
void file_uses_keep(struct file_uses *u, const char *path);

/*
 * An option has a file written, unless path is NULL or empty.  Those that
 * share may be one file: lines are appended to it, in no order that matters.
 */
void file_uses_write(struct file_uses *u, const char *option, const char *path,
    bool shares);
void file_uses_write_stdout(struct file_uses *u);

/*
 * Hold all against each other, before anything is opened for writing, and
 * forget them.
 *
 * Errors: none; options_misuse where one file has two uses.
 */
void file_uses_check(struct file_uses *u, const struct command *command);

#endif
