/*
 * key - which keys are equal, how they are ordered, and what is written.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/key.h"
#include "base/hash.h"
#include "check.h"
#include "padded.h"

/* The key of one value; its bytes and spelling are copied. */
struct made {
	char bytes[256], spelling[256];
	struct span canonical, spelled;
	uint64_t hash;
	int result;
	bool has_null;
};

static struct scanned one, two;
static struct key scratch;

static void
make(struct made *m, struct scanned *s, const char *line, size_t n)
{
	*m = (struct made){ 0 };
	CHECK(scanned_line(s, span_of(line)) == 0);
	m->result = key_of(&scratch, &s->tuple, 0, n, &s->fault);
	if (m->result != 0)
		return;
	memcpy(m->bytes, scratch.bytes.p, scratch.bytes.n);
	memcpy(m->spelling, scratch.spelling.p, scratch.spelling.n);
	m->canonical = (struct span){ m->bytes, scratch.bytes.n };
	m->spelled = (struct span){ m->spelling, scratch.spelling.n };
	m->hash = scratch.hash;
	m->has_null = scratch.has_null;
}

static void
make_one(struct made *m, const char *value)
{
	char line[512];

	snprintf(line, sizeof line, "{\"k\":%s}", value);
	make(m, &one, line, 1);
	CHECK(m->result != 0 || span_eq(m->spelled, span_of(value)));
}

static void
make_two(struct made *m, const char *a, const char *b)
{
	char line[512];

	snprintf(line, sizeof line, "{\"b\":%s,\"a\":%s}", b, a);
	make(m, &two, line, 2);
}

/* In ascending order; what stands in one row is one key. */
static const char *const order[][8] = {
	{ "null" },
	{ "false" },
	{ "true" },
	{ "-1e400" },
	{ "-9007199254740993" },
	{ "-9007199254740992" },
	{ "-1.5", "-15e-1", "-1.50" },
	{ "-1e-400" },
	{ "0", "-0", "0.0", "-0.0e5", "0e999999999999999999999" },
	{ "1e-400", "10e-401" },
	{ "1e-41", "0.1e-40" },
	{ "0.1", "1e-1", "0.10", "0.01e1" },
	{ "0.10000000000000001" },
	{ "1", "1.0", "1e0", "10e-1", "1E+0", "0.1e1", "1.0000e00" },
	{ "15", "1.5e1", "15.0", "150e-1" },
	{ "9007199254740992", "9007199254740992.0" },
	{ "9007199254740993", "9.007199254740993e15" },
	{ "12345678901234567890", "1234567890123456789e1" },
	{ "1e41", "10e40", "100000000000000000000000000000000000000000" },
	{ "1e400" },
	{ "\"\"" },
	{ "\"\\u0000\"" },
	{ "\"\\u0000a\"" },
	{ "\"\\t\"", "\"\\u0009\"" },
	{ "\" \"", "\"\\u0020\"" },
	{ "\"\\\"\"", "\"\\u0022\"" },
	{ "\"1\"", "\"\\u0031\"" },
	{ "\"1.0\"" },
	{ "\"A\"" },
	{ "\"\\\\\"", "\"\\u005C\"", "\"\\u005c\"" },
	{ "\"\\\\n\"" },
	{ "\"a\"", "\"\\u0061\"" },
	{ "\"a\\u0000\"" },
	{ "\"a \"" },
	{ "\"a\\\"\"" },
	{ "\"ab\"", "\"a\\u0062\"", "\"\\u0061\\u0062\"" },
	{ "\"null\"" },
	{ "\"\x7f\"", "\"\\u007f\"" },
	{ "\"\xc3\xa9\"", "\"\\u00e9\"", "\"\\u00E9\"" },
	{ "\"\\ud83d\"" },
	{ "\"\\ude00\"" },
	{ "\"\xef\xbf\xbf\"", "\"\\uffff\"" },
	{ "\"\xf0\x9f\x98\x80\"", "\"\\ud83d\\ude00\"" },
};

enum { NORDER = sizeof order / sizeof *order };

