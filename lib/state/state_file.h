/*
 * state_file - open the file of a store before SQLite does: check that it is a
 * state file, and lock the parts that this process uses.
 *
 * SQLite may write to a file that it opens, so whether it is a state file is
 * checked first, by its first bytes.  A part is locked by a byte far behind the
 * end of the file: such locks end with the process, however that ends, and
 * tell which process holds them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STATE_FILE_H
#define STATE_STATE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Open the file and return its descriptor.  With create, a missing file is
 * made; without, the file need not be writable.
 *
 * Units:  *size is the file's, in bytes.
 * Owns:   the caller closes the descriptor after the database, since closing
 *         any descriptor of a file gives up all locks of the process on it.
 * Errors: none; stops the program if the file cannot be opened, is not a state
 *         file, has another version, or is too short.  It is not changed then.
 */
int state_file_open(const char *path, bool create, off_t *size);

/*
 * Lock a part, by its number; name is for the message.
 *
 * Errors: none; stops the program if another process still holds the part
 *         after a moment; the message says which.
 */
void state_file_hold(int fd, const char *path, const char *name, int64_t part);

#endif
