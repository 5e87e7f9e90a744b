/*
 * state_file - the file of a store, before any database sees it: whether it
 * is one of ours, and who holds which part of it.
 *
 * A database may write to what it opens, if only to tidy up, so a file that
 * is not ours is told by its first bytes, which are read here.  A part is
 * held by a lock on a byte far behind the end, since such locks go with the
 * process, however it ends, and tell whose they are.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STATE_FILE_H
#define STATE_STATE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Open the file, which is made where it is not there and create is set; else
 * it may be one that can only be read.
 *
 * Owns:   the result is a descriptor, which is to stay open for as long as
 *         the database is: closing any descriptor of the file gives up the
 *         locks of the whole process.
 * Units:  *size is bytes.
 * Errors: stops the program where the file is no state file, of another
 *         version, cut short, or cannot be opened; it is then as it was.
 */
int state_file_open(const char *path, bool create, off_t *size);

/*
 * Hold a part, by its number.
 *
 * Errors: stops the program where another process has held it for longer
 *         than a moment, and says which.
 */
void state_file_hold(int fd, const char *path, const char *name, int64_t part);

#endif
