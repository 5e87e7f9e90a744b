/*
 * number - exact decimals, by tables and against 128-bit integers.
 *
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <math.h>

#include "check.h"
#include "number.h"
#include "random.h"

static struct random rng = { 7 };

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

enum { SCALE = 9 }; /* random values are multiples of 10^-9 */

/* Write v * 10^-SCALE in one of its spellings. */
static void
spell(struct buffer *b, int128 v)
{
	char digits[64];
	int n, e = -SCALE, point = (int)random_below(&rng, 24);
	struct buffer d = { 0 };

	buffer_int128(&d, v < 0 ? -v : v);
	while (v != 0 && d.p[d.n - 1] == '0' && random_below(&rng, 4) != 0) {
		d.n--;
		e++;
	}
	for (uint64_t zeros = random_below(&rng, 4); zeros > 0; zeros--) {
		buffer_byte(&d, '0');
		e--;
	}
	n = snprintf(digits, sizeof digits, "%0*d%.*s",
	    (int)d.n <= point ? point + 1 - (int)d.n : 0, 0, (int)d.n, d.p);
	if ((int)d.n > point) /* the width made a 0 that is not needed */
		n = snprintf(digits, sizeof digits, "%.*s", (int)d.n, d.p);
	b->n = 0;
	if (v < 0 || (v == 0 && random_below(&rng, 2) == 0))
		buffer_byte(b, '-');
	if (point > 0 && v == 0 && n > point + 1)
		point = n - 1; /* no leading zeros */
	if (v == 0 && point == 0)
		n = 1;
	buffer_put(b, (struct span){ digits, (size_t)(n - point) });
	if (point > 0) {
		buffer_byte(b, '.');
		buffer_put(b,
		    (struct span){ digits + n - point, (size_t)point });
	}
	e += point;
	if (e != 0 || random_below(&rng, 2) == 0) {
		buffer_put(b, random_below(&rng, 2) ? SPAN("e") : SPAN("E"));
		if (e >= 0 && random_below(&rng, 2) == 0)
			buffer_byte(b, '+');
		buffer_int(b, e);
	}
	buffer_byte(b, '\0');
	b->n--;
	buffer_fini(&d);
	if (!number_is(buffer_span(b)))
		CHECK_STR(b->p, "a number");
}

static int128
random_value(void)
{
	int128 v = (int128)random_next(&rng) >> random_below(&rng, 64);
	static const int64_t powers[] = { 1, 1, 1000, 1000000000,
		1000000000000 };

	v *= powers[random_below(&rng, 5)];
	return random_below(&rng, 2) == 0 ? v : -v;
}

static int
sign_of(int c)
{
	return (c > 0) - (c < 0);
}

static int128
floor_shift(int128 v, int shift)
{
	int128 unit = 1;

	for (int i = shift; i < SCALE; i++)
		unit *= 10;
	for (int i = SCALE; i < shift; i++)
		v *= 10;
	return v / unit - (v % unit < 0);
}

static void
random_numbers(void)
{
	struct buffer a = { 0 }, b = { 0 }, x = { 0 }, y = { 0 };

	for (int i = 0; i < 100000; i++) {
		int128 v = random_value();
		int128 w = random_below(&rng, 3) == 0 ?
		    v + (int)random_below(&rng, 3) - 1 :
		    random_value();
		int want = (v > w) - (v < w),
		    shift = (int)random_below(&rng, 12);
		struct decimal d, e;
		struct number m, n;
		int64_t scaled = 0;
		int128 whole;

		spell(&a, v);
		spell(&b, w);
		if (!CHECK(decimal_parse(&d, buffer_span(&a)) == 0 &&
			decimal_parse(&e, buffer_span(&b)) == 0))
			break;
		x.n = y.n = 0;
		decimal_put(&x, &d);
		decimal_put(&y, &e);
		number_parse(&m, buffer_span(&a));
		number_parse(&n, buffer_span(&b));
		whole = floor_shift(v, shift);
		if (!CHECK(sign_of(decimal_cmp(&d, &e)) == want &&
			sign_of(number_cmp(&m, &n)) == want &&
			span_eq(buffer_span(&x), buffer_span(&y)) ==
			    (want == 0) &&
			m.d == strtod(a.p, NULL) &&
			m.is_int ==
			    (v % 1000000000 == 0 &&
				v / 1000000000 >= INT64_MIN &&
				v / 1000000000 <= INT64_MAX)))
			fprintf(stderr, "\t%s %s\n", a.p, b.p);
		if (whole >= INT64_MIN && whole <= INT64_MAX)
			CHECK(decimal_scale(&d, shift, &scaled) == 0 &&
			    scaled == whole);
		else
			CHECK(decimal_scale(&d, shift, &scaled) == -1);
		/* What was put is put again, and the order is the same. */
		buffer_byte(&x, '\0');
		buffer_byte(&y, '\0');
		d = parsed(x.p);
		e = parsed(y.p);
		CHECK(sign_of(decimal_cmp(&d, &e)) == want);
		a.n = 0;
		decimal_put(&a, &d);
		CHECK(span_eq(buffer_span(&a), span_of(x.p)));
		CHECK(decimal_is_canonical(span_of(x.p)) || x.n > 41);
	}
	buffer_fini(&a);
	buffer_fini(&b);
	buffer_fini(&x);
	buffer_fini(&y);
}

static const char *
double_text(struct buffer *b, double v)
{
	b->n = 0;
	buffer_double(b, v);
	buffer_byte(b, '\0');
	return b->p;
}

static void
doubles(void)
{
	struct buffer b = { 0 };
	struct number x, y;

	CHECK_STR(double_text(&b, 0.1), "0.1");
	CHECK_STR(double_text(&b, 0.1 + 0.2), "0.30000000000000004");
	CHECK_STR(double_text(&b, 1e22), "1e+22");
	CHECK_STR(double_text(&b, 100), "100");
	CHECK_STR(double_text(&b, 5e-324), "5e-324");
	CHECK_STR(double_text(&b, DBL_MAX), "1.7976931348623157e+308");
	CHECK_STR(double_text(&b, INFINITY), "1.7976931348623157e+308");
	CHECK_STR(double_text(&b, -INFINITY), "-1.7976931348623157e+308");
	CHECK_STR(double_text(&b, NAN), "0");
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = random_next(&rng);
		double v;

		memcpy(&v, &bits, sizeof v);
		if (!isfinite(v))
			continue;
		double_text(&b, v);
		CHECK(number_is((struct span){ b.p, b.n - 1 }));
		CHECK(number_parse(&x, (struct span){ b.p, b.n - 1 }) == 0 &&
		    !(x.d < v) && !(x.d > v));
	}
	/* Where doubles are alike, digits are not. */
	number_parse(&x, SPAN("9007199254740992.0"));
	number_parse(&y, SPAN("9007199254740993"));
	CHECK(number_cmp(&x, &y) < 0);
	number_parse(&x, SPAN("1e400"));
	number_parse(&y, SPAN("1e401"));
	CHECK(number_cmp(&x, &y) < 0 && isinf(x.d));
	number_parse(&x, SPAN("-1e-400"));
	number_parse(&y, SPAN("1e-400"));
	CHECK(number_cmp(&x, &y) < 0);
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
	random_numbers();
	doubles();
	return check_done("number");
}
