/*
 * stored_key - keys through the columns of a database and back, and columns
 * that no key has.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/stored_key.h"
#include "check.h"
#include "padded.h"

enum { MOST = 3 };

/* The key of a line comes back as it was, and says whether it has null. */
static void
there_and_back(const char *fields, const char *line)
{
	struct scanned s;
	struct key key = { 0 };
	struct stored_key back = { 0 };
	struct stored_value columns[MOST], spelling;
	size_t n;

	scanned_init(&s, fields);
	n = s.projection.nfields;
	CHECK(scanned_line(&s, span_of(line)) == 0);
	CHECK(key_of(&key, &s.tuple, 0, n, NULL) == 0);
	stored_key_columns(key.bytes, n, columns);
	spelling = stored_key_spelling(key.bytes, key.spelling);
	CHECK(stored_key_read(&back, columns, n, &spelling));
	CHECK(span_eq(back.key.bytes, key.bytes));
	CHECK(span_eq(back.key.spelling, key.spelling));
	CHECK_EQ(back.key.hash, key.hash);
	CHECK_EQ(back.key.has_null, key.has_null);
	CHECK(stored_key_check(&back, key.bytes, key.spelling, n));
	CHECK(!stored_key_check(&back, key.bytes, key.spelling, n + 1));
	key_fini(&key);
	stored_key_fini(&back);
	scanned_fini(&s);
}

static void
good(void)
{
	static const char *const values[] = { "\"a\"", "\"\"", "\"\\u0061\"",
		"\"a\\\"b\"", "\"\\ud800\"", "\"\\u0000\"", "\"\\n\"",
		"\"\xc3\xa9\"", "\"\x7f\"", "0", "-0", "1", "1.0", "1.10",
		"0.5", "1e400", "-9223372036854775808", "9223372036854775808",
		"true", "false", "null" };
	char line[64];

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		snprintf(line, sizeof line, "{\"a\":%s,\"b\":\"x\"}",
		    values[i]);
		there_and_back("a", line);
		there_and_back("a,b", line);
		there_and_back("b,a", line);
	}
}

#define TEXT(literal)                                                          \
	{                                                                      \
		.kind = STORED_TEXT, .bytes = { literal, sizeof(literal) - 1 } \
	}
#define BLOB(literal)                                                          \
	{                                                                      \
		.kind = STORED_BLOB, .bytes = { literal, sizeof(literal) - 1 } \
	}
#define INT(number)                               \
	{                                         \
		.kind = STORED_INT, .i = (number) \
	}
#define NONE                        \
	{                           \
		.kind = STORED_NULL \
	}

/* They were written out as they are, or were a second row of a key. */
static void
bad(void)
{
	static const struct {
		struct stored_value column, spelling;
	} rows[] = {
		{ NONE, NONE },
		{ TEXT("a\"b"), NONE },
		{ TEXT("a\\"), NONE },
		{ TEXT("a\nb"), NONE },
		{ TEXT("\xff"), NONE },
		{ TEXT("a\0b"), BLOB("\"a\\u0000b\"") },
		{ BLOB(""), NONE },
		{ BLOB("\""), NONE },
		{ BLOB("\"a\""), NONE },
		{ BLOB("1"), NONE },
		{ BLOB("x"), NONE },
		{ BLOB("[]"), NONE },
		{ BLOB(" true"), NONE },
		{ BLOB("true\n"), NONE },
		{ BLOB("1.10"), NONE },
		{ BLOB("true\xff"
		       "true"),
		    NONE },
		{ { .kind = STORED_REAL, .d = 1 }, NONE },
		{ { .kind = STORED_REAL, .d = 1e21 }, NONE },
		{ TEXT("a"), BLOB("\"b\"") },
		{ TEXT("a"), BLOB("") },
		{ TEXT("a"), BLOB("\"a\"\xff\"a\"") },
		{ TEXT("a"), BLOB("\"a\" ") },
		{ TEXT("a"), TEXT("\"a\"") },
		{ INT(1), BLOB("1e0x") },
		{ INT(1), BLOB("10") },
		{ INT(1), INT(1) },
	};
	struct stored_key k = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (!CHECK(!stored_key_read(&k, &rows[i].column, 1,
			&rows[i].spelling)))
			fprintf(stderr, "\trow %zu\n", i);
	stored_key_fini(&k);
}

int
main(void)
{
	good();
	bad();
	return check_done("stored_key");
}
