/*
 * sum - totals that stay exact, however they are added to and taken from.
 *
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <math.h>

#include "base/random.h"
#include "base/sum.h"
#include "check.h"

static struct random rng = { 5 };
static struct sum_pool pool;
static struct buffer out;

static struct number
number(const char *text)
{
	struct number x;

	CHECK(number_parse(&x, span_of(text)) == 0);
	return x;
}

static void
add(struct total *total, const char *text)
{
	struct number x = number(text);

	sum_add_number(&pool, total, &x);
}

static const char *
text_of(struct total total)
{
	out.n = 0;
	sum_put(&pool, &out, total);
	buffer_byte(&out, '\0');
	return out.p;
}

/* Numbers and their sum as it is written. */
static void
sums(void)
{
	static const struct {
		const char *sum;
		const char *x[6];
	} rows[] = {
		{ "0", { "0" } },
		{ "0", { "-0.0", "0e5" } },
		{ "6", { "1", "2.0", "30e-1" } },
		{ "0.30000000000000004", { "0.1", "0.2" } },
		{ "0.6", { "0.1", "0.2", "0.3" } }, /* no matter the order */
		{ "0.6", { "0.3", "0.2", "0.1" } },
		{ "0.75", { "0.5", "0.25" } },
		{ "0", { "0.5", "-0.5" } },
		{ "1.5", { "1e40", "1.5", "-1e40" } },
		{ "2305843009213693952", { "2305843009213693951", "1" } },
		{ "2305843009213693953", { "2305843009213693952", "1" } },
		{ "2305843009213693951", { "2305843009213693952", "1", "-2" } },
		{ "18446744073709551614",
		    { "9223372036854775807", "9223372036854775807" } },
		{ "-9223372036854775809", { "-9223372036854775808", "-1" } },
		{ "-1", { "9223372036854775807", "-9223372036854775808" } },
		{ "9223372036854775809", { "9223372036854775809" } },
		{ "12345678901234567891", { "12345678901234567890", "1" } },
		{ "9007199254740993", { "9007199254740992", "1" } },
		{ "100000000000000000000000000000000000001", { "1e38", "1" } },
		{ "170141183460469231731687303715884105727",
		    { "170141183460469231731687303715884105726", "1" } },
		{ "-170141183460469231731687303715884105728",
		    { "-170141183460469231731687303715884105727", "-1" } },
		/* Beyond 128 bits, and beyond doubles. */
		{ "2.4e+38", { "8e37", "1.6e38" } },
		{ "1.7014118346046923e+38",
		    { "170141183460469231731687303715884105727", "1" } },
		{ "1.7014118346046923e+38",
		    { "170141183460469231731687303715884105727", "0.5" } },
		{ "1e+40", { "1e40", "1" } },
		{ "1.7976931348623157e+308", { "1e308", "1e308" } },
		{ "-1.7976931348623157e+308", { "-1e308", "-1e308" } },
		{ "1e+308", { "1e308", "1e308", "-1e308" } },
		/* What is left of what cancelled: once 0, or an old error. */
		{ "0.5", { "1e60", "-1e60", "0.5" } },
		{ "0.5", { "1e60", "0.5", "-1e60" } },
		{ "1e-300",
		    { "1e300", "1e-300", "1e100", "-1e300", "-1e100" } },
		{ "1e+60", { "1e60", "-0.5" } },
		{ "-5e-324", { "1e308", "-5e-324", "-1e308" } },
		/* Halves go to the even one, and to where a trifle pulls. */
		{ "9007199254740992", { "9007199254740992", "0.5" } },
		{ "2251799813685248", { "2251799813685248", "0.25" } },
		{ "2251799813685248.5",
		    { "2251799813685248", "0.25", "1e-300" } },
		{ "1.0000000000000002",
		    { "1", "1.1102230246251565e-16", "1e-300" } },
		{ "1", { "1", "1.1102230246251565e-16", "-1e-300" } },
		{ "2251799813685249", { "2251799813685248.5", "0.5" } },
		{ "9007199254740994", { "9007199254740993", "0.5", "0.5" } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct total total = { 0 };

		for (size_t k = 0; k < 6 && rows[i].x[k] != NULL; k++)
			add(&total, rows[i].x[k]);
		CHECK_STR(text_of(total), rows[i].sum);
		sum_clear(&pool, &total);
		CHECK_EQ(total.word, 0);
	}
}

/* What has come is taken away again, in one order and in the other. */
static void
wide_and_back(void)
{
	static const char *const x[] = { "5", "9223372036854775807", "0.1",
		"-9223372036854775808", "1e37", "12345678901234567890",
		"0.30000000000000004", "-7", "1e-300" };
	enum { N = sizeof x / sizeof *x };

	for (int order = 0; order < 2; order++) {
		struct total parts[N] = { 0 }, total = { 0 };

		for (size_t i = 0; i < N; i++) {
			add(&parts[i], x[i]);
			sum_add(&pool, &total, parts[i]);
		}
		CHECK(!sum_is_small(total));
		for (size_t i = 0; i < N; i++) {
			size_t at = order == 0 ? i : N - 1 - i;

			sum_sub(&pool, &total, parts[at]);
			sum_clear(&pool, &parts[at]);
		}
		CHECK_EQ(total.word, 0); /* small, its place free */
	}
	CHECK(pool.n <= 2 * N + 2);
}

/* The nearest double to the sum of two is what the processor gives. */
static void
random_pairs(void)
{
	char text[64];

	for (int i = 0; i < 200000; i++) {
		struct total total = { 0 };
		double d[2], want;

		for (int k = 0; k < 2; k++) {
			double size = ldexp(random_double(&rng) + 1,
			    (int)random_below(&rng, i % 2 == 0 ? 2097 : 120) -
				(i % 2 == 0 ? 1074 : 60));

			d[k] = random_below(&rng, 2) == 0 ? size : -size;
			/* An integer is the one that its text tells. */
			snprintf(text, sizeof text,
			    size > 1e17 && size < 0x1p127 ? "%.0f" : "%.17g",
			    d[k]);
			add(&total, text);
		}
		want = d[0] + d[1];
		if (isinf(want))
			want = copysign(DBL_MAX, want);
		if (!CHECK(strtod(text_of(total), NULL) == want))
			fprintf(stderr, "\t%.17g + %.17g: %s\n", d[0], d[1],
			    text_of(total));
		sum_clear(&pool, &total);
	}
}

/*
 * Doubles of all sizes, added and taken away: what is left is, bit by bit,
 * what those alone give that are left.  It once had the last digits of what
 * had gone, or none: they were doubles with their errors beside them.
 */
static void
random_doubles(void)
{
	enum { N = 30 };
	struct total parts[N] = { 0 }, total = { 0 };
	struct buffer got = { 0 }, want = { 0 };
	char text[32];

	for (int i = 0; i < 50000; i++) {
		size_t at = random_below(&rng, N);
		struct total anew = { 0 };
		int range = i % 1000 < 500 ? 100 : 2000;

		sum_sub(&pool, &total, parts[at]);
		sum_clear(&pool, &parts[at]);
		if (random_below(&rng, 3) != 0) {
			snprintf(text, sizeof text, "%.17g",
			    ldexp(random_double(&rng) - 0.5,
				(int)random_below(&rng, (size_t)range) -
				    range / 2));
			add(&parts[at], text);
			sum_add(&pool, &total, parts[at]);
		}
		for (size_t k = N; k > 0; k--)
			sum_add(&pool, &anew, parts[k - 1]);
		got.n = want.n = 0;
		sum_pack(&pool, total, &got);
		sum_pack(&pool, anew, &want);
		CHECK(span_eq(buffer_span(&got), buffer_span(&want)));
		CHECK(sum_is_small(total) == sum_is_small(anew));
		sum_clear(&pool, &anew);
	}
	for (size_t i = 0; i < N; i++) {
		sum_sub(&pool, &total, parts[i]);
		sum_clear(&pool, &parts[i]);
	}
	CHECK_EQ(total.word, 0);
	buffer_fini(&got);
	buffer_fini(&want);
}

/* What is packed comes back, and nothing else does. */
static void
packed(void)
{
	static const char *const rows[] = { "0", "-1", "0.5", "-0.1", "1e-320",
		"-1e-320", "1.5e308", "-1.5e308", "1e60", "-1e60",
		"2305843009213693953",
		"-170141183460469231731687303715884105728" };
	/* The lowest limb, and how many: some beyond the highest. */
	static const struct {
		int64_t low, n;
	} bad[] = { { 34, 1 }, { 33, 2 }, { 0, 35 }, { -1, 1 }, { 17, 0 } };
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct total total = { 0 }, back = { 5 };
		struct unpacker u;

		add(&total, rows[i]);
		b.n = 0;
		pack_form(&b, 1);
		sum_pack(&pool, total, &b);
		u = unpack_form(buffer_span(&b), 1);
		sum_unpack(&pool, &back, &u);
		CHECK(unpack_done(&u));
		sum_sub(&pool, &back, total);
		CHECK_EQ(back.word, 0);
		sum_clear(&pool, &total);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct total total = { 0 };
		struct unpacker u;

		b.n = 0;
		pack_form(&b, 1);
		pack_int(&b, bad[i].low);
		pack_int(&b, bad[i].n);
		for (int64_t k = 0; k < bad[i].n; k++)
			pack_int(&b, 7);
		u = unpack_form(buffer_span(&b), 1);
		sum_unpack(&pool, &total, &u);
		CHECK(u.bad);
		CHECK_EQ(total.word, 0);
	}
	buffer_fini(&b);
}

