/*
 * field_path - how paths are taken apart, and what is said of those that
 * cannot be.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/field_path.h"
#include "base/buffer.h"
#include "check.h"

/*
 * Steps as text: a name is 'name', an index [i], either 'name'[i].
 */
static void
show(struct buffer *b, const struct field_path *path)
{
	b->n = 0;
	for (size_t i = 0; i < path->n; i++) {
		const struct field_step *step = &path->steps[i];

		if (i > 0)
			buffer_byte(b, ' ');
		if (step->name.p != NULL) {
			buffer_byte(b, '\'');
			buffer_put(b, step->name);
			buffer_byte(b, '\'');
		}
		if (step->index >= 0) {
			buffer_byte(b, '[');
			buffer_int(b, step->index);
			buffer_byte(b, ']');
		}
	}
	buffer_byte(b, '\0');
}

static void
parses(void)
{
	static const struct {
		const char *text, *steps;
	} good[] = {
		{ ".user", "'user'" },
		{ ".user.id", "'user' 'id'" },
		{ "user.id", "'user' 'id'" },
		{ "user", "'user'" },
		{ ".a[0]", "'a' [0]" },
		{ "a[0][12].b", "'a' [0] [12] 'b'" },
		{ ".a.[0]", "'a' [0]" },
		{ ".[\"id.orig_h\"]", "'id.orig_h'" },
		{ "[\"a\"][\"b\"]", "'a' 'b'" },
		{ ".[\"a\"].b", "'a' 'b'" },
		{ ".a[\"b]\"].c", "'a' 'b]' 'c'" },
		{ ".[\"\"]", "''" },
		{ ".[\"\\\"\\\\\\u0041\"]", "'\"\\A'" },
		{ "[0]", "[0]" },
		{ ".0", "'0'" },
		{ ".a[999999999999999999]", "'a' [999999999999999999]" },
		{ ".a b.c-d", "'a b' 'c-d'" },
		{ ".a/b", "'a/b'" },
		{ "./a", "'/a'" },
		{ "/a", "'a'" },
		{ "/a/b", "'a' 'b'" },
		{ "/", "''" },
		{ "//", "'' ''" },
		{ "/a/", "'a' ''" },
		{ "/a/0", "'a' '0'[0]" },
		{ "/10", "'10'[10]" },
		{ "/01", "'01'" },
		{ "/-", "'-'" },
		{ "/-1", "'-1'" },
		{ "/a.b[0]", "'a.b[0]'" },
		{ "/a~1b", "'a/b'" },
		{ "/m~0n", "'m~n'" },
		{ "/~01", "'~1'" },
		{ "/ ", "' '" },
		{ "/c%d", "'c%d'" },
		{ "/9999999999999999999", "'9999999999999999999'" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct field_path path;

		CHECK_STR(field_path_parse(&path, span_of(good[i].text)), NULL);
		show(&b, &path);
		CHECK_STR(b.p, good[i].steps);
		field_path_fini(&path);
	}
	buffer_fini(&b);
}

static void
refuses(void)
{
	static const char name[] = "expected a name after '.'";
	static const char quoted[] = "expected a JSON string within [\"...\"]";
	static const char bracket[] =
	    "expected an index like [0] or a name like [\"a.b\"]";
	static const char tilde[] =
	    "expected ~0 or ~1 after '~' in a JSON Pointer";
	static const struct {
		const char *text, *wrong;
	} bad[] = {
		{ "", "expected a field" },
		{ ".", name },
		{ "..", name },
		{ ".a.", name },
		{ ".a..b", name },
		{ "a.", name },
		{ ".[0].", name },
		{ ".[]", bracket },
		{ ".[", bracket },
		{ ".a[-1]", bracket },
		{ ".a[01]", bracket },
		{ ".a[1", bracket },
		{ ".a[ 1]", bracket },
		{ ".a[x]", bracket },
		{ ".a['x']", bracket },
		{ ".a[1000000000000000000]", bracket },
		{ ".[\"a", quoted },
		{ ".[\"a\\\"]", quoted },
		{ ".[\"\\x\"]", quoted },
		{ ".[\"\xff\"]", quoted },
		{ ".[\"a\tb\"]", quoted },
		{ ".[\"a\"", "expected ']' after [\"...\"" },
		{ ".[\"a\"x]", "expected ']' after [\"...\"" },
		{ ".a[0]b", "expected '.' or '[' after ']'" },
		{ "[\"a\"]b", "expected '.' or '[' after ']'" },
		{ "/~", tilde },
		{ "/a~2", tilde },
		{ "/a~~0", tilde },
		{ "/~/a", tilde },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct field_path path;

		CHECK_STR(field_path_parse(&path, span_of(bad[i].text)),
		    bad[i].wrong);
		field_path_fini(&path);
	}
}

static void
until(void)
{
	CHECK_EQ(field_path_until(SPAN("a,b"), ','), 1);
	CHECK_EQ(field_path_until(SPAN("ab"), ','), 2);
	CHECK_EQ(field_path_until(SPAN(""), ','), 0);
	CHECK_EQ(field_path_until(SPAN(",a"), ','), 0);
	CHECK_EQ(field_path_until(SPAN("[\"a,b\"],c"), ','), 7);
	CHECK_EQ(field_path_until(SPAN(".x[\"a\\\",b\"],c"), ','), 11);
	CHECK_EQ(field_path_until(SPAN("[0],c"), ','), 3);
	CHECK_EQ(field_path_until(SPAN("[\"a,b"), ','), 5);
	CHECK_EQ(field_path_until(SPAN("[\"a\\"), ','), 4);
	CHECK_EQ(field_path_until(SPAN("["), ','), 1);
}

int
main(void)
{
	parses();
	refuses();
	until();
	return check_done("field_path");
}
