/*
 * decompressor - a thread that reads a compressed file and writes what was in
 * it to a pipe, for whoever would have read the file to read instead.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_DECOMPRESSOR_H
#define IO_DECOMPRESSOR_H

#include "base/span.h"

struct decompressor;

/* How it went. */
struct decompressed {
	const char *damage; /* what is wrong with the data, or NULL */
	int error;	    /* why the file cannot be read, of errno, or 0 */
};

/*
 * Start decompressing a file from where it stands, of which first was read
 * already.
 *
 * Shape:  gzip_zstd_look(first) is GZIP_ZSTD_COMPRESSED, or first is empty.
 * Owns:   fd is the thread's until _stop, and open then; copies first.
 * Errors: NULL and errno where there are no descriptors or threads.
 */
struct decompressor *decompressor_start(int fd, struct span first);

/* What to read from; its end is that of the data, or of those that are good. */
int decompressor_fd(const struct decompressor *d);

/*
 * Stop, though not all may have been read, and close what was read from.
 *
 * Errors: none; fills in how.
 */
void decompressor_stop(struct decompressor *d, struct decompressed *how);

#endif
