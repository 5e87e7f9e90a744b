/*
 * json_scanner - what is accepted and what is refused, rule by rule of RFC
 * 8259, and that no byte beyond the pad is read whatever the line.
 *
 * SPDX-License-Identifier: ISC
 */
#include "check.h"
#include "padded.h"

/* A value that stands within {"k":...}, and as a document of its own. */
static const char *const values[] = { "null", "true", "false", "0", "-0", "1",
	"-1", "10", "1234567890123456789012345678901234567890", "0.0", "-0.0",
	"1.5", "10.010", "0e0", "0E0", "0e+0", "0e-0", "1e5", "1E+05",
	"1.5e-400", "1e400", "1e99999999999999999999999", "\"\"", "\"a\"",
	"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\uABCD\\uabcd\"",
	"\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83d\\ude00\"", "\"\x7f\"",
	"\"/\"", "\"'\"", "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],{}]",
	"{}", "{ }", "{\"a\":1}", "{ \"a\" : 1 , \"a\" : 2 }", "{\"\":\"\"}",
	"{\"a\\u0000b\":[{\"c\":[null]}]}", "\t[\r\t1 ]\r" };

static void
accepts(void)
{
	struct scanned s;
	struct buffer b = { 0 };

	scanned_init(&s, "k");
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct span v = span_of(values[i]);

		if (!CHECK(padded_validate(v, NULL) == 0))
			fprintf(stderr, "\t%s\n", values[i]);
		b.n = 0;
		buffer_put(&b, SPAN("{\"k\":"));
		buffer_put(&b, v);
		buffer_byte(&b, '}');
		if (!CHECK(scanned_line(&s, buffer_span(&b)) == 0))
			fprintf(stderr, "\t%s: %s\n", b.p, s.fault.message);
		while (v.n > 0 && (*v.p == '\t' || *v.p == ' '))
			v = (struct span){ v.p + 1, v.n - 1 };
		if (v.p[v.n - 1] == '\r')
			v.n--;
		CHECK(span_eq(value_raw(tuple_field(&s.tuple, 0)), v));
	}
	CHECK(padded_validate(SPAN("\n{\n\"a\"\n:\n[\n1\n,\n2\n]\n}\n"),
		  NULL) == 0);
	buffer_fini(&b);
	scanned_fini(&s);
}

