/*
 * condition - which tuples pass, and what is said of what is no condition.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/condition.h"
#include "check.h"
#include "padded.h"

static const char line[] =
    "{\"i\":500,\"f\":5.00e2,\"neg\":-3,\"big\":9007199254740993,"
    "\"s\":\"500\",\"t\":\"abc\",\"esc\":\"\\u0061bc\",\"e\":\"\","
    "\"nul\":\"a\\u0000b\",\"caf\\u00e9\":\"caf\\u00e9\",\"yes\":true,"
    "\"no\":false,\"null\":null,\"o\":{\"id\":7,\"a.b\":[1,\"x\"]},"
    "\"a\":[500],\"d.ot\":1,\"huge\":1e9999999999999999999,"
    "\"odd (name)\":2,\"500\":3,\"at\":\"2026-03-01T13:00:00+01:00\","
    "\"@at\":\"2026-03-01 12:00\\u003a00Z\",\"ms\":1772366400000}";

static const struct time_form any;

static const struct row {
	const char *condition;
	bool holds;
} rows[] = {
	/* Numbers by value, however they are spelled. */
	{ "i == 500", true },
	{ "i==5e2", true },
	{ "i != 500", false },
	{ "f == 500", true },
	{ "f > 499.999999999999999999999", true },
	{ "f > 500.000000000000000000001", false },
	{ "i >= 500", true },
	{ "i > 500", false },
	{ "i <= 500.0", true },
	{ "i < 500", false },
	{ "neg < -2.5", true },
	{ "big > 9007199254740992", true },
	{ "big == 9007199254740992", false },
	/* A string that holds a number is one, where the other side is. */
	{ "s == 500", true },
	{ "s >= 5e2", true },
	{ "i == \"500.0\"", true },
	{ "i < '501'", true },
	{ "s == \"500.0\"", false },
	{ "s == '500'", true },
	{ "s < '6'", true },
	{ "s < 6", false },
	{ "t == 1", false },
	{ "t != 1", true },
	{ "t < 1", false },
	{ "e == 0", false },
	/* Strings by their bytes, decoded. */
	{ "t == 'abc'", true },
	{ "esc == \"abc\"", true },
	{ "esc == \"\\u0061bc\"", true },
	{ "t < 'abd'", true },
	{ "t < 'ab'", false },
	{ "e == ''", true },
	{ "nul == \"a\\u0000b\"", true },
	{ "nul == 'a'", false },
	{ "caf\xc3\xa9 == 'caf\xc3\xa9'", true },
	/* The other kinds are equal to themselves, and have no order. */
	{ "yes == true", true },
	{ "yes == false", false },
	{ "yes == 'true'", false },
	{ "no == false", true },
	{ "null == null", true },
	{ "null != null", false },
	{ "null <= null", false },
	{ "yes >= true", false },
	{ "i == null", false },
	{ "i != null", true },
	/* What is missing or has no value to compare is equal to nothing. */
	{ "x == 1", false },
	{ "x != 1", true },
	{ "x == null", false },
	{ "x < 1", false },
	{ "x >= 1", false },
	{ "o == 1", false },
	{ "o != 1", true },
	{ "a == .a", false },
	{ "x == .x", false },
	{ "huge == 1", false },
	{ "huge > 1", false },
	/* A field alone. */
	{ "i", true },
	{ "e", true },
	{ "o", true },
	{ "a", true },
	{ "yes", true },
	{ "no", false },
	{ "null", false },
	{ "x", false },
	{ "!x", true },
	{ "!!x", false },
	{ "! ! i", true },
	/* Fields by path, and two of them. */
	{ ".o.id == 7", true },
	{ "o.id == 7", true },
	{ "/o/id == 7", true },
	{ ".o[\"a.b\"][1] == 'x'", true },
	{ "a[0] == .i", true },
	{ "d.ot == 1", true },
	{ ".[\"d.ot\"] == 1", true },
	{ ".d.ot", false },
	{ ".[\"odd (name)\"] == 2", true },
	{ "500 == 3", true },
	{ "i == .f", true },
	{ "i == .s", true },
	{ "t == .esc", true },
	{ "esc == .esc", true },
	{ "nul == .esc", false },
	{ "i < .big", true },
	{ "i == .x", false },
	{ "null == .null", true },
	/* Regular expressions, in strings and in numbers as spelled. */
	{ "t =~ 'b'", true },
	{ "t =~ '^b'", false },
	{ "t !~ '^b'", true },
	{ "esc =~ \"^a.c$\"", true },
	{ "i =~ '^5'", true },
	{ "f =~ '^5\\.00e2$'", true },
	{ "yes =~ 'true'", false },
	{ "x =~ ''", false },
	{ "x !~ ''", true },
	{ "e =~ '^$'", true },
	{ "t =~ '^(abc|x{2,3})$'", true },
	{ "t =~ '[[:alpha:]]+'", true },
	/* By bytes: these five are four characters. */
	{ "caf\xc3\xa9 =~ '^.....$'", true },
	/* Times by when they are, however they are written. */
	{ "at == @2026-03-01T12:00:00Z", true },
	{ "at != @2026-03-01T12:00:00.000Z", false },
	{ "at >= @2026-03-01T11:59:59.999999999Z", true },
	{ "at > @1772366400", false },
	{ "at < @1772366400001", true },
	{ "@at <= @2026-03-01", false },
	{ "@at == @\"2026-03-01 12:00:00Z\"", true },
	{ "ms == @'Sun, 1 Mar 2026 12:00:00 GMT'", true },
	{ "(ms<@2026-03-02)&&ms>@2026-03-01", true },
	{ "i < @2026-03-01", true }, /* 500 seconds after 1970 */
	{ "s < @2026-03-01", true },
	{ "t < @2026-03-01", false },
	{ "t != @2026-03-01", true },
	{ "null < @2026-03-01", false },
	{ "null == @2026-03-01", false },
	{ "x < @2026-03-01", false },
	{ "a < @2026-03-01", false },
	{ "huge > @2026-03-01", false },
	/* && binds more than ||, ! most of all. */
	{ "x || i", true },
	{ "x && i", false },
	{ "i || x && x", true },
	{ "(i || x) && x", false },
	{ "!i == 1 && i == 500", true },
	{ "!(i == 500 && t)", false },
	{ "!i||!x", true },
	{ " ( ( i ) ) ", true },
	{ "i>=500&&i<600&&t=~'^a'", true },
};

