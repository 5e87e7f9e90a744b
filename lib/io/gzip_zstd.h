/*
 * gzip_zstd - gzip and zstd, decompressed piece by piece.
 *
 * Members and frames may follow each other, of both kinds; zero bytes between
 * them are skipped.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_GZIP_ZSTD_H
#define IO_GZIP_ZSTD_H

#include <stdbool.h>

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include "base/span.h"

/* The bytes that show whether a file is compressed. */
enum { GZIP_ZSTD_MAGIC = 4 };

/* What the first bytes of a file are. */
enum gzip_zstd_kind {
	GZIP_ZSTD_PLAIN,
	GZIP_ZSTD_UNSURE, /* they are too few */
	GZIP_ZSTD_COMPRESSED,
};

enum gzip_zstd_kind gzip_zstd_detect(struct span first);

enum gzip_zstd_member {
	MEMBER_NONE, /* between two, and at the end */
	MEMBER_GZIP,
	MEMBER_ZSTD,
};

struct gzip_zstd {
	enum gzip_zstd_member member; /* that is being read */
	z_stream gzip;
	bool has_gzip;	    /* it is to be given back */
	ZSTD_DStream *zstd; /* NULL: none yet */
	const char *damage; /* what is wrong with the data, or NULL */
};

/* Shape:  d is all zero before. */
void gzip_zstd_fini(struct gzip_zstd *d);

/*
 * Decompress from *from, which is advanced, into `to`.  Returns the bytes
 * written; fewer than n means that from is used up.
 *
 * Shape:  n >= 1; from and n are below 4 GiB.
 * Errors: sets damage and returns early; what came out before is good.  Stops
 *         the program when memory runs out.
 */
size_t gzip_zstd_put(struct gzip_zstd *d, struct span *from, char *to,
    size_t n);

/* The data has ended; sets damage if a member is incomplete. */
void gzip_zstd_end(struct gzip_zstd *d);

#endif
