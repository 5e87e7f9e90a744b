/*
 * projection - which bytes of a line the fields of an option find.
 *
 * SPDX-License-Identifier: ISC
 */
#include "check.h"
#include "padded.h"

/* The fields, a line, and what each of up to three finds (NULL: nothing). */
static const struct row {
	const char *fields, *line;
	const char *found[3];
} rows[] = {
	{ "k", "{\"k\":1}", { "1" } },
	{ "k", "{}", { NULL } },
	{ "k", "{\"K\":1,\"kk\":2,\"\":3}", { NULL } },
	{ ".k", "{\"k\":\"a\"}", { "\"a\"" } },
	{ "k", "{\"k\": {\"a\" : [1, 2]} }", { "{\"a\" : [1, 2]}" } },
	{ "a,b", "{\"b\":2,\"a\":1}", { "1", "2" } },
	{ ".a.b", "{\"a\":{\"b\":1}}", { "1" } },
	{ ".a.b", "{\"b\":1,\"a\":{\"a\":{\"b\":2}}}", { NULL } },
	{ ".a.b", "{\"a\":[{\"b\":1}],\"a.b\":2}", { NULL } },
	{ ".a.b.c", "{\"a\":{\"b\":{\"c\":1,\"d\":2},\"c\":3}}", { "1" } },
	{ ".a,.a.b,.a.c", "{\"a\":{\"c\":2,\"b\":1}}",
	    { "{\"c\":2,\"b\":1}", "1", "2" } },
	/* A bare name is first a member of that very name. */
	{ "a.b", "{\"a.b\":1,\"a\":{\"b\":2}}", { "1" } },
	{ "a.b", "{\"a\":{\"b\":2},\"a.b\":1}", { "1" } },
	{ "a.b", "{\"a\":{\"b\":2}}", { "2" } },
	{ "a.b", "{\"a\":{\"a.b\":2}}", { NULL } },
	{ "a[0]", "{\"a[0]\":1,\"a\":[2]}", { "1" } },
	{ "a[0]", "{\"a\":[2]}", { "2" } },
	{ "[0]", "{\"[0]\":1}", { "1" } },
	{ "a..b", "{\"a..b\":1}", { "1" } },
	{ ".[\"a.b\"]", "{\"a.b\":1,\"a\":{\"b\":2}}", { "1" } },
	{ ".[\"a,b\"],c", "{\"a,b\":1,\"c\":2}", { "1", "2" } },
	{ ".[\"a=b\"]", "{\"a=b\":1}", { "1" } },
	{ "x=.a.b,y=c", "{\"a\":{\"b\":1},\"c\":2}", { "1", "2" } },
	{ ".[\"\\u0061\\\"\"]", "{\"a\\\"\":1}", { "1" } },
	{ ".[\"\"]", "{\"\":1}", { "1" } },
	{ ".a[\"b\"][1].c", "{\"a\":{\"b\":[0,{\"c\":1}]}}", { "1" } },
	{ ".a[0],.a[2]", "{\"a\":[1,2]}", { "1", NULL } },
	{ ".a[1]", "{\"a\":[[1,2],[3,4]]}", { "[3,4]" } },
	{ ".a[0][1]", "{\"a\":[[1,2],[3,4]]}", { "2" } },
	{ ".a[0]", "{\"a\":{\"0\":1}}", { NULL } },
	{ ".a.0", "{\"a\":{\"0\":1}}", { "1" } },
	{ ".a.0", "{\"a\":[1]}", { NULL } },
	/* A number in a JSON Pointer is a name or an index. */
	{ "/a/0", "{\"a\":[1]}", { "1" } },
	{ "/a/0", "{\"a\":{\"0\":1}}", { "1" } },
	{ "/a/00", "{\"a\":[1]}", { NULL } },
	{ "/a~1b/c~0d", "{\"a/b\":{\"c~d\":1}}", { "1" } },
	{ "/~01", "{\"~1\":1,\"/\":2}", { "1" } },
	{ "/", "{\"\":1}", { "1" } },
	{ "/a//b", "{\"a\":{\"\":{\"b\":1}}}", { "1" } },
	{ "/a.b", "{\"a\":{\"b\":1}}", { NULL } },
	{ "/a/0/1,/a/1", "{\"a\":[[1,2],3]}", { "2", "3" } },
	/* The same place asked for in several ways. */
	{ "/a/0,.a[0],.a.0", "{\"a\":[1]}", { "1", "1", NULL } },
	{ "/a/0,.a[0],.a.0", "{\"a\":{\"0\":1}}", { "1", NULL, "1" } },
	{ ".a[0],/a/0,.a.0", "{\"a\":[1]}", { "1", "1", NULL } },
	{ ".a.0,.a[0],/a/0", "{\"a\":{\"0\":1}}", { "1", NULL, "1" } },
	{ "/a/0/b,.a[0].b,.a[0]", "{\"a\":[{\"b\":1}]}",
	    { "1", "1", "{\"b\":1}" } },
	{ "k,.k,/k", "{\"k\":1}", { "1", "1", "1" } },
	/* Of two members of one name the last counts, with all within it. */
	{ "k", "{\"k\":1,\"k\":2}", { "2" } },
	{ "k", "{\"k\":1,\"\\u006b\":2}", { "2" } },
	{ ".a.b", "{\"a\":{\"b\":1},\"a\":{}}", { NULL } },
	{ ".a.b", "{\"a\":{\"b\":1},\"a\":2}", { NULL } },
	{ ".a.b", "{\"a\":{\"b\":1,\"b\":2},\"c\":{\"b\":3}}", { "2" } },
	{ ".a[0],.a[1]", "{\"a\":[1,2],\"a\":[3]}", { "3", NULL } },
	{ "a.b", "{\"a.b\":1,\"a\":{\"b\":2},\"a\":3}", { "1" } },
	{ "/a/0,.a[0]", "{\"a\":[1],\"a\":[]}", { NULL, NULL } },
	/* Names are compared decoded. */
	{ "k", "{\"\\u006B\":1}", { "1" } },
	{ "caf\xc3\xa9", "{\"caf\\u00e9\":1}", { "1" } },
	{ "\xf0\x9f\x98\x80", "{\"\\ud83d\\ude00\":1}", { "1" } },
	{ "a/b", "{\"a\\/b\":1}", { "1" } },
	{ "k", "{\"\\u006b\\u0000\":1}", { NULL } },
	{ ".[\"\\u0000\"]", "{\"\\u0000\":1}", { "1" } },
	{ ".[\"\\ud800\"]", "{\"\\uD800\":1}", { "1" } },
};

