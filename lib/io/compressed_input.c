/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>

#include "base/diagnostics.h"
#include "io/decompressor.h"
#include "io/gzip_zstd.h"
#include "io/input_internal.h"

void
input_decompress(struct input *in, struct span first)
{
	in->decompressor = decompressor_start(in->fd, first);
	if (in->decompressor == NULL) {
		input_fail(in);
		return;
	}
	in->compressed_fd = in->fd;
	in->fd = decompressor_fd(in->decompressor);
	in->end = in->start;
	in->unknown = false;
	in->wide = true;
	in->size = -1;
}

void
input_end_decompression(struct input *in)
{
	struct decompressed how;

	decompressor_stop(in->decompressor, &how);
	in->decompressor = NULL;
	in->fd = in->compressed_fd;
	errno = how.error;
	if (how.error != 0)
		input_fail(in);
	if (how.damage == NULL)
		return;
	in->is_damaged = true;
	input_note_damage(in, how.damage, 0);
}

bool
input_try_decompress(struct input *in)
{
	struct span first = { in->p + in->start, in->end - in->start };
	enum gzip_zstd_kind kind = gzip_zstd_detect(first);

	in->unknown = kind == GZIP_ZSTD_UNSURE;
	if (kind == GZIP_ZSTD_COMPRESSED)
		input_decompress(in, first);
	return kind != GZIP_ZSTD_PLAIN;
}
