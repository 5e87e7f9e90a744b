/*
 * json_text - decoding and writing strings, and members walked in text that
 * ends where its allocation does.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/random.h"
#include "check.h"
#include "json/text.h"
#include "padded.h"

/* A copy in an allocation of exactly its length; the caller frees. */
static char *
exactly(struct span s)
{
	char *p = malloc(s.n == 0 ? 1 : s.n);

	assert(p != NULL);
	if (s.n != 0)
		memcpy(p, s.p, s.n);
	return p;
}

/* Tell whether json_decodes_to is true of want, and not of others. */
static bool
decodes_to(struct span text, struct span want)
{
	struct buffer b = { 0 };
	bool good;

	buffer_put(&b, want);
	buffer_byte(&b, 'x');
	good = json_decodes_to(text, want) &&
	    !json_decodes_to(text, buffer_span(&b)) &&
	    (want.n == 0 ||
		!json_decodes_to(text, (struct span){ b.p, want.n - 1 }));
	b.n--;
	for (size_t i = 0; i < want.n; i++) {
		b.p[i] ^= 1;
		good = good && !json_decodes_to(text, buffer_span(&b));
		b.p[i] ^= 1;
	}
	buffer_fini(&b);
	return good;
}

static void
decode(void)
{
	static const struct {
		const char *text;
		struct span want;
	} rows[] = {
		{ "", { "", 0 } },
		{ "abc", { "abc", 3 } },
		{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", { "\"\\/\b\f\n\r\t", 8 } },
		{ "\\u0000a", { "\0a", 2 } },
		{ "\\u007f\\u0080", { "\x7f\xc2\x80", 3 } },
		{ "\\u07ff\\u0800", { "\xdf\xbf\xe0\xa0\x80", 5 } },
		{ "\\uFFFF\\uffff", { "\xef\xbf\xbf\xef\xbf\xbf", 6 } },
		{ "\\ud800\\udc00", { "\xf0\x90\x80\x80", 4 } },
		{ "\\udbff\\udfff", { "\xf4\x8f\xbf\xbf", 4 } },
		{ "\\ud83d", { "\xed\xa0\xbd", 3 } },
		{ "\\ude00\\ud83d", { "\xed\xb8\x80\xed\xa0\xbd", 6 } },
		{ "\\ud83d\\ud83d\\ude00",
		    { "\xed\xa0\xbd\xf0\x9f\x98\x80", 7 } },
		{ "\\ud83d\\n", { "\xed\xa0\xbd\n", 4 } },
		{ "\\ud83dx", { "\xed\xa0\xbdx", 4 } },
		{ "\\ud83d\\u0041",
		    { "\xed\xa0\xbd"
		      "A",
			4 } },
		{ "x\\u00e9y\xc3\xa9", { "x\xc3\xa9y\xc3\xa9", 6 } },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct span text = span_of(rows[i].text);
		char *p = exactly(text);

		b.n = 0;
		json_decode(&b, (struct span){ p, text.n });
		if (!CHECK(span_eq(buffer_span(&b), rows[i].want)) ||
		    !CHECK(decodes_to(text, buffer_span(&b))))
			fprintf(stderr, "\t%s\n", rows[i].text);
		free(p);
	}
	buffer_fini(&b);
}

/* All bytes come out as a string that is valid and means them. */
static void
put_string(void)
{
	struct buffer b = { 0 }, back = { 0 };

	for (int c = 0; c < 256; c++) {
		char text[3] = { 'a', (char)c, 'b' };
		char wide[] = { 'a', (char)(0xc0 | c >> 6),
			(char)(0x80 | (c & 0x3f)), 'b' };
		struct span want = c < 0x80 ? (struct span){ text, 3 } :
					      (struct span){ wide, 4 };

		b.n = back.n = 0;
		json_put_string(&b, (struct span){ text, 3 });
		CHECK(padded_validate(buffer_span(&b), NULL) == 0);
		json_decode(&back, (struct span){ b.p + 1, b.n - 2 });
		if (!CHECK(span_eq(buffer_span(&back), want)))
			fprintf(stderr, "\tbyte %d\n", c);
	}
	b.n = 0;
	json_put_string(&b, SPAN("\"\\\n\xc3\xa9\xf0\x9f\x98\x80\xed\xa0\x80"));
	CHECK(span_eq(buffer_span(&b),
	    SPAN("\"\\\"\\\\\\n\xc3\xa9\xf0\x9f\x98\x80"
		 "\\ud800\"")));
	b.n = 0;
	json_put_string(&b,
	    SPAN("\xed\xbf\xbf\xed\x9f\xbf\xed\xa0\xff\xed\xa0"));
	CHECK(span_eq(buffer_span(&b),
	    SPAN(
		"\"\\udfff\xed\x9f\xbf\\u00ed\\u00a0\\u00ff\\u00ed\\u00a0\"")));
	buffer_fini(&b);
	buffer_fini(&back);
}

