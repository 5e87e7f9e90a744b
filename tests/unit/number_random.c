/*
 * number_random - random decimals against 128-bit integers, and random
 * doubles written and read back.
 *
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/digits.h"
#include "base/number.h"
#include "base/random.h"
#include "check.h"

static struct random rng = { 7 };

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
		decimal_parse(&d, span_of(x.p));
		decimal_parse(&e, span_of(y.p));
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

/* One more and one less than each power of ten, the ends, and others. */
static void
integers(void)
{
	struct buffer b = { 0 };
	char text[24];

	for (int i = 0; i < 10000; i++) {
		int64_t v =
		    (int64_t)random_next(&rng) >> random_below(&rng, 64);
		int64_t power = (int64_t)pow(10, i % 19);
		const int64_t all[] = { v, power - 1, power, power + 1, -power,
			INT64_MIN, INT64_MAX };

		for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
			b.n = 0;
			buffer_int(&b, all[k]);
			buffer_byte(&b, '\0');
			snprintf(text, sizeof text, "%" PRId64, all[k]);
			CHECK_STR(b.p, text);
		}
	}
	buffer_fini(&b);
}

static const char *
double_text(struct buffer *b, double v)
{
	b->n = 0;
	buffer_double(b, v);
	buffer_byte(b, '\0');
	return b->p;
}

/* What the C library writes with the fewest digits that read back. */
static void
check_shortest(struct buffer *b, double v)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (!(strtod(text, NULL) < v) && !(strtod(text, NULL) > v))
			break;
	}
	CHECK_STR(double_text(b, v), text);
}

/*
 * Doubles of all sizes, those beside a power of two or ten, with few decimals,
 * and in the middle between two decimals.
 */
static void
shortest_doubles(void)
{
	struct buffer b = { 0 };

	for (int i = 0; i < 30000; i++) {
		uint64_t bits = random_next(&rng);
		int e = (int)random_below(&rng, 76) - 20;
		double v = ldexp((double)(bits >> 11), e - 53);
		double power = pow(10, (int)random_below(&rng, 22) - 5);

		check_shortest(&b, bits % 2 == 0 ? v : -v);
		v = ldexp(1, e);
		check_shortest(&b, v);
		check_shortest(&b, nextafter(v, 0));
		check_shortest(&b, nextafter(v, INFINITY));
		check_shortest(&b, power);
		check_shortest(&b, nextafter(power, 0));
		check_shortest(&b, nextafter(power, INFINITY));
		check_shortest(&b, (double)(bits >> 34) / power);
		check_shortest(&b, (double)(bits >> 14) / 1024);
	}
	buffer_fini(&b);
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
	CHECK_STR(double_text(&b, 0), "0");
	CHECK_STR(double_text(&b, -0.0), "-0");
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

/* Digits alone, of all lengths, behind and before others. */
static void
digits(void)
{
	char text[32];

	for (int i = 0; i < 20000; i++) {
		size_t n = 1 + random_below(&rng, 18);
		char behind;

		for (size_t k = 0; k < sizeof text; k++)
			text[k] = (char)('0' + random_below(&rng, 10));
		behind = text[4 + n];
		text[4 + n] = '\0';
		CHECK_EQ(digits_integer(text + 4, n),
		    strtoll(text + 4, NULL, 10));
		text[4 + n] = behind;
		CHECK_EQ(digits_integer(text + 4, n) % 10,
		    text[4 + n - 1] - '0');
	}
}

int
main(void)
{
	random_numbers();
	digits();
	integers();
	doubles();
	shortest_doubles();
	return check_done("number_random");
}