static const struct {
	const char *condition;
	size_t column;
	const char *message;
} wrong[] = {
	{ "", 1, "expected a field, got the end" },
	{ "i >=", 5,
	    "expected a number, a string in quotes, true, false, null, "
	    "@TIME or .FIELD, got the end" },
	{ "i >= abc", 6,
	    "expected a number, a string in quotes, true, false, null, "
	    "@TIME or .FIELD, got 'abc'" },
	{ "i = 5", 3, "expected ==, got '= 5'" },
	{ "i 5", 3,
	    "expected ==, !=, <, <=, >, >=, =~, !~, && or ||, got '5'" },
	{ "i == 5 AND j", 8, "expected &&, got 'AND j'" },
	{ "i or j", 3, "expected ||, got 'or j'" },
	{ "i == 5 order", 8, "expected && or ||, got 'order'" },
	{ "i == 5 6", 8, "expected && or ||, got '6'" },
	{ "i == 5 0123456789012345678901234567890123456789", 8,
	    "expected && or ||, got '012345678901234567890123456789012345...'" },
	{ "(i", 3, "expected &&, || or ), got the end" },
	{ "i)", 2, "expected ==, !=, <, <=, >, >=, =~, !~, && or ||, got ')'" },
	{ "i == 5)", 7, "expected && or ||, got ')'" },
	{ "i &&", 5, "expected a field, got the end" },
	{ "&& i", 1, "expected a field, got '&& i'" },
	{ "i & j", 3,
	    "expected ==, !=, <, <=, >, >=, =~, !~, && or ||, got '& j'" },
	{ "'i' == 5", 1, "expected a field, got ''i' == 5'" },
	{ "i == 'a", 6, "expected a ' that closes this string" },
	{ "i == \"a", 6, "expected a \" that closes this string" },
	{ "i == 01", 6,
	    "expected a number, a string in quotes, true, false, null, "
	    "@TIME or .FIELD, got '01'" },
	{ "i == {}", 6,
	    "expected a number, a string in quotes, true, false, null, "
	    "@TIME or .FIELD, got '{}'" },
	{ "t =~ 5", 6, "expected a regular expression in quotes, got '5'" },
	{ "t =~ .s", 6, "expected a regular expression in quotes, got '.s'" },
	{ "t =~ \"a\\u0000\"", 6, "a regular expression cannot hold a NUL" },
	/* That a string is one of JSON was not told, nor where it is none. */
	{ "t =~ \"a\\.b\"", 9,
	    "expected one of \"/\\bfnrtu after a \\, got '.'; \\\\ is a "
	    "backslash" },
	{ "t == \"a\tb\"", 8,
	    "expected control bytes to be escaped, got \\x09" },
	{ "t =~ \"a\\", 6, "expected a \" that closes this string" },
	{ "at < @", 6,
	    "expected a time, or - and a duration, behind @, got '@'" },
	{ "at < @noon", 6,
	    "expected a time, or - and a duration, behind @, got '@noon'" },
	{ "at < @ 2026-03-01", 6,
	    "expected a time, or - and a duration, behind @, got '@ 2026-03-01'" },
	{ "at < @'", 7, "expected a ' that closes this string" },
	{ "at < @'2026", 7, "expected a ' that closes this string" },
	{ "at < @3026-03-01", 6,
	    "expected a time, or - and a duration, behind @, got '@3026-03-01'" },
	{ "at =~ @2026", 7,
	    "expected a regular expression in quotes, got '@2026'" },
	{ "i..j == 5", 0, NULL },
	{ ".a..b == 5", 1, "expected a name after '.'" },
	{ "i == .", 6, "expected a name after '.'" },
};

