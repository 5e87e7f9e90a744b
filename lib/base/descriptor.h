/*
 * descriptor - what the system's calls on descriptors leave to their callers.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <sys/types.h>

/*
 * Open a pipe, fds[0] to read from and fds[1] to write to, of which no child
 * inherits an end that it is not given.
 *
 * Errors: -1 and errno; nothing is open then.
 */
int descriptor_pipe(int fds[2]);

/*
 * Have reads or writes fail where they would block.
 *
 * Errors: -1 and errno.
 */
int descriptor_never_block(int fd);

/*
 * Write a byte to a pipe, to wake whoever waits for the other end.
 *
 * Errors: none; stops the program, which nobody would ever wake.
 */
void descriptor_wake(int fd);

/*
 * Read n bytes of a file from an offset on.
 *
 * Errors: -1 and errno.  Returns how many there are, less than n only where
 *         the file ends.
 */
ssize_t descriptor_read_at(int fd, void *p, size_t n, off_t offset);

#endif