static const struct bad {
	const char *line;
	size_t column;
	const char *message;
} bad_lines[] = {
	{ "", 1, "expected an object, got end of line" },
	{ "[1]", 1, "expected an object, got '['" },
	{ "\"a\"", 1, "expected an object, got '\"'" },
	{ "null", 1, "expected an object, got 'n'" },
	{ "\xef\xbb\xbf{}", 1, "expected an object, got a byte order mark" },
	{ "\xff{}", 1, "expected an object, got \\xff" },
	{ "\x01", 1, "expected an object, got \\x01" },
	{ "{", 2, "expected a key in quotes, got end of line" },
	{ "{k:1}", 2, "expected a key in quotes, got 'k'" },
	{ "{'k':1}", 2, "expected a key in quotes, got '''" },
	{ "{1:1}", 2, "expected a key in quotes, got '1'" },
	{ "{,}", 2, "expected a key in quotes, got ','" },
	{ "{\"k\":1,}", 8, "expected a key in quotes, got '}'" },
	{ "{\"k\":1,,\"l\":1}", 8, "expected a key in quotes, got ','" },
	{ "{\"k", 4, "expected '\"' at the end of a string, got end of line" },
	{ "{\"k\"", 5, "expected ':' after a key, got end of line" },
	{ "{\"k\" 1}", 6, "expected ':' after a key, got '1'" },
	{ "{\"k\",1}", 5, "expected ':' after a key, got ','" },
	{ "{\"k\"}", 5, "expected ':' after a key, got '}'" },
	{ "{\"k\"::1}", 6, "expected a value, got ':'" },
	{ "{\"k\":", 6, "expected a value, got end of line" },
	{ "{\"k\":}", 6, "expected a value, got '}'" },
	{ "{\"k\":,}", 6, "expected a value, got ','" },
	{ "{\"k\":tru}", 6, "expected a value, got 't'" },
	{ "{\"k\":TRUE}", 6, "expected a value, got 'T'" },
	{ "{\"k\":nul", 6, "expected a value, got 'n'" },
	{ "{\"k\":nulll}", 10, "expected ',' or '}' after a value, got 'l'" },
	{ "{\"k\":fals\xc3\xa9}", 6, "expected a value, got 'f'" },
	{ "{\"k\":\xc3\xa9}", 6, "expected a value, got '\xc3\xa9'" },
	{ "{\"k\":NaN}", 6, "expected a value, got 'N'" },
	{ "{\"k\":Infinity}", 6, "expected a value, got 'I'" },
	{ "{\"k\":+1}", 6, "expected a value, got '+'" },
	{ "{\"k\":.5}", 6, "expected a value, got '.'" },
	{ "{\"k\":-}", 7, "expected a digit after '-', got '}'" },
	{ "{\"k\":-a}", 7, "expected a digit after '-', got 'a'" },
	{ "{\"k\":--1}", 7, "expected a digit after '-', got '-'" },
	{ "{\"k\":-.5}", 7, "expected a digit after '-', got '.'" },
	{ "{\"k\":1.}", 8, "expected a digit after '.', got '}'" },
	{ "{\"k\":1.e5}", 8, "expected a digit after '.', got 'e'" },
	{ "{\"k\":1e}", 8, "expected a digit in the exponent, got '}'" },
	{ "{\"k\":1e+}", 9, "expected a digit in the exponent, got '}'" },
	{ "{\"k\":1e5.5}", 9, "expected ',' or '}' after a value, got '.'" },
	{ "{\"k\":01}", 7, "expected ',' or '}' after a value, got '1'" },
	{ "{\"k\":-01}", 8, "expected ',' or '}' after a value, got '1'" },
	{ "{\"k\":0x1}", 7, "expected ',' or '}' after a value, got 'x'" },
	{ "{\"k\":1 2}", 8, "expected ',' or '}' after a value, got '2'" },
	{ "{\"k\":1]", 7, "expected ',' or '}' after a value, got ']'" },
	{ "{\"k\":1", 7, "expected ',' or '}' after a value, got end of line" },
	{ "{\"k\":1}}", 8, "expected nothing after the object, got '}'" },
	{ "{}{}", 3, "expected nothing after the object, got '{'" },
	{ "{} //", 4, "expected nothing after the object, got '/'" },
	{ "{/**/}", 2, "expected a key in quotes, got '/'" },
	{ "{\"k\":[}", 7, "expected a value, got '}'" },
	{ "{\"k\":[1,]}", 9, "expected a value, got ']'" },
	{ "{\"k\":[,1]}", 7, "expected a value, got ','" },
	{ "{\"k\":[1 2]}", 9, "expected ',' or ']' after a value, got '2'" },
	{ "{\"k\":[1}", 8, "expected ',' or ']' after a value, got '}'" },
	{ "{\"k\":[1:2]}", 8, "expected ',' or ']' after a value, got ':'" },
	{ "{\"k\":\"\t\"}", 7,
	    "expected control bytes to be escaped, got \\x09" },
	{ "{\"k\":\"a\x1f\"}", 8,
	    "expected control bytes to be escaped, got \\x1f" },
	{ "{\"k\":\"\\a\"}", 8,
	    "expected one of \"/\\bfnrtu after a \\, got 'a'" },
	{ "{\"k\":\"\\'\"}", 8,
	    "expected one of \"/\\bfnrtu after a \\, got '''" },
	{ "{\"k\":\"\\U0041\"}", 8,
	    "expected one of \"/\\bfnrtu after a \\, got 'U'" },
	{ "{\"k\":\"\\", 8,
	    "expected one of \"/\\bfnrtu after a \\, got end of line" },
	{ "{\"k\":\"\\u00g0\"}", 11,
	    "expected four hex digits after \\u, got 'g'" },
	{ "{\"k\":\"\\u12\"}", 11,
	    "expected four hex digits after \\u, got '\"'" },
	{ "{\"k\":\"\\u123", 12,
	    "expected four hex digits after \\u, got end of line" },
	{ "{\"k\":\"\x80\"}", 7, "expected UTF-8, got \\x80" },
	{ "{\"\xc3\":1}", 3, "expected UTF-8, got \\xc3" },
	{ "{\"k\":\"abcdefgh\xed\xa0\x80\"}", 15, "expected UTF-8, got \\xed" },
	{ "{\"k\":\"\xf0\x9f\x98", 7, "expected UTF-8, got \\xf0" },
	{ "{\"k\":1}\xc2\x85", 8,
	    "expected nothing after the object, got '\\xc2\\x85'" },
};

