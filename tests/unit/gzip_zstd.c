/*
 * gzip_zstd - members of both kinds, in whatever pieces, whole, cut and changed.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "io/gzip_zstd.h"

enum { ROUNDS = 400, MEMBERS = 4, TEXT = 5000 };

static struct random rng = { 5 };

static size_t
below(size_t n)
{
	return (size_t)random_below(&rng, n);
}

static void
put_gzip(struct buffer *to, struct span text)
{
	z_stream z = { 0 };
	uLong room;

	CHECK(deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8,
		  Z_DEFAULT_STRATEGY) == Z_OK);
	room = deflateBound(&z, (uLong)text.n);
	z.next_in = (z_const Bytef *)text.p;
	z.avail_in = (uInt)text.n;
	z.next_out = (Bytef *)buffer_room(to, room);
	z.avail_out = (uInt)room;
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	to->n += z.total_out;
	deflateEnd(&z);
}

static void
put_zstd(struct buffer *to, struct span text)
{
	size_t room = ZSTD_compressBound(text.n);
	size_t n =
	    ZSTD_compress(buffer_room(to, room), room, text.p, text.n, 1);

	CHECK(!ZSTD_isError(n));
	to->n += n;
}

/* Some members, with zeros between them at times. */
static void
make(struct buffer *text, struct buffer *packed)
{
	size_t start;

	text->n = packed->n = 0;
	for (size_t i = below(MEMBERS) + 1; i > 0; i--) {
		start = text->n;
		for (size_t n = below(TEXT); n > 0; n--)
			buffer_byte(text, (char)('a' + below(7) * below(2)));
		(below(2) == 0 ? put_gzip : put_zstd)(packed,
		    (struct span){ text->p + start, text->n - start });
		if (below(4) == 0)
			buffer_put(packed, SPAN("\0\0\0\0\0"));
	}
}

/* Decompress it in pieces; the damage, if there is any. */
static const char *
decompress(struct buffer *to, struct span packed, size_t piece)
{
	struct gzip_zstd d = { 0 };
	const char *damage;
	char out[512];

	to->n = 0;
	while (packed.n != 0 && d.damage == NULL) {
		size_t n = below(piece) + 1, room = below(sizeof out) + 1, put;
		struct span from = { packed.p, n < packed.n ? n : packed.n };

		packed = (struct span){ packed.p + from.n, packed.n - from.n };
		do {
			put = gzip_zstd_put(&d, &from, out, room);
			buffer_put(to, (struct span){ out, put });
		} while (put == room);
		CHECK(from.n == 0 || d.damage != NULL);
	}
	gzip_zstd_end(&d);
	damage = d.damage;
	gzip_zstd_fini(&d);
	return damage;
}

static bool
begins(const struct buffer *text, const struct buffer *with)
{
	return with->n <= text->n &&
	    (with->n == 0 || memcmp(text->p, with->p, with->n) == 0);
}

static void
check_random(void)
{
	struct buffer text = { 0 }, packed = { 0 }, got = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		struct span all;

		make(&text, &packed);
		all = buffer_span(&packed);
		CHECK(gzip_zstd_detect(all) == GZIP_ZSTD_COMPRESSED);
		CHECK(decompress(&got, all, i % 2 ? 3 : 4096) == NULL);
		CHECK(got.n == text.n && begins(&text, &got));
		all.n = below(all.n);
		decompress(&got, all, 4096);
		CHECK(begins(&text, &got));
		packed.p[below(packed.n)] ^= (char)(1 << below(8));
		decompress(&got, buffer_span(&packed), 4096);
	}
	buffer_fini(&text);
	buffer_fini(&packed);
	buffer_fini(&got);
}

static void
check_damage(void)
{
	struct buffer packed = { 0 }, got = { 0 };

	put_gzip(&packed, SPAN("text"));
	CHECK(decompress(&got, (struct span){ packed.p, packed.n - 1 }, 99) !=
	    NULL);
	CHECK(span_eq(buffer_span(&got), SPAN("text")));
	buffer_put(&packed, SPAN("text"));
	CHECK(decompress(&got, buffer_span(&packed), 99) != NULL);
	CHECK(span_eq(buffer_span(&got), SPAN("text")));
	packed.n = 0;
	put_zstd(&packed, SPAN("text"));
	CHECK(decompress(&got, (struct span){ packed.p, packed.n - 1 }, 99) !=
	    NULL);
	buffer_fini(&packed);
	buffer_fini(&got);
}

static const struct {
	struct span first;
	enum gzip_zstd_kind kind;
} looks[] = {
	{ { "", 0 }, GZIP_ZSTD_UNSURE },
	{ { "\x1f", 1 }, GZIP_ZSTD_UNSURE },
	{ { "\x1f\x8b", 2 }, GZIP_ZSTD_UNSURE },
	{ { "\x1f\x8b\x08", 3 }, GZIP_ZSTD_COMPRESSED },
	{ { "\x1f\x8b\x09", 3 }, GZIP_ZSTD_PLAIN },
	{ { "\x28\xb5\x2f", 3 }, GZIP_ZSTD_UNSURE },
	{ { "\x28\xb5\x2f\xfd", 4 }, GZIP_ZSTD_COMPRESSED },
	{ { "P", 1 }, GZIP_ZSTD_UNSURE },
	{ { "_*M\x18", 4 }, GZIP_ZSTD_COMPRESSED },
	{ { "`*M\x18", 4 }, GZIP_ZSTD_PLAIN },
	{ { "{}\n", 3 }, GZIP_ZSTD_PLAIN },
	{ { "\xef\xbb\xbf", 3 }, GZIP_ZSTD_PLAIN },
};

int
main(void)
{
	for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
		CHECK(gzip_zstd_detect(looks[i].first) == looks[i].kind);
	check_damage();
	check_random();
	return check_done("gzip_zstd");
}
