/*
 * quantile_sketch - against sorted numbers, and merged in all ways.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "window/quantile_sketch.h"

static struct pool pool;

enum { N = 20000 };

static double numbers[N], sorted[N];

static int
cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Streams of several shapes, the worst for bins among them. */
static double
draw(struct random *r, int shape, size_t i)
{
	uint64_t bits;
	double v;

	switch (shape) {
	case 0:
		return floor(random_double(r) * 1000);
	case 1:
		return exp(8 * random_double(r) - 4) -
		    exp(4 * random_double(r));
	case 2:
		return i % 3 == 0 ? 0 : 1 + random_double(r) * 1e-9;
	case 3: /* any double, those below the normal ones too */
		do {
			bits = random_next(r);
			memcpy(&v, &bits, sizeof v);
		} while (!isfinite(v));
		return v;
	case 4:
		return ldexp(random_double(r), -1040) - 0x1p-1041;
	case 5: /* just below a boundary of bins */
		return ldexp(nextafter(1 + (double)(random_next(r) % 64) / 64,
				 0),
		    (int)(random_next(r) % 40));
	default:
		return i % 2 == 0 ? 1.7976931348623157e308 : -5e-324;
	}
}

static bool
is_near(double got, double want)
{
	return got == want || fabs(got - want) <= 0.01 * fabs(want);
}

static void
check_shape(int shape, size_t n)
{
	struct quantile_sketch whole = { 0 }, merged = { 0 }, parts[7] = { 0 };
	struct random r = { (uint64_t)shape + 1 };

	for (size_t i = 0; i < n; i++) {
		numbers[i] = sorted[i] = draw(&r, shape, i);
		quantile_sketch_add(&pool, &whole, numbers[i]);
		quantile_sketch_add(&pool, &parts[random_next(&r) % 7],
		    numbers[i]);
	}
	for (size_t i = 0; i < 7; i++) {
		quantile_sketch_merge(&pool, &merged, &parts[i]);
		quantile_sketch_fini(&pool, &parts[i]);
	}
	qsort(sorted, n, sizeof *sorted, cmp);
	CHECK_EQ(whole.n, n);
	CHECK_EQ(merged.n, n);
	for (size_t rank = 1; rank <= n; rank += 1 + n / 1000) {
		double got = quantile_sketch_get(&whole, rank);
		double want = sorted[rank - 1];

		if (!CHECK(n <= QUANTILE_SKETCH_EXACT ? got == want :
							is_near(got, want)))
			fprintf(stderr, "\tshape %d, %zu of %zu: %g, not %g\n",
			    shape, rank, n, got, want);
		CHECK(got == quantile_sketch_get(&merged, rank));
	}
	if (n != 0) {
		CHECK(quantile_sketch_get(&whole, 1) >= sorted[0]);
		CHECK(quantile_sketch_get(&whole, n) <= sorted[n - 1]);
	}
	quantile_sketch_fini(&pool, &whole);
	quantile_sketch_fini(&pool, &merged);
}

/* More than 64 numbers have four digits, unless that would be outside. */
static void
check_digits(void)
{
	struct quantile_sketch q = { 0 };

	for (int i = 1; i <= 1000; i++)
		quantile_sketch_add(&pool, &q, i);
	CHECK(quantile_sketch_get(&q, 1) == 1.008);
	CHECK(quantile_sketch_get(&q, 500) == 502);
	CHECK(quantile_sketch_get(&q, 1000) == 1000);
	quantile_sketch_fini(&pool, &q);
	for (int i = 0; i < 100; i++)
		quantile_sketch_add(&pool, &q, 123456789);
	CHECK(quantile_sketch_get(&q, 50) == 123456789);
	quantile_sketch_fini(&pool, &q);
	for (int i = 0; i < 100; i++)
		quantile_sketch_add(&pool, &q, -0.0);
	CHECK(!signbit(quantile_sketch_get(&q, 50)));
	quantile_sketch_fini(&pool, &q);
}

/*
 * A few numbers, and then many, are the same as all at once.  The range of many
 * took the place of the few, which were kept in it.
 */
static void
check_few_and_many(void)
{
	for (size_t few = 0; few <= 4; few++) {
		struct quantile_sketch all = { 0 }, merged = { 0 },
				       many = { 0 };

		for (size_t i = 0; i < few; i++) {
			quantile_sketch_add(&pool, &all, 100 + (double)i);
			quantile_sketch_add(&pool, &merged, 100 + (double)i);
		}
		for (size_t i = 0; i < 100; i++) {
			quantile_sketch_add(&pool, &all, (double)(i * i));
			quantile_sketch_add(&pool, &many, (double)(i * i));
		}
		quantile_sketch_merge(&pool, &merged, &many);
		for (uint64_t rank = 1; rank <= all.n; rank++)
			CHECK(quantile_sketch_get(&merged, rank) ==
			    quantile_sketch_get(&all, rank));
		quantile_sketch_fini(&pool, &all);
		quantile_sketch_fini(&pool, &merged);
		quantile_sketch_fini(&pool, &many);
	}
}

/* What tuple(5) says of memory. */
static void
check_memory(void)
{
	struct quantile_sketch q = { 0 }, part = { 0 };

	for (size_t n = 1; n <= QUANTILE_SKETCH_EXACT; n++) {
		quantile_sketch_add(&pool, &q, (double)n);
		CHECK(q.cap <= (n <= 2 ? 0 : 2 * n));
		CHECK(q.cap <= QUANTILE_SKETCH_EXACT);
	}
	quantile_sketch_fini(&pool, &q);
	for (size_t n = 1; n <= QUANTILE_SKETCH_EXACT / 2; n++) {
		quantile_sketch_add(&pool, &part, (double)n);
		quantile_sketch_merge(&pool, &q, &part);
		quantile_sketch_merge(&pool, &q, &part);
		CHECK_EQ(q.n, 2 * n);
		CHECK(quantile_sketch_get(&q, 1) == 1);
		CHECK(quantile_sketch_get(&q, n) == (double)((n + 1) / 2));
		CHECK(q.cap <= QUANTILE_SKETCH_EXACT);
		quantile_sketch_fini(&pool, &q);
	}
	quantile_sketch_fini(&pool, &part);
}

int
main(void)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 4, 5, 63, 64, 65, 66, 130,
		N };

	for (int shape = 0; shape < 7; shape++)
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
			check_shape(shape, sizes[i]);
	check_digits();
	check_few_and_many();
	check_memory();
	pool_fini(&pool);
	return check_done("quantile_sketch");
}