static void
refuses(void)
{
	struct scanned s;

	scanned_init(&s, "k");
	for (size_t i = 0; i < sizeof bad_lines / sizeof *bad_lines; i++) {
		const struct bad *bad = &bad_lines[i];

		if (!CHECK(scanned_line(&s, span_of(bad->line)) == -1)) {
			fprintf(stderr, "\t%s\n", bad->line);
			continue;
		}
		CHECK_STR(s.fault.message, bad->message);
		CHECK_EQ(s.fault.column, bad->column);
		CHECK_EQ(s.fault.kind,
		    strstr(bad->message, "UTF-8") != NULL ? FAULT_UTF8 :
							    FAULT_SYNTAX);
		/* Nobody has to want to know why. */
		CHECK(json_scan(&s.projection.root, s.tuple.line, s.slots,
			  NULL) == -1);
	}
	CHECK(scanned_line(&s, SPAN("{\"k\":\"\0\"}")) == -1);
	CHECK_STR(s.fault.message,
	    "expected control bytes to be escaped, got \\x00; tr -d '\\0' takes such bytes off");
	CHECK(scanned_line(&s, SPAN("{\"k\":1\0}")) == -1);
	CHECK(scanned_line(&s, SPAN("\0")) == -1);
	CHECK(padded_validate(SPAN("1 2"), &s.fault) == -1);
	CHECK(padded_validate(SPAN(" \n"), NULL) == -1);
	scanned_fini(&s);
}

/* Tell by the bit table of RFC 3629 section 3 whether n bytes are UTF-8. */
static bool
is_utf8(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	while (n > 0) {
		size_t want = p[0] < 0x80 ? 1 :
		    p[0] >> 5 == 6	  ? 2 :
		    p[0] >> 4 == 14	  ? 3 :
		    p[0] >> 3 == 30	  ? 4 :
					    0;
		uint32_t c = p[0] & (want == 1 ? 0xff : 0xffU >> (want + 1));

		if (want == 0 || want > n)
			return false;
		for (size_t i = 1; i < want; i++) {
			if (p[i] >> 6 != 2)
				return false;
			c = c << 6 | (p[i] & 63);
		}
		if (c < least[want] || c > 0x10ffff ||
		    (c >= 0xd800 && c <= 0xdfff))
			return false;
		p += want;
		n -= want;
	}
	return true;
}

/* Every first byte, with the others at the edges of every range. */
static void
utf8_edges(void)
{
	static const unsigned char edges[] = { 0x7f, 0x80, 0x8f, 0x90, 0x9f,
		0xa0, 0xbf, 0xc0, 0xe0, 0xff };
	enum { N = sizeof edges };

	for (unsigned i = 0; i < 128 * N * N * N; i++) {
		unsigned char doc[6] = { '"', (unsigned char)(0x80 + i % 128),
			edges[i / 128 % N], edges[i / 128 / N % N],
			edges[i / 128 / N / N], '"' };
		struct span text = { (char *)doc, 6 };

		for (size_t n = 4; n > 0; n--) {
			doc[n + 1] = '"';
			text.n = n + 2;
			if ((padded_validate(text, NULL) == 0) !=
			    is_utf8(doc + 1, n))
				CHECK_EQ(i, n);
		}
	}
	CHECK(padded_validate(SPAN("\"\xf4\x8f\xbf\xbf\""), NULL) == 0);
	CHECK(padded_validate(SPAN("\"\xf4\x90\x80\x80\""), NULL) == -1);
	CHECK(padded_validate(SPAN("\"\xed\x9f\xbf\xee\x80\x80\""), NULL) == 0);
	CHECK(padded_validate(SPAN("\"\xc0\x80\""), NULL) == -1);
}