/* The sign of a - b by the table. */
static int
by_place(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int
sign_of(int c)
{
	return (c > 0) - (c < 0);
}

static void
single(void)
{
	struct made a, b;

	for (size_t i = 0; i < NORDER; i++)
		for (size_t x = 0; x < 8 && order[i][x] != NULL; x++) {
			make_one(&a, order[i][x]);
			CHECK_EQ(a.result, 0);
			for (size_t k = 0; k < NORDER; k++)
				for (size_t y = 0; y < 8 && order[k][y] != NULL;
				     y++) {
					make_one(&b, order[k][y]);
					if (!CHECK(span_eq(a.canonical,
						       b.canonical) ==
						    (i == k) &&
						(i != k || a.hash == b.hash) &&
						sign_of(key_cmp(a.canonical,
						    b.canonical)) ==
						    by_place(i, k)))
						fprintf(stderr, "\t%s %s\n",
						    order[i][x], order[k][y]);
				}
			CHECK(a.has_null == (i == 0));
		}
}

/* All pairs are told apart, and ordered by the first part first. */
static void
composite(void)
{
	struct made a, b;

	for (size_t i = 0; i < NORDER * NORDER; i += 5) {
		size_t ax = i / NORDER, ay = i % NORDER;

		make_two(&a, order[ax][0], order[ay][0]);
		CHECK(a.has_null == (ax == 0 || ay == 0));
		for (size_t k = i % 7; k < NORDER * NORDER; k += 7) {
			size_t bx = k / NORDER, by = k % NORDER;
			int want =
			    ax != bx ? by_place(ax, bx) : by_place(ay, by);
			const char *const *row = order[bx];
			const char *other = row[1] != NULL ? row[1] : row[0];

			make_two(&b, other, order[by][0]);
			if (!CHECK(span_eq(a.canonical, b.canonical) ==
				    (i == k) &&
				(i != k || a.hash == b.hash) &&
				sign_of(key_cmp(a.canonical, b.canonical)) ==
				    want))
				fprintf(stderr, "\t%s,%s %s,%s\n", order[ax][0],
				    order[ay][0], other, order[by][0]);
		}
	}
	/* Bytes that could be taken for the boundary of the parts. */
	make_two(&a, "\"x\"", "\"y\\\",\\\"z\"");
	make_two(&b, "\"x\\\",\\\"y\"", "\"z\"");
	CHECK(!span_eq(a.canonical, b.canonical));
	make_two(&a, "\"x\\u00ff\"", "\"\"");
	make_two(&b, "\"x\"", "\"\\u00ff\"");
	CHECK(!span_eq(a.canonical, b.canonical));
	make_two(&a, "\"\\\"\"", "\"\"");
	make_two(&b, "\"\"", "\"\\\"\"");
	CHECK(!span_eq(a.canonical, b.canonical));
}

/* Two keys whose words differ are in the order of these. */
static void
check_words(const struct made *a, const struct made *b, size_t same)
{
	uint64_t x = key_sort_word(a->canonical, same);
	uint64_t y = key_sort_word(b->canonical, same);

	CHECK(x == y ||
	    sign_of(key_cmp(a->canonical, b->canonical)) == (x > y) - (x < y));
}

static void
words(void)
{
	static const char *const ends[] = { "", "a", "aa", "ab", "abcdefgh",
		"abcdefghi", "abcdefghj", "b", "\"", "\xc3\xa9", "\xff" };
	enum { N = sizeof ends / sizeof *ends };
	struct made a = { 0 }, b = { 0 };

	for (size_t i = 0; i < NORDER; i++)
		for (size_t k = 0; k < NORDER; k++) {
			make_one(&a, order[i][0]);
			make_one(&b, order[k][0]);
			check_words(&a, &b, 0);
		}
	/* In one part, and with the last byte in another. */
	for (size_t i = 0; i < 2 * N * N; i++) {
		const char *between = i % 2 != 0 ? "\"\xff\"" : "";

		a.canonical = (struct span){ a.bytes,
			(size_t)snprintf(a.bytes, sizeof a.bytes,
			    "\"user%s%s\"", ends[i / 2 % N], between) };
		b.canonical = (struct span){ b.bytes,
			(size_t)snprintf(b.bytes, sizeof b.bytes,
			    "\"user%s%s\"", ends[i / 2 / N], between) };
		check_words(&a, &b, 0);
		check_words(&a, &b, 5);
	}
	CHECK(key_sort_word(SPAN("\"user12345678\""), 5) <
	    key_sort_word(SPAN("\"user12345688\""), 5));
	CHECK(key_sort_word(SPAN("\"user1\""), 5) <
	    key_sort_word(SPAN("\"user10\""), 5));
}

/* A key of two fields is written as it was spelled. */
static void
check_put(const char *a, const char *b, const char *want, const char *canonical)
{
	struct buffer row = { 0 };
	struct made m;

	make_two(&m, a, b);
	key_put(&row, two.projection.fields, 2, m.spelled);
	CHECK(span_eq(buffer_span(&row), span_of(want)));
	CHECK(span_eq(m.canonical, span_of(canonical)));
	buffer_fini(&row);
}

static void
put(void)
{
	struct buffer b = { 0 };
	struct made m;

	check_put("\"\\u0061\"", "1.50e1", "\"a\":\"\\u0061\",\"x\":1.50e1",
	    "\"a\"\xff"
	    "15");
	check_put("\"x\"", "1.50e1", "\"a\":\"x\",\"x\":1.50e1",
	    "\"x\"\xff"
	    "15");
	check_put("1.50e1", "\"x\"", "\"a\":1.50e1,\"x\":\"x\"", "15\xff\"x\"");
	check_put("null", "\"\"", "\"a\":null,\"x\":\"\"", "null\xff\"\"");
	make_one(&m, "-0.0");
	key_put(&b, one.projection.fields, 1, m.spelled);
	CHECK(span_eq(buffer_span(&b), SPAN("\"k\":-0.0")));
	CHECK(span_eq(m.canonical, SPAN("0")));
	buffer_fini(&b);
}

static void
refused(void)
{
	struct made m;

	make(&m, &one, "{\"l\":1}", 1);
	CHECK_EQ(m.result, -1);
	CHECK_STR(one.fault.message, "no field 'k'");
	CHECK_EQ(one.fault.kind, FAULT_MISSING);
	make(&m, &one, "{\"k\":{}}", 1);
	CHECK_EQ(m.result, -1);
	CHECK_STR(one.fault.message,
	    "expected a string, number, true, false or null at 'k', "
	    "got an object");
	CHECK_EQ(one.fault.column, 6);
	make(&m, &two, "{\"a\":1,\"b\":[]}", 2);
	CHECK_EQ(m.result, -1);
	CHECK_STR(two.fault.message,
	    "expected a string, number, true, false or null at 'b', "
	    "got an array");
	make(&m, &two, "{\"a\":1}", 2);
	CHECK_EQ(m.result, -1);
	CHECK_STR(two.fault.message, "no field 'b'");
	make(&m, &one, "{\"k\":1e9999999999999999999}", 1);
	CHECK_EQ(m.result, -1);
	CHECK_EQ(one.fault.kind, FAULT_RANGE);
	CHECK_STR(one.fault.message,
	    "expected a number with an exponent within 10^18 at 'k', "
	    "got 1e9999999999999999999");
}

/* The key of a line is a string that tells it from all others. */
static void
lines(void)
{
	struct key k = { 0 };

	key_of_line(&k, SPAN("{}"), true);
	CHECK(span_eq(k.bytes, SPAN("\"dc7048f8f8747f561349cde127705c16\"")));
	CHECK(k.spelling.p == k.bytes.p && k.hash == hash_bytes(k.bytes));
	key_of_line(&k, SPAN("{ }"), true);
	CHECK_EQ(k.bytes.n, 2 + 32);
	CHECK(!span_eq(k.bytes, SPAN("\"dc7048f8f8747f561349cde127705c16\"")));
	key_of_line(&k, SPAN("{}"), false);
	CHECK(span_eq(k.bytes,
	    SPAN("\xdc\x70\x48\xf8\xf8\x74\x7f\x56"
		 "\x13\x49\xcd\xe1\x27\x70\x5c\x16")));
	CHECK(k.spelling.p == k.bytes.p && k.hash == hash_bytes(k.bytes));
	key_fini(&k);
}

int
main(void)
{
	hash_init();
	scanned_init(&one, "k");
	scanned_init(&two, "a,x=b");
	single();
	composite();
	words();
	put();
	refused();
	lines();
	scanned_fini(&one);
	scanned_fini(&two);
	key_fini(&scratch);
	return check_done("key");
}
