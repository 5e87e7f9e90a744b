/*
 * SPDX-License-Identifier: ISC
 */
#include "base/packed.h"

void
pack_form(struct buffer *b, unsigned char form)
{
	buffer_byte(b, (char)form);
}

static void
pack_unsigned(struct buffer *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buffer_byte(b, (char)(v | 0x80));
	buffer_byte(b, (char)v);
}

void
pack_int(struct buffer *b, int64_t v)
{
	pack_unsigned(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void
pack_double(struct buffer *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	for (int i = 0; i < 8; i++)
		buffer_byte(b, (char)(bits >> 8 * i));
}

void
pack_bytes(struct buffer *b, struct span s)
{
	pack_int(b, (int64_t)s.n);
	buffer_put(b, s);
}

static void
spoil(struct unpacker *u)
{
	u->p = u->end;
	u->bad = true;
}

struct unpacker
unpack_form(struct span s, unsigned char form)
{
	struct unpacker u = { 0 };

	if (s.n == 0) /* which may be nowhere */
		s = SPAN("");
	u.p = s.p;
	u.end = s.p + s.n;
	if (s.n == 0 || (unsigned char)*u.p++ != form)
		spoil(&u);
	return u;
}

/* The next n bytes; NULL where there are fewer. */
static const char *
take(struct unpacker *u, size_t n)
{
	const char *p = u->p;

	if ((size_t)(u->end - p) < n) {
		spoil(u);
		return NULL;
	}
	u->p += n;
	return p;
}

static uint64_t
unpack_unsigned(struct unpacker *u)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		const char *p = take(u, 1);

		if (p == NULL)
			return 0;
		v |= (uint64_t)(*p & 0x7f) << shift;
		if ((*p & 0x80) == 0)
			return v;
	}
	spoil(u);
	return 0;
}

int64_t
unpack_int(struct unpacker *u, int64_t least, int64_t most)
{
	uint64_t bits = unpack_unsigned(u);
	int64_t v = (int64_t)(bits >> 1);

	if ((bits & 1) != 0)
		v = -v - 1;
	if (!u->bad && v >= least && v <= most)
		return v;
	spoil(u);
	return least;
}

double
unpack_double(struct unpacker *u)
{
	const char *p = take(u, 8);
	uint64_t bits = 0;
	double v;

	for (int i = 0; p != NULL && i < 8; i++)
		bits |= (uint64_t)(unsigned char)p[i] << 8 * i;
	memcpy(&v, &bits, sizeof v);
	return v;
}

struct span
unpack_bytes(struct unpacker *u)
{
	size_t n = (size_t)unpack_int(u, 0, INT64_MAX);
	const char *p = take(u, n);

	return p == NULL ? SPAN("") : (struct span){ p, n };
}