/* n opened and closed, as a document; within a line it is one level less. */
static int
nest(size_t n, const char *open, const char *close, struct fault *f)
{
	struct buffer b = { 0 };
	int result;

	for (size_t i = 0; i < n; i++)
		buffer_put(&b, span_of(open));
	buffer_put(&b, SPAN("1"));
	for (size_t i = 0; i < n; i++)
		buffer_put(&b, span_of(close));
	result = padded_validate(buffer_span(&b), f);
	buffer_fini(&b);
	return result;
}

static void
nesting(void)
{
	struct fault f = { 0 };

	CHECK(nest(1024, "[", "]", &f) == 0);
	CHECK(nest(1024, "{\"a\":", "}", &f) == 0);
	CHECK(nest(1025, "[", "]", &f) == -1);
	CHECK_EQ(f.column, 1025);
	CHECK_EQ(f.kind, FAULT_LIMIT);
	CHECK_STR(f.message,
	    "expected at most 1024 levels of nesting, got more");
	CHECK(nest(1025, "{\"a\":", "}", NULL) == -1);
	CHECK(nest(513, "[{\"a\":", "}]", NULL) == -1);
	CHECK(nest(1000000, "[", "]", NULL) == -1);
	/* Beside each other is not within each other. */
	CHECK(padded_validate(SPAN("[[],[],{},[{}]]"), NULL) == 0);
}

/*
 * A line cut anywhere is no line, and one with any byte replaced is read
 * within its bounds, as an object and as a document alike.
 */
static void
cut_and_replaced(void)
{
	static const char line[] = "{\"k\":\"a\\u00e9\xc3\xa9\xf0\x9f\x98\x80"
				   "\\n, \",\"n\":[-1.50e+1,true,false,null"
				   ",{}],\"\\ud800\":{\"k\" : 0}}";
	struct span whole = SPAN(line);
	char copy[sizeof line];
	struct scanned s;

	scanned_init(&s, "k,.n[3],n.k");
	for (size_t n = 0; n < whole.n; n++) {
		CHECK(scanned_line(&s, (struct span){ line, n }) == -1);
		CHECK(padded_validate((struct span){ line, n }, NULL) == -1);
		CHECK(s.fault.column >= 1 && s.fault.column <= n + 1);
	}
	CHECK(scanned_line(&s, whole) == 0);
	for (size_t at = 1; at < whole.n; at++)
		for (int c = 0; c < 256; c++) {
			if (c == '\n')
				continue; /* is in no line */
			memcpy(copy, line, sizeof line);
			copy[at] = (char)c;
			if ((scanned_line(&s, (struct span){ copy, whole.n }) ==
				0) !=
			    (padded_validate((struct span){ copy, whole.n },
				 NULL) == 0))
				CHECK_EQ(at, c);
		}
	scanned_fini(&s);
}

/* A string ends where it ends, whatever its place within eight bytes. */
static void
special_bytes(void)
{
	char text[64];

	for (size_t n = 0; n < 40; n++)
		for (size_t at = 0; at < n; at++)
			for (int c = 1; c < 0x80; c++) {
				struct span s = { text, n + 2 };
				bool good = c >= 0x20 && c != '\\' && c != '"';

				memset(text, '!', sizeof text);
				text[0] = text[n + 1] = '"';
				text[at + 1] = (char)c;
				if ((padded_validate(s, NULL) == 0) != good)
					CHECK_EQ(at, c);
			}
}

int
main(void)
{
	accepts();
	refuses();
	utf8_edges();
	nesting();
	cut_and_replaced();
	special_bytes();
	return check_done("json_scanner");
}