/* Strings of all lengths around a word, against one byte at a time. */
static void
random_strings(void)
{
	static const char bytes[] = "abcdefghijklmnopq0123\x7f \"\\\n\t\x01";
	struct random r = { 5 };
	struct buffer b = { 0 }, back = { 0 }, want = { 0 };

	for (int i = 0; i < 100000; i++) {
		char text[40];
		size_t n = (size_t)random_below(&r, sizeof text);
		char *p;

		want.n = b.n = back.n = 0;
		buffer_byte(&want, '"');
		for (size_t k = 0; k < n; k++) {
			char c = bytes[random_below(&r, sizeof bytes - 1)];

			text[k] = c;
			if (c == '"' || c == '\\' || c == '\n')
				buffer_byte(&want, '\\');
			if (c == '\t' || c == 1)
				buffer_put(&want,
				    c == 1 ? SPAN("\\u0001") : SPAN("\\u0009"));
			else
				buffer_byte(&want, c == '\n' ? 'n' : c);
		}
		buffer_byte(&want, '"');
		p = exactly((struct span){ text, n });
		json_put_string(&b, (struct span){ p, n });
		free(p);
		CHECK(span_eq(buffer_span(&b), buffer_span(&want)));
		p = exactly(buffer_span(&b));
		json_decode(&back, (struct span){ p + 1, b.n - 2 });
		free(p);
		CHECK(span_eq(buffer_span(&back), (struct span){ text, n }));
	}
	buffer_fini(&b);
	buffer_fini(&back);
	buffer_fini(&want);
}

static void
members(void)
{
	static const char *const rows[][2] = {
		{ "{}", "" },
		{ "{ \t}", "" },
		{ "{\"a\":1}", "a=1;" },
		{ "{ \"a\" : 1 }", "a=1;" },
		{ "{\"a\":1,\"b\":true , \"a\" :null}", "a=1;b=true;a=null;" },
		{ "{\"\":\"\"}", "=\"\";" },
		{ "{\"a\\\"}\":\"}\\\\\",\"b\":\"\\\"\"}",
		    "a\\\"}=\"}\\\\\";b=\"\\\"\";" },
		{ "{\"a\":{\"b\":[1,{\"}\":\"]\"}]},\"c\":[ ] }",
		    "a={\"b\":[1,{\"}\":\"]\"}]};c=[ ];" },
		{ "{\"a\":-1.5e+3\t,\"b\":[{}]}", "a=-1.5e+3;b=[{}];" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct span text = span_of(rows[i][0]);
		char *p = exactly(text);
		struct json_members it =
		    json_members((struct span){ p, text.n });
		struct json_member m;

		b.n = 0;
		while (json_members_next(&it, &m)) {
			buffer_put(&b, m.name);
			buffer_byte(&b, '=');
			buffer_put(&b, m.value);
			buffer_byte(&b, ';');
		}
		CHECK(!json_members_next(&it, &m));
		buffer_byte(&b, '\0');
		CHECK_STR(b.p, rows[i][1]);
		free(p);
	}
	buffer_fini(&b);
}

/* A member first, and with _without those of the name `rank` gone. */
static void
put(void)
{
	static const struct {
		const char *line, *after, *without;
	} rows[] = {
		{ "{}", "{\"n\":1}", "{\"n\":1}" },
		{ "{ }", "{\"n\":1}", "{\"n\":1}" },
		{ "{\"a\":1}", "{\"n\":1,\"a\":1}", "{\"n\":1,\"a\":1}" },
		{ "{ \"a\" : 1 }", "{\"n\":1, \"a\" : 1 }",
		    "{\"n\":1, \"a\" : 1 }" },
		{ "{\"rank\":2}", "{\"n\":1,\"rank\":2}", "{\"n\":1}" },
		{ "{\"rank\":2,\"a\":1}", "{\"n\":1,\"rank\":2,\"a\":1}",
		    "{\"n\":1,\"a\":1}" },
		{ "{\"a\":1,\"rank\":2}", "{\"n\":1,\"a\":1,\"rank\":2}",
		    "{\"n\":1,\"a\":1}" },
		{ "{\"a\":1, \"rank\":2, \"b\":3}",
		    "{\"n\":1,\"a\":1, \"rank\":2, \"b\":3}",
		    "{\"n\":1,\"a\":1, \"b\":3}" },
		{ "{\"rank\":1,\"\\u0072ank\":2,\"b\":{\"rank\":3}}",
		    "{\"n\":1,\"rank\":1,\"\\u0072ank\":2,\"b\":{\"rank\":3}}",
		    "{\"n\":1,\"b\":{\"rank\":3}}" },
		{ "{\"rank\":1,\"a\":0,\"rank\":2,\"b\":3,\"rank\":4}",
		    "{\"n\":1,\"rank\":1,\"a\":0,\"rank\":2,\"b\":3,\"rank\":4}",
		    "{\"n\":1,\"a\":0,\"b\":3}" },
		{ "{\"ranks\":1,\"ran\":2}", "{\"n\":1,\"ranks\":1,\"ran\":2}",
		    "{\"n\":1,\"ranks\":1,\"ran\":2}" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct span line = span_of(rows[i].line);
		char *p = exactly(line);

		line.p = p;
		b.n = 0;
		tuple_put_after(&b, SPAN("\"n\":1"), line);
		buffer_byte(&b, '\0');
		CHECK_STR(b.p, rows[i].after);
		b.n = 0;
		tuple_put_without(&b, SPAN("\"n\":1"), line, SPAN("rank"));
		buffer_byte(&b, '\0');
		CHECK_STR(b.p, rows[i].without);
		free(p);
	}
	buffer_fini(&b);
}

static void
trim(void)
{
	CHECK(span_eq(json_trim(SPAN("")), SPAN("")));
	CHECK(span_eq(json_trim(SPAN(" \t\r\n")), SPAN("")));
	CHECK(span_eq(json_trim(SPAN(" \ta b\r\n")), SPAN("a b")));
	CHECK(span_eq(json_trim(SPAN("\v\f\xc2\xa0")), SPAN("\v\f\xc2\xa0")));
}

int
main(void)
{
	decode();
	put_string();
	random_strings();
	members();
	put();
	trim();
	return check_done("json_text");
}
