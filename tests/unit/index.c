/*
 * index - what the lines of a text do not depend on.
 *
 * SPDX-License-Identifier: ISC
 */
#include "json/index.h"
#include "check.h"
#include "json/scanner.h"

enum {
	LONG = 5000,
	RUN = 260,
};

/* Index a text, and return the flags of its first line. */
static uint32_t
flags_of(struct json_index *x, const struct json_index_version *version,
    struct buffer *text)
{
	version->index(x, json_padded(text));
	CHECK(x->nlines >= 1);
	return x->lines[0] & LINE_FLAGS;
}

/*
 * A string with an escape that goes on into blocks without any: those were
 * taken to have the escapes that another text had had there.
 */
static void
nothing_is_left_of_earlier_texts(const struct json_index_version *version)
{
	struct buffer escapes = { 0 }, text = { 0 };
	struct json_index fresh, used;

	buffer_put(&escapes, SPAN("{\"a\":\""));
	for (int i = 0; i < LONG; i++)
		buffer_put(&escapes, SPAN("\\n"));
	buffer_put(&escapes, SPAN("\"}\n"));
	buffer_put(&text, SPAN("{\"a\":\"\\n"));
	for (int i = 0; i < LONG; i++)
		buffer_byte(&text, 'x');
	buffer_put(&text, SPAN("\",\"b\":1,\"cc\":2,\"ddd\":3}\n"));
	json_index_init(&fresh);
	json_index_init(&used);
	flags_of(&used, version, &escapes);
	CHECK_EQ(flags_of(&used, version, &text),
	    flags_of(&fresh, version, &text));
	CHECK_EQ(flags_of(&fresh, version, &text), LINE_ESCAPED);
	json_index_fini(&fresh);
	json_index_fini(&used);
	buffer_fini(&escapes);
	buffer_fini(&text);
}

/*
 * A run of backslashes, wherever it begins in a block and however many blocks it
 * fills: the next byte is escaped if their number is odd.
 */
static void
runs_escape_by_their_number(const struct json_index_version *version)
{
	struct buffer text = { 0 };
	struct json_index x;

	json_index_init(&x);
	for (int before = 0; before < 64; before++)
		for (int n = 0; n < RUN; n++) {
			uint32_t bad;

			text.n = 0;
			buffer_put(&text, SPAN("{\"a\":\""));
			for (int i = 0; i < before; i++)
				buffer_byte(&text, 'x');
			for (int i = 0; i < n; i++)
				buffer_byte(&text, '\\');
			buffer_put(&text, SPAN("\"}\n"));
			bad = flags_of(&x, version, &text) & LINE_BAD;
			CHECK_EQ(bad != 0, n % 2 != 0);
			text.n -= 3;
			buffer_put(&text, SPAN("n\"}\n"));
			CHECK_EQ(flags_of(&x, version, &text),
			    n == 0 ? 0 : LINE_ESCAPED);
		}
	json_index_fini(&x);
	buffer_fini(&text);
}

/* Put a line that has more than a block between its braces. */
static void
put_long_line(struct buffer *text)
{
	buffer_put(text, SPAN("{\"a\":[1,{\"b\":2}],\"c\":\""));
	for (int i = 0; i < 128; i++)
		buffer_byte(text, 'x');
	buffer_put(text, SPAN("\"}\n"));
}

/* A string with an escape, many x before and behind it, and what follows. */
static void
put_escaped(struct buffer *b, size_t before, size_t behind, struct span rest)
{
	buffer_put(b, SPAN("{\""));
	for (size_t i = 0; i < before; i++)
		buffer_byte(b, 'x');
	buffer_put(b, SPAN("\\n"));
	for (size_t i = 0; i < behind; i++)
		buffer_byte(b, 'x');
	buffer_put(b, rest);
}

/* A key with an escape is marked however many blocks are behind that. */
static void
escaped_keys_are_marked(const struct json_index_version *version)
{
	static const size_t lengths[] = { 0, 1, 40, 63, 64, 65, 128, 191, 500,
		4000, 4096, 4159, 9000 };
	const size_t nlengths = sizeof lengths / sizeof *lengths;
	struct buffer text = { 0 };
	struct json_index x;

	json_index_init(&x);
	for (size_t before = 0; before < 130; before++)
		for (size_t i = 0; i < nlengths; i++) {
			text.n = 0;
			put_escaped(&text, before, lengths[i],
			    SPAN("\":\"\\n\"}\n"));
			CHECK_EQ(flags_of(&x, version, &text),
			    LINE_ESCAPED | LINE_ESCAPED_KEY);
			CHECK_EQ(x.escaped_keys[0], 1 << 1);
			text.n = 0;
			buffer_put(&text, SPAN("{\"a\":"));
			put_escaped(&text, before, lengths[i],
			    SPAN("\" :1}}\n"));
			CHECK_EQ(flags_of(&x, version, &text),
			    LINE_ESCAPED | LINE_LOOSE);
			CHECK_EQ(x.escaped_keys[0], 0);
		}
	json_index_fini(&x);
	buffer_fini(&text);
}

/*
 * Lines of text among those of JSON: the good ones were left to json_scan if 62
 * tokens together had a bad one, which took twice as long.
 */
static void
bad_lines_leave_others_good(const struct json_index_version *version)
{
	static const char *const bad[] = { "panic: oh no\n", "x\n",
		"{\"a\" 1}\n", "{\"a\":[1,2}\n", "{\n", "}\n", "[[[\n",
		"{\"a\":{\"b\":1}\n", "1,2,3\n", "{\"a\":tru}\n" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buffer text = { 0 };
		struct json_index x;

		json_index_init(&x);
		put_long_line(&text);
		put_long_line(&text);
		buffer_put(&text, span_of(bad[i]));
		put_long_line(&text);
		put_long_line(&text);
		version->index(&x, json_padded(&text));
		CHECK_EQ(x.nlines, 5);
		CHECK_EQ(x.lines[0] & LINE_BAD, 0);
		CHECK_EQ(x.lines[2] & LINE_BAD, LINE_BAD);
		CHECK_EQ(x.lines[4] & LINE_BAD, 0);
		json_index_fini(&x);
		buffer_fini(&text);
	}
}

int
main(void)
{
	const struct json_index_version *const *v = json_index_versions;

	for (; *v != NULL; v++)
		if ((*v)->runs_here()) {
			nothing_is_left_of_earlier_texts(*v);
			runs_escape_by_their_number(*v);
			escaped_keys_are_marked(*v);
			bad_lines_leave_others_good(*v);
		}
	return check_done("index");
}