static void
check_rows(void)
{
	enum { N = sizeof rows / sizeof rows[0] };
	struct scanned s;
	struct condition *c[N];

	s = (struct scanned){ 0 };
	projection_init(&s.projection);
	for (size_t i = 0; i < N; i++) {
		struct fault f = { 0 };

		c[i] = condition_new(span_of(rows[i].condition), &s.projection,
		    &any, &f);
		if (!CHECK(c[i] != NULL))
			fprintf(stderr, "%s: %s\n", rows[i].condition,
			    f.message);
	}
	projection_compile(&s.projection);
	s.slots = memory_new((size_t)s.projection.nslots, sizeof *s.slots);
	CHECK_EQ(scanned_line(&s, SPAN(line)), 0);
	for (size_t i = 0; i < N; i++) {
		if (c[i] == NULL)
			continue;
		if (!CHECK(condition_holds(c[i], &s.tuple) == rows[i].holds))
			fprintf(stderr, "%s\n", rows[i].condition);
		condition_free(c[i]);
	}
	scanned_fini(&s);
}

static void
check_one_wrong(struct span text, size_t column, const char *message)
{
	struct projection p;
	struct fault f = { 0 };
	struct condition *c;

	projection_init(&p);
	c = condition_new(text, &p, &any, &f);
	if (message != NULL) {
		CHECK(c == NULL);
		CHECK_STR(f.message, message);
		CHECK_EQ(f.column, column);
	}
	condition_free(c);
	projection_compile(&p);
	projection_fini(&p);
}