static void
table(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct scanned s;

		scanned_init(&s, r->fields);
		CHECK(scanned_line(&s, span_of(r->line)) == 0);
		for (size_t k = 0; k < s.projection.nfields; k++) {
			unsigned before = check_failures;

			CHECK_STR(scanned_field(&s, k), r->found[k]);
			if (check_failures != before)
				fprintf(stderr, "\t%zu of %s in %s\n", k,
				    r->fields, r->line);
		}
		scanned_fini(&s);
	}
}

static void
refused(void)
{
	static const struct {
		const char *text, *wrong;
	} bad[] = {
		{ "", "expected a field" },
		{ "a,", "expected a field" },
		{ ",a", "expected a field" },
		{ "a,,b", "expected a field" },
		{ "=a", "expected a name before '='" },
		{ "a=", "expected a field" },
		{ "a=.", "expected a name after '.'" },
		{ ".", "expected a name after '.'" },
		{ ".a..b", "expected a name after '.'" },
		{ "/a~", "expected ~0 or ~1 after '~' in a JSON Pointer" },
		{ "a,.b[x]",
		    "expected an index like [0] or a name like [\"a.b\"]" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct projection p;
		size_t first, n;

		projection_init(&p);
		CHECK_STR(projection_add(&p, bad[i].text, &first, &n),
		    bad[i].wrong);
		projection_fini(&p);
	}
}

/* What fields are called on output. */
static void
names(void)
{
	static const char *const wanted[] = { "\"user.id\"", "\"user.id\"",
		"\"x\"", "\"/a/b\"", "\"[\\\"a,b\\\"]\"", "\"a\\u0001\"" };
	struct scanned s;

	scanned_init(&s, "user.id,.user.id,x=.user.id,/a/b,.[\"a,b\"],a\x01=k");
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		CHECK(span_eq(s.projection.fields[i].name, span_of(wanted[i])));
	CHECK(span_eq(s.projection.fields[2].text, SPAN(".user.id")));
	scanned_fini(&s);
}

/* The spans, and whether a string has escapes. */
static void
raw_bytes(void)
{
	static const char line[] = "{\"a\":\"x\\ny\",\"b\":\"xy\",\"c\":1.10,"
				   "\"\\u0064\":\"d\",\"e\":[\"\\n\"]}";
	struct scanned s;

	scanned_init(&s, "a,b,c,d,e");
	CHECK(scanned_line(&s, SPAN(line)) == 0);
	CHECK(span_eq(value_raw(tuple_field(&s.tuple, 0)), SPAN("\"x\\ny\"")));
	CHECK(tuple_field(&s.tuple, 0)->escaped);
	CHECK(!tuple_field(&s.tuple, 1)->escaped);
	CHECK(span_eq(value_raw(tuple_field(&s.tuple, 2)), SPAN("1.10")));
	CHECK(!tuple_field(&s.tuple, 2)->escaped);
	CHECK(!tuple_field(&s.tuple, 3)->escaped);
	CHECK(!tuple_field(&s.tuple, 4)->escaped);
	CHECK_EQ(tuple_column(&s.tuple, tuple_field(&s.tuple, 1)), 17);
	/* What an earlier line had is not found in a later one. */
	CHECK(scanned_line(&s, SPAN("{\"b\":1")) == -1);
	CHECK(scanned_line(&s, SPAN("{\"c\":1}")) == 0);
	CHECK(tuple_field(&s.tuple, 0) == NULL);
	CHECK(tuple_field(&s.tuple, 1) == NULL);
	scanned_fini(&s);
}

int
main(void)
{
	table();
	refused();
	names();
	raw_bytes();
	return check_done("projection");
}
