/* SPDX-License-Identifier: ISC */
#include "grouping/java_hash.h"
#include "check.h"

/* The hash of the JSON text of a scalar. */
static int32_t
hash(const char *text)
{
	struct buffer scratch = { 0 };
	struct value v = value_from(span_of(text), strchr(text, '\\') != NULL);
	int32_t h = 0;

	CHECK_EQ(java_hash_value(&v, &scratch, &h), 0);
	buffer_fini(&scratch);
	return h;
}

/* toString of it, good until the next call. */
static const char *
text_of(const char *text)
{
	static char out[128];
	struct buffer scratch = { 0 }, b = { 0 };
	struct value v = value_from(span_of(text), strchr(text, '\\') != NULL);

	CHECK_EQ(java_hash_text(&v, &scratch, &b), 0);
	snprintf(out, sizeof out, "%.*s", (int)b.n, b.n == 0 ? "" : b.p);
	buffer_fini(&scratch);
	buffer_fini(&b);
	return out;
}

static void
hashes(void)
{
	CHECK_EQ(hash("\"nathan\""), -1052620332);
	CHECK_EQ(hash("\"\""), 0);
	CHECK_EQ(hash("\"\\ud83d\\ude00\""), 1772899);
	CHECK_EQ(hash("\"h\\u00e9llo\""), 103094734);
	CHECK_EQ(hash("-1"), 0);
	CHECK_EQ(hash("-0"), 0);
	CHECK_EQ(hash("4294967296"), 1);
	CHECK_EQ(hash("1.5"), 1073217536);
	CHECK_EQ(hash("0.0"), 0);
	CHECK_EQ(hash("-0.0"), INT32_MIN);
	CHECK_EQ(hash("9223372036854775808"), INT32_MIN);
	CHECK_EQ(hash("true"), 1231);
	CHECK_EQ(hash("false"), 1237);
	CHECK_EQ(hash("null"), 0);
	CHECK_EQ(java_hash_list(java_hash_list(1, hash("\"a\"")), hash("1")),
	    3969);
}

static void
texts(void)
{
	CHECK_STR(text_of("\"a\\u0062\""), "ab");
	CHECK_STR(text_of("\"\\ud83dx\""), "?x");
	CHECK_STR(text_of("-0"), "0");
	CHECK_STR(text_of("1e2"), "100.0");
	CHECK_STR(text_of("-0.0"), "-0.0");
	CHECK_STR(text_of("1e7"), "1.0E7");
	CHECK_STR(text_of("0.001"), "0.001");
	CHECK_STR(text_of("1e-4"), "1.0E-4");
	CHECK_STR(text_of("1e999"), "Infinity");
	CHECK_STR(text_of("4.9e-324"), "4.9E-324");
	/* Not the shortest, as it was up to JDK 18. */
	CHECK_STR(text_of("2.0E-3"), "0.002");
	CHECK_STR(text_of("5.684341886080802E-14"), "5.6843418860808015E-14");
	CHECK_STR(text_of("1e23"), "9.999999999999999E22");
	/* A sum that overflows in Java's long. */
	CHECK_STR(text_of("-3.8189059803482716E25"), "-3.8189059803482716E25");
}

static void
numbers(void)
{
	struct java_random r = java_random(42);

	CHECK_EQ(java_random_below(&r, 10), 0);
	CHECK_EQ(java_random_below(&r, 10), 3);
	CHECK_EQ(java_random_below(&r, 16), 10);
	CHECK_EQ(java_hash_bytes(SPAN("\xff")), 30);
}

int
main(void)
{
	hashes();
	texts();
	numbers();
	return check_done("java_hash");
}
