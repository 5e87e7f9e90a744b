/*
 * number - exact decimals, their grammar, canonical text and edges.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/number.h"
#include "check.h"

/* Text as it stands in a line: a byte that ends numbers follows. */
static struct decimal
parsed(const char *text)
{
	struct decimal d;

	CHECK(decimal_parse(&d, span_of(text)) == 0);
	return d;
}

static const char *
canonical(const char *text, struct buffer *b)
{
	struct decimal d = parsed(text);

	b->n = 0;
	decimal_put(b, &d);
	buffer_byte(b, '\0');
	return b->p;
}

static void
grammar(void)
{
	static const char *const good[] = { "0", "-0", "1", "-1", "10", "0.0",
		"-0.5", "1e5", "1E5", "1e+5", "1e-5", "1.5e05", "0e0",
		"123456789012345678901234567890.5e-100" };
	static const char *const bad[] = { "", "-", "+1", "01", "-01", ".5",
		"1.", "1.e5", "1e", "1e+", "1e5.", "0x1", " 1", "1 ", "1,2",
		"inf", "nan", "1f", "--1", "1e5e5", "1.2.3", "e5" };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(number_is(span_of(good[i])));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!CHECK(!number_is(span_of(bad[i]))))
			fprintf(stderr, "\t'%s'\n", bad[i]);
	CHECK(!number_is(SPAN("1\0")));
}

#define ZEROS10 "0000000000"
#define ZEROS40 ZEROS10 ZEROS10 ZEROS10 ZEROS10

static void
canonical_table(void)
{
	static const char *const rows[][2] = {
		{ "0", "0" },
		{ "-0", "0" },
		{ "-0.000", "0" },
		{ "0e99999999999999999999", "0" },
		{ "1", "1" },
		{ "1.0", "1" },
		{ "1e0", "1" },
		{ "10e-1", "1" },
		{ "0.1e1", "1" },
		{ "100", "100" },
		{ "1e2", "100" },
		{ "-1.50e1", "-15" },
		{ "0.5", "0.5" },
		{ "5e-1", "0.5" },
		{ "0.05", "0.05" },
		{ "12.340", "12.34" },
		{ "0.0012e1", "0.012" },
		{ "9007199254740993", "9007199254740993" },
		{ "1e40", "1" ZEROS40 },
		{ "1e41", "1e41" },
		{ "1" ZEROS40 "0", "1e41" },
		{ "123e39", "123" ZEROS10 ZEROS10 ZEROS10 "000000000" },
		{ "123e41", "123e41" },
		{ "1.23e41", "123" ZEROS10 ZEROS10 ZEROS10 "000000000" },
		{ "1.5e400", "15e399" },
		{ "1e-41", "0." ZEROS40 "1" },
		{ "1e-42", "1e-42" },
		{ "-12.5e-50", "-125e-51" },
		{ "1e000000000000000000000005", "100000" },
		{ "1e1000000000000000000", "1e1000000000000000000" },
		{ "1e-1000000000000000000", "1e-1000000000000000000" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_STR(canonical(rows[i][0], &b), rows[i][1]);
		CHECK_STR(canonical(rows[i][1], &b), rows[i][1]);
		CHECK(!decimal_is_canonical(span_of(rows[i][0])) ||
		    strcmp(rows[i][0], rows[i][1]) == 0);
	}
	CHECK(decimal_is_canonical(SPAN("0")));
	CHECK(decimal_is_canonical(SPAN("-12.5")));
	CHECK(decimal_is_canonical(SPAN("1000")));
	buffer_fini(&b);
}

/* An exponent beyond 10^18, once a signed overflow: 10 times 999... . */
static void
huge_exponents(void)
{
	static const char *const texts[] = { "1e1000000000000000001",
		/* As a key it was written so that it could not be read again. */
		"10e1000000000000000000", "0.1e-1000000000000000000",
		"1e9223372036854775807", "1e9223372036854775808",
		"1e9999999999999999999", "1e-9999999999999999999",
		"1e18446744073709551617", "-1.5E+99999999999999999999999999" };
	struct decimal d;
	struct number x;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		CHECK_EQ(decimal_parse(&d, span_of(texts[i])), -1);
		CHECK_EQ(number_parse(&x, span_of(texts[i])), -1);
	}
}

static void
scale_table(void)
{
	static const struct {
		const char *text;
		int shift, result;
		int64_t out;
	} rows[] = {
		{ "0", 9, 0, 0 },
		{ "1.5", 0, 0, 1 },
		{ "-1.5", 0, 0, -2 },
		{ "-1", 0, 0, -1 },
		{ "-0.001", 0, 0, -1 },
		{ "-0.001", 3, 0, -1 },
		{ "-0.0011", 3, 0, -2 },
		{ "0.999", 0, 0, 0 },
		{ "1e-30", 9, 0, 0 },
		{ "-1e-1000000000000000000", 9, 0, -1 },
		{ "9223372036854775807", 0, 0, INT64_MAX },
		{ "9223372036854775807.9", 0, 0, INT64_MAX },
		{ "9223372036854775808", 0, -1, 0 },
		{ "-9223372036854775808", 0, 0, INT64_MIN },
		{ "-9223372036854775808.1", 0, -1, 0 },
		{ "9.223372036854775807", 18, 0, INT64_MAX },
		{ "9.223372036854775808", 18, -1, 0 },
		{ "1e20", 0, -1, 0 },
		{ "1e1000000000000000000", 0, -1, 0 },
		{ "12345678901234567890123e-10", 0, 0, 1234567890123 },
	};
	int64_t out;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct decimal d = parsed(rows[i].text);

		out = 0;
		CHECK_EQ(decimal_scale(&d, rows[i].shift, &out),
		    rows[i].result);
		if (rows[i].result == 0)
			CHECK_EQ(out, rows[i].out);
	}
}

/* 128 bits and no more, written as they were read. */
static void
int128_table(void)
{
	static const struct {
		const char *text;
		int result;
	} rows[] = {
		{ "0", 0 },
		{ "-1", 0 },
		{ "99999999999999999999999999999999999999", 0 },
		{ "170141183460469231731687303715884105727", 0 },
		{ "170141183460469231731687303715884105728", -1 },
		{ "-170141183460469231731687303715884105728", 0 },
		{ "-170141183460469231731687303715884105729", -1 },
		{ "999999999999999999999999999999999999999", -1 },
		{ "1e39", -1 },
		{ "1.5", -1 },
		{ "1e-1", -1 },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct decimal d = parsed(rows[i].text);
		int128 v = 0;

		if (!CHECK(decimal_int128(&d, &v) == rows[i].result))
			fprintf(stderr, "\t%s\n", rows[i].text);
		if (decimal_int128(&d, &v) != 0)
			continue;
		b.n = 0;
		buffer_int128(&b, v);
		buffer_byte(&b, '\0');
		CHECK_STR(b.p, rows[i].text);
	}
	buffer_fini(&b);
}

int
main(void)
{
	grammar();
	canonical_table();
	huge_exponents();
	scale_table();
	int128_table();
	return check_done("number");
}
