/*
 * SPDX-License-Identifier: ISC
 */
#include <zstd_errors.h>

#include "base/memory.h"
#include "io/gzip_zstd.h"

static const char gzip_magic[] = { '\x1f', '\x8b', '\x08' };
static const char zstd_magic[] = { '\x28', '\xb5', '\x2f', '\xfd' };
/* Of a frame that says something else; its first byte counts to 0x5f. */
static const char skip_magic[] = { '\x50', '\x2a', '\x4d', '\x18' };

static enum gzip_zstd_kind
compare(struct span s, const char *magic, size_t n)
{
	if (memcmp(s.p, magic, s.n < n ? s.n : n) != 0)
		return GZIP_ZSTD_PLAIN;
	return s.n < n ? GZIP_ZSTD_UNSURE : GZIP_ZSTD_COMPRESSED;
}

enum gzip_zstd_kind
gzip_zstd_detect(struct span first)
{
	if (first.n == 0)
		return GZIP_ZSTD_UNSURE;
	if (*first.p == *gzip_magic)
		return compare(first, gzip_magic, sizeof gzip_magic);
	if (*first.p == *zstd_magic)
		return compare(first, zstd_magic, sizeof zstd_magic);
	if ((*first.p & '\xf0') != *skip_magic)
		return GZIP_ZSTD_PLAIN;
	first = (struct span){ first.p + 1, first.n - 1 };
	return compare(first, skip_magic + 1, sizeof skip_magic - 1);
}

void
gzip_zstd_fini(struct gzip_zstd *d)
{
	if (d->has_gzip)
		inflateEnd(&d->gzip);
	ZSTD_freeDStream(d->zstd);
}

static void
begin_gzip(struct gzip_zstd *d)
{
	/* The largest window, and a gzip header alone. */
	int status = d->has_gzip ? inflateReset(&d->gzip) :
				   inflateInit2(&d->gzip, 15 + 16);

	if (status != Z_OK)
		memory_exhausted();
	d->has_gzip = true;
	d->member = MEMBER_GZIP;
}

static void
begin_zstd(struct gzip_zstd *d)
{
	if (d->zstd == NULL && (d->zstd = ZSTD_createDStream()) == NULL)
		memory_exhausted();
	ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
	d->member = MEMBER_ZSTD;
}

/* Begin what comes next, if anything does. */
static void
begin(struct gzip_zstd *d, struct span *from)
{
	while (from->n != 0 && *from->p == '\0')
		*from = (struct span){ from->p + 1, from->n - 1 };
	if (from->n == 0)
		return;
	switch (gzip_zstd_detect((struct span){ from->p, 1 })) {
	case GZIP_ZSTD_PLAIN:
		d->damage = "something else follows";
		break;
	case GZIP_ZSTD_UNSURE:
	case GZIP_ZSTD_COMPRESSED:
		if (*from->p == *gzip_magic)
			begin_gzip(d);
		else
			begin_zstd(d);
	}
}

static size_t
put_gzip(struct gzip_zstd *d, struct span *from, char *to, size_t n)
{
	z_stream *z = &d->gzip;
	size_t left;

	z->next_in = (z_const Bytef *)from->p;
	z->avail_in = (uInt)from->n;
	z->next_out = (Bytef *)to;
	z->avail_out = (uInt)n;
	switch (inflate(z, Z_NO_FLUSH)) {
	case Z_OK:
	case Z_BUF_ERROR: /* There is nothing to be done now. */
		break;
	case Z_STREAM_END:
		d->member = MEMBER_NONE;
		break;
	case Z_MEM_ERROR:
		memory_exhausted();
	default:
		d->damage = z->msg == NULL ? "not what gzip writes" : z->msg;
	}
	left = z->avail_in;
	*from = (struct span){ from->p + from->n - left, left };
	return n - z->avail_out;
}

static size_t
put_zstd(struct gzip_zstd *d, struct span *from, char *to, size_t n)
{
	ZSTD_inBuffer in = { from->p, from->n, 0 };
	ZSTD_outBuffer out = { to, n, 0 };
	size_t status = ZSTD_decompressStream(d->zstd, &out, &in);

	if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
		memory_exhausted();
	if (ZSTD_getErrorCode(status) ==
	    ZSTD_error_frameParameter_windowTooLarge)
		d->damage = "a window over 128 MB, which only `zstd --long=31 "
			    "-dc` decompresses";
	else if (ZSTD_isError(status))
		d->damage = ZSTD_getErrorName(status);
	else if (status == 0)
		d->member = MEMBER_NONE;
	*from = (struct span){ from->p + in.pos, from->n - in.pos };
	return out.pos;
}

size_t
gzip_zstd_put(struct gzip_zstd *d, struct span *from, char *to, size_t n)
{
	size_t done = 0, put, left;

	do {
		left = from->n;
		if (d->member == MEMBER_NONE)
			begin(d, from);
		put = d->member == MEMBER_GZIP ?
		    put_gzip(d, from, to + done, n - done) :
		    d->member == MEMBER_ZSTD ?
		    put_zstd(d, from, to + done, n - done) :
		    0;
		done += put;
	} while (d->damage == NULL && done < n &&
	    (put != 0 || from->n != left));
	return done;
}

void
gzip_zstd_end(struct gzip_zstd *d)
{
	if (d->damage == NULL && d->member != MEMBER_NONE)
		d->damage = "unexpected end";
}
