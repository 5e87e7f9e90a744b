/*
 * descriptor - calls on descriptors that take care of EINTR, short reads and
 * writes, and close-on-exec.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <sys/types.h>

#include <stdbool.h>

/*
 * Open a pipe, fds[0] to read from and fds[1] to write to.  Both are closed in
 * programs that are executed.
 *
 * Errors: -1 and errno; nothing is open then.
 */
int descriptor_pipe(int fds[2]);

/*
 * Open a file that is there.  A signal may interrupt that where the file system
 * asks another machine, or a program.
 *
 * Errors: -1 and errno.
 */
int descriptor_open(const char *name, int flags);

/*
 * Create a file beside another, whose place it is to take, and open it for
 * reading and writing.  Its name, which is put into name, is PATH.new- and
 * sixteen hex digits: others in each process, even where two containers give
 * processes the same number.
 *
 * Errors: -1 and errno, ENAMETOOLONG if size bytes do not hold the name.
 */
int descriptor_create_beside(const char *path, char *name, size_t size);

/*
 * Make reads and writes fail with EAGAIN instead of blocking.
 *
 * Errors: -1 and errno.
 */
int descriptor_never_block(int fd);

/*
 * Let the writer of a pipe get n bytes ahead of its reader, if the system can
 * do that; descriptors of other kinds stay as they are.
 *
 * Shape:  n is a power of two from 4096 to 1 MiB.
 * Errors: none.
 */
void descriptor_widen_pipe(int fd, size_t n);

/*
 * Write a byte to a pipe, to wake a thread that waits for its other end.
 *
 * Errors: none; stops the program if it cannot be written, since the thread
 *         would wait for ever.
 */
void descriptor_wake(int fd);

/*
 * _announce_end: tell the reader of a pipe that this process has been told to
 * end, and will write its last.  descriptor_will_end: whether the writer of a
 * pipe, another process, has said so, or is gone.  It is a lock on the pipe
 * (fcntl(2)), which takes no place among what is written.
 *
 * Errors: none; no end is announced where a system has no locks for pipes, or
 *         fd is no pipe.
 */
void descriptor_announce_end(int fd);
bool descriptor_will_end(int fd);

/*
 * Read n bytes of a file from an offset on.  Returns how many were read, which
 * is less than n only at the end of the file.
 *
 * Errors: -1 and errno.
 */
ssize_t descriptor_read_at(int fd, void *p, size_t n, off_t offset);

/*
 * Write n bytes.  With `waits`, also where somebody has made our end of a pipe
 * non-blocking, and it is full; else that is an error.
 *
 * Errors: -1 and errno; some may have been written.
 */
int descriptor_write(int fd, const char *p, size_t n, bool waits);

/*
 * Tell whether fd is the same file as stdout or stderr.
 *
 * Errors: true if the system does not know: then it is better left alone.
 */
bool descriptor_is_standard(int fd);

/*
 * Let stdout and stderr append if they are the same file as fd, which appends.
 * After `2>FILE` they would write over what was written through fd.
 *
 * Errors: none.
 */
void descriptor_append_with(int fd);

/* Raise the limit of open files to n + 32, as far as the system allows. */
void descriptor_raise_limit(size_t n);

#endif