/* Means of totals, and their number. */
static void
means(void)
{
	static const struct {
		const char *x[2];
		int64_t n;
		double mean;
	} rows[] = {
		{ { "1" }, 3, 1.0 / 3 },
		{ { "-7", "0.5" }, 2, -3.25 },
		{ { "1.5e308", "1.5e308" }, 2, 1.5e308 },
		{ { "9007199254740993", "9007199254740993" }, 2,
		    9007199254740992 },
		{ { "170141183460469231731687303715884105727" }, 1, 0x1p127 },
		{ { "1e-320", "1e-320" }, 2, 1e-320 },
		{ { "0.5", "-0.5" }, 2, 0 },
		/* As a long double first, it was rounded twice. */
		{ { "4207325069589" }, 2947, 1427663749.4363759 },
		{ { "901225296183564181" }, 709296860909, 1270589.7147614586 },
		/* And what the division left over was lost. */
		{ { "18446744073709553665" }, 2, 9.223372036854778e18 },
		{ { "-18446744073709553665" }, 2, -9.223372036854778e18 },
		/* A sign bit alone is its own magnitude. */
		{ { "-170141183460469231731687303715884105728" }, 1, -0x1p127 },
		{ { "-170141183460469231731687303715884105728" }, 2, -0x1p126 },
		{ { "0" }, INT64_MAX, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct total total = { 0 };

		for (size_t k = 0; k < 2 && rows[i].x[k] != NULL; k++)
			add(&total, rows[i].x[k]);
		CHECK(sum_mean(&pool, total, rows[i].n) == rows[i].mean);
		sum_clear(&pool, &total);
	}
}

/* Integers of all sizes against 128 bits. */
static void
random_integers(void)
{
	enum { N = 40 };
	struct total parts[N] = { 0 }, total = { 0 };
	int128 want[N] = { 0 }, sum = 0;
	struct buffer text = { 0 };

	for (int i = 0; i < 200000; i++) {
		size_t at = random_below(&rng, N);
		int128 v = (int128)random_next(&rng) >> random_below(&rng, 64);
		struct number x;

		if (random_below(&rng, 8) == 0)
			v *= (int64_t)random_below(&rng, 1LL << 50);
		if (random_below(&rng, 2) == 0)
			v = -v;
		if (random_below(&rng, 3) == 0) {
			sum_sub(&pool, &total, parts[at]);
			sum_clear(&pool, &parts[at]);
			sum -= want[at];
			want[at] = 0;
		} else {
			text.n = 0;
			buffer_int128(&text, v);
			buffer_byte(&text, '\0');
			x = number(text.p);
			sum_add_number(&pool, &parts[at], &x);
			sum_add_number(&pool, &total, &x);
			want[at] += v;
			sum += v;
		}
		text.n = 0;
		buffer_int128(&text, sum);
		out.n = 0;
		sum_put(&pool, &out, total);
		CHECK(span_eq(buffer_span(&out), buffer_span(&text)));
		CHECK(sum_is_small(total) ==
		    (sum >= -SUM_SMALL && sum <= SUM_SMALL));
	}
	for (size_t i = 0; i < N; i++)
		sum_clear(&pool, &parts[i]);
	sum_clear(&pool, &total);
	buffer_fini(&text);
}

/* Sixteenths are exact as doubles; the whole ones among them count too. */
static void
random_sixteenths(void)
{
	enum { N = 10 };
	struct total parts[N] = { 0 }, total = { 0 };
	int64_t want[N] = { 0 }, sum = 0;
	char text[64];

	for (int i = 0; i < 100000; i++) {
		size_t at = random_below(&rng, N);
		int64_t v = (int64_t)random_below(&rng, 1 << 24) - (1 << 23);

		if (random_below(&rng, 3) == 0) {
			sum_sub(&pool, &total, parts[at]);
			sum_clear(&pool, &parts[at]);
			sum -= want[at];
			want[at] = 0;
		} else {
			snprintf(text, sizeof text, "%.4f", (double)v / 16);
			add(&parts[at], text);
			add(&total, text);
			want[at] += v;
			sum += v;
		}
		CHECK(strtod(text_of(total), NULL) * 16 - (double)sum == 0);
	}
	for (size_t i = 0; i < N; i++)
		sum_clear(&pool, &parts[i]);
	sum_clear(&pool, &total);
}

int
main(void)
{
	sums();
	wide_and_back();
	random_pairs();
	random_doubles();
	packed();
	means();
	random_integers();
	random_sixteenths();
	sum_pool_fini(&pool);
	buffer_fini(&out);
	return check_done("sum");
}
