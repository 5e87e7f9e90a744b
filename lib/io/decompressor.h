/*
 * decompressor - a thread that reads a compressed file and writes what was in
 * it to a pipe, which the caller reads in place of the file.
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
	/* errno of reading, or 0; may be EPIPE after an early _stop. */
	int error;
};

/*
 * Start decompressing a file from its current offset; first was read already.
 *
 * Shape:  gzip_zstd_detect(first) is GZIP_ZSTD_COMPRESSED, or first is empty.
 * Owns:   fd is the thread's until _stop, and open then; copies first.
 * Errors: NULL and errno if there are no descriptors or threads.
 */
struct decompressor *decompressor_start(int fd, struct span first);

/* What to read from; EOF is the end of the data, or of its undamaged part. */
int decompressor_fd(const struct decompressor *d);

/*
 * Stop, even if not all was read, close what was read from, and free d.
 *
 * Errors: none; fills in how.
 */
void decompressor_stop(struct decompressor *d, struct decompressed *how);

#endif
