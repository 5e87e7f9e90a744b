/*
 * packed - what is put in comes out, in these very bytes, and nothing comes
 * out of what was cut, changed or made up.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/packed.h"
#include "base/random.h"
#include "check.h"

enum { FORM = 1, ROUNDS = 10000 };

static const int64_t ints[] = { 0, 1, -1, 63, 64, -64, -65, 300, INT32_MAX,
	INT32_MIN, INT64_MAX, INT64_MIN };
static const double doubles[] = { 0, -0.0, 1.5, -1e300, 5e-324 };

enum {
	NINTS = sizeof ints / sizeof ints[0],
	NDOUBLES = sizeof doubles / sizeof doubles[0],
};

static void
put_all(struct buffer *b)
{
	pack_form(b, FORM);
	for (size_t i = 0; i < NINTS; i++)
		pack_int(b, ints[i]);
	for (size_t i = 0; i < NDOUBLES; i++)
		pack_double(b, doubles[i]);
	pack_bytes(b, SPAN(""));
	pack_bytes(b, SPAN("a\0b"));
}

/* Tell whether all that put_all has put in comes out of s. */
static bool
takes_all(struct span s)
{
	struct unpacker u = unpack_form(s, FORM);
	bool same = true;

	for (size_t i = 0; i < NINTS; i++)
		same &= unpack_int(&u, INT64_MIN, INT64_MAX) == ints[i];
	for (size_t i = 0; i < NDOUBLES; i++) {
		double d = unpack_double(&u);

		same &= memcmp(&d, &doubles[i], sizeof d) == 0;
	}
	same &= unpack_bytes(&u).n == 0;
	same &= span_eq(unpack_bytes(&u), SPAN("a\0b"));
	return unpack_done(&u) && same;
}

/* A copy of exactly its length, which the sanitizer guards. */
static struct span
exact(struct span s)
{
	char *p = calloc(s.n + (s.n == 0), 1);

	if (s.n != 0)
		memcpy(p, s.p, s.n);
	return (struct span){ p, s.n };
}

static void
round_trip(void)
{
	struct buffer b = { 0 };

	put_all(&b);
	CHECK(takes_all(buffer_span(&b)));
	for (size_t n = 0; n < b.n; n++) {
		struct span cut = exact((struct span){ b.p, n });

		CHECK(!takes_all(cut));
		free((char *)(uintptr_t)cut.p);
	}
	buffer_byte(&b, 0);
	CHECK(!takes_all(buffer_span(&b)));
	CHECK(!takes_all((struct span){ NULL, 0 }));
	buffer_fini(&b);
}

/* Files go from machine to machine. */
static void
bytes(void)
{
	static const char want[] = "\x01\x00\x02\x01\x7f\x80\x01\xd8\x04"
				   "\x00\x00\x00\x00\x00\x00\xf8\x3f\x04"
				   "ab";
	struct buffer b = { 0 };

	pack_form(&b, FORM);
	pack_int(&b, 0);
	pack_int(&b, 1);
	pack_int(&b, -1);
	pack_int(&b, -64);
	pack_int(&b, 64);
	pack_int(&b, 300);
	pack_double(&b, 1.5);
	pack_bytes(&b, SPAN("ab"));
	CHECK(span_eq(buffer_span(&b), SPAN(want)));
	buffer_fini(&b);
}

/* Of an integer: whether s has one from least to most. */
static bool
has_int(struct span s, int64_t least, int64_t most)
{
	struct unpacker u = unpack_form(s, FORM);
	int64_t v = unpack_int(&u, least, most);

	CHECK(v >= least && v <= most);
	return unpack_done(&u);
}

static void
ranges(void)
{
	CHECK(has_int(SPAN("\x01\x04"), 2, 2));
	CHECK(!has_int(SPAN("\x01\x04"), 3, 9));
	CHECK(!has_int(SPAN("\x01\x04"), -9, 1));
	CHECK(!has_int(SPAN("\x02\x04"), 2, 2));
	CHECK(!has_int(SPAN("\x01\x84"), -9, 9));
	CHECK(!has_int(SPAN("\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"),
	    -9, 9));
}

/* Bytes that say that they are more than there are. */
static void
lengths(void)
{
	struct unpacker u = unpack_form(SPAN("\x01\x06xx"), FORM);

	CHECK_EQ(unpack_bytes(&u).n, 0);
	CHECK(u.bad && !unpack_more(&u));
	u = unpack_form(SPAN("\x01\x03xx"), FORM);
	CHECK_EQ(unpack_bytes(&u).n, 0);
	CHECK(u.bad);
	CHECK_EQ(unpack_int(&u, 5, 6), 5);
	CHECK(unpack_double(&u) == 0);
}

/* Anything at all: the end is reached, and nothing behind it is read. */
static void
made_up(void)
{
	struct random r = { 7 };

	for (int k = 0; k < ROUNDS; k++) {
		char text[24];
		size_t n = (size_t)random_below(&r, sizeof text), taken = 0;
		struct span s;
		struct unpacker u;

		for (size_t i = 0; i < n; i++)
			text[i] = (char)random_below(&r, 256);
		text[0] = FORM;
		s = exact((struct span){ text, n });
		u = unpack_form(s, FORM);
		for (; unpack_more(&u); taken++)
			switch (random_below(&r, 3)) {
			case 0:
				unpack_int(&u, INT64_MIN, INT64_MAX);
				break;
			case 1:
				unpack_double(&u);
				break;
			default:
				unpack_bytes(&u);
			}
		CHECK(taken <= n && u.p == u.end);
		free((char *)(uintptr_t)s.p);
	}
}

int
main(void)
{
	round_trip();
	bytes();
	ranges();
	lengths();
	made_up();
	return check_done("packed");
}