/* Why it is none says the C library. */
static void
check_wrong_pattern(void)
{
	static const char says[] = "no regular expression: ";
	struct fault f = { 0 };
	struct projection p;

	projection_init(&p);
	CHECK(condition_new(SPAN("t =~ 'a('"), &p, &any, &f) == NULL);
	CHECK(strncmp(f.message, says, strlen(says)) == 0 &&
	    f.message[strlen(says)] != '\0');
	CHECK_EQ(f.column, 7);
	projection_compile(&p);
	projection_fini(&p);
}

/*
 * What means other things elsewhere: \d was taken for a d, \t for a t, \b for a
 * backspace, and a letter beyond ASCII in brackets for any of its bytes.
 */
static void
check_other_meanings(void)
{
	static const char says[] = "\\d and \\D are no part of a POSIX regular "
				   "expression; [0-9] is";
	static const char letters[] =
	    "\\t, \\n and \\r are the letters t, n and r; in double quotes "
	    "they are what they are in JSON";
	static const char bytes[] =
	    "brackets hold bytes, which are parts of a letter beyond ASCII; "
	    "(a|b) is either of two letters";

	check_one_wrong(SPAN("t =~ '\\d\\d'"), 7, says);
	check_one_wrong(SPAN("t =~ 'a\\\\\\D'"), 7, says);
	check_one_wrong(SPAN("t =~ '\\\\d\\.d'"), 0, NULL);
	check_one_wrong(SPAN("t =~ \"\\bise\""), 7,
	    "\\b in double quotes is a backspace; for a backslash write '\\b', "
	    "or \\\\b");
	check_one_wrong(SPAN("t =~ '\\bise'"), 0, NULL);
	check_one_wrong(SPAN("t =~ '(?i)a'"), 7,
	    "(?...) is no part of a POSIX regular expression; (a|b) groups, and "
	    "[Aa] is a letter in either case");
	check_one_wrong(SPAN("t =~ '\\(?a[(?]'"), 0, NULL);
	check_one_wrong(SPAN("t =~ 'a\\tb'"), 7, letters);
	check_one_wrong(SPAN("t =~ \"a\\\\nb\""), 7, letters);
	check_one_wrong(SPAN("t =~ \"a\\tb\""), 0, NULL);
	check_one_wrong(SPAN("t =~ '\\\\t'"), 0, NULL);
	check_one_wrong(SPAN("t =~ '[\xc3\xa9]'"), 7, bytes);
	check_one_wrong(SPAN("t =~ 'a[^]\xc3\xa9]'"), 7, bytes);
	check_one_wrong(SPAN("t =~ '[[:alpha:]\xc3\xa9]'"), 7, bytes);
	check_one_wrong(SPAN("t =~ '[[:alpha:]]\xc3\xa9'"), 0, NULL);
	check_one_wrong(SPAN("t =~ '\\[\xc3\xa9]'"), 0, NULL);
	check_one_wrong(SPAN("t =~ '[a]\xc3\xa9[b]'"), 0, NULL);
}

/* Neither many parentheses nor many parts overflow a stack. */
static void
check_limits(void)
{
	struct buffer b = { 0 };

	for (int i = 0; i < 100000; i++)
		buffer_byte(&b, '(');
	check_one_wrong(buffer_span(&b), 1001,
	    "parentheses nested deeper than 1000");
	b.n = 0;
	for (int i = 0; i < 100000; i++)
		buffer_put(&b, SPAN("i&&"));
	check_one_wrong(buffer_span(&b), 3 * 5000 + 4,
	    "a condition has at most 10000 parts");
	buffer_fini(&b);
}

int
main(void)
{
	check_wrong_pattern();
	check_other_meanings();
	check_rows();
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		check_one_wrong(span_of(wrong[i].condition), wrong[i].column,
		    wrong[i].message);
	check_limits();
	return check_done("condition");
}
