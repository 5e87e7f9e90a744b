/*
 * gzip_zstd - any bytes as a compressed file, whole and in pieces: the same
 * must come out, however they are cut.  Of a damaged file more may come out in one
 * way than in the other, and it must be told as damaged in both.
 *
 * The first byte tells how long the pieces are.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "io/gzip_zstd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of a few bytes may hold gigabytes. */
enum { MOST = 1 << 18, ROOM = 4096 };

/* Decompress text, n bytes at a time.  Returns what is wrong, or NULL. */
static const char *
decode(struct span text, size_t n, struct buffer *out)
{
	struct gzip_zstd d = { 0 };
	const char *damage;

	while (text.n != 0 && d.damage == NULL && out->n < MOST) {
		struct span piece = { text.p, text.n < n ? text.n : n };
		char *exact = malloc(piece.n);
		struct span rest = { exact, piece.n };
		size_t got;

		memcpy(exact, piece.p, piece.n);
		do {
			got = gzip_zstd_put(&d, &rest, buffer_room(out, ROOM),
			    ROOM);
			out->n += got;
		} while (got == ROOM && d.damage == NULL && out->n < MOST);
		if (got < ROOM && d.damage == NULL && rest.n != 0)
			abort();
		free(exact);
		text.p += piece.n;
		text.n -= piece.n;
	}
	if (d.damage == NULL && out->n < MOST)
		gzip_zstd_end(&d);
	damage = d.damage;
	gzip_zstd_fini(&d);
	return damage;
}

/* Of a whole frame with an empty last block libzstd checks the size, too. */
static bool
libzstd_differs(const char *damage)
{
	return damage != NULL &&
	    strcmp(damage, "Data corruption detected") == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buffer whole = { 0 }, pieces = { 0 };
	const char *one, *other;
	struct span text;
	size_t least;

	if (size < 2)
		return 0;
	text = (struct span){ (const char *)data + 1, size - 1 };
	one = decode(text, text.n, &whole);
	other = decode(text, (size_t)*data + 1, &pieces);
	if (!libzstd_differs(one) && (one != NULL) != (other != NULL) &&
	    whole.n < MOST && pieces.n < MOST)
		abort();
	least = whole.n < pieces.n ? whole.n : pieces.n;
	if ((one == NULL && least < MOST && whole.n != pieces.n) ||
	    (least != 0 && memcmp(whole.p, pieces.p, least) != 0))
		abort();
	buffer_fini(&whole);
	buffer_fini(&pieces);
	return 0;
}
