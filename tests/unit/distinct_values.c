/*
 * distinct_values - exact up to 1024, then near, and merged in all ways.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/random.h"
#include "check.h"
#include "window/distinct_values.h"

static struct pool pool;

static uint64_t
hash_of(uint64_t value)
{
	return distinct_values_hash((struct span){
	    (const char *)&value, sizeof value });
}

/* Values from..to-1, each more than once, whole and in parts. */
static double
check_range(uint64_t from, uint64_t to)
{
	struct distinct_values whole = { 0 }, merged = { 0 }, parts[5] = { 0 };
	struct random r = { from };
	double n = (double)(to - from), got;

	for (uint64_t v = from; v < to; v++) {
		distinct_values_add(&pool, &whole, hash_of(v));
		distinct_values_add(&pool, &whole, hash_of(from));
		for (int again = 0; again < 2; again++)
			distinct_values_add(&pool, &parts[random_below(&r, 5)],
			    hash_of(v));
	}
	for (int i = 0; i < 5; i++) {
		distinct_values_merge(&pool, &merged, &parts[i]);
		distinct_values_fini(&pool, &parts[i]);
	}
	got = (double)distinct_values_count(&whole);
	CHECK_EQ(distinct_values_count(&merged), (uint64_t)got);
	if (to - from <= DISTINCT_VALUES_EXACT)
		CHECK(got == n);
	distinct_values_fini(&pool, &whole);
	distinct_values_fini(&pool, &merged);
	return n == 0 ? 0 : got / n - 1;
}

/*
 * 1100 values that were all different were told to be 1111: where each comes
 * once, the estimate is never above their number, whole and merged.
 */
static void
check_bound(void)
{
	for (uint64_t from = 0; from < 40; from++) {
		struct distinct_values whole = { 0 }, half = { 0 };

		for (uint64_t v = 0; v < 1100; v++)
			distinct_values_add(&pool, v % 2 ? &half : &whole,
			    hash_of(from << 32 | v));
		distinct_values_merge(&pool, &whole, &half);
		CHECK(distinct_values_count(&whole) <= 1100);
		distinct_values_fini(&pool, &whole);
		distinct_values_fini(&pool, &half);
	}
}

/*
 * What tuple(5) says of memory.  A value that came again made the room grow
 * where none was left, as if it were new.
 */
static void
check_memory(void)
{
	struct distinct_values d = { 0 };

	for (uint64_t v = 1; v <= DISTINCT_VALUES_EXACT; v++) {
		distinct_values_add(&pool, &d, hash_of(v));
		distinct_values_add(&pool, &d, hash_of(1));
		CHECK(d.cap * sizeof *d.kept.hashes <= 32 * v);
		CHECK(v > 1 || d.cap == 1); /* within the struct */
	}
	distinct_values_fini(&pool, &d);
}

/* Few with many are the same as many with few; and packed many as before. */
static void
check_packed(void)
{
	struct distinct_values many = { 0 }, few = { 0 }, back = { 0 };
	struct buffer b = { 0 };
	struct unpacker u;
	uint64_t n;

	for (uint64_t v = 0; v < 3000; v++)
		distinct_values_add(&pool, &many, hash_of(v));
	for (uint64_t v = 0; v < 100; v++)
		distinct_values_add(&pool, &few, hash_of(v * 10));
	n = distinct_values_count(&many);
	distinct_values_merge(&pool, &back, &many);
	distinct_values_merge(&pool, &back, &few);
	distinct_values_merge(&pool, &few, &many);
	CHECK_EQ(distinct_values_count(&few), distinct_values_count(&back));
	distinct_values_fini(&pool, &back);
	pack_form(&b, 1);
	distinct_values_pack(&many, &b);
	u = unpack_form(buffer_span(&b), 1);
	distinct_values_unpack(&pool, &back, &u);
	CHECK(unpack_done(&u));
	CHECK_EQ(distinct_values_count(&back), n);
	distinct_values_fini(&pool, &back);
	/* No hash has 63 zeros behind its first bits. */
	b.p[b.n - 1] = 63;
	u = unpack_form(buffer_span(&b), 1);
	distinct_values_unpack(&pool, &back, &u);
	CHECK(!unpack_done(&u));
	distinct_values_fini(&pool, &back);
	distinct_values_fini(&pool, &many);
	distinct_values_fini(&pool, &few);
	buffer_fini(&b);
}

/* None, one or two values, with none, one or two others, packed meanwhile. */
static void
check_few(void)
{
	for (uint64_t a = 0; a < 3; a++)
		for (uint64_t b = 0; b < 5; b++) {
			struct distinct_values d = { 0 }, e = { 0 }, f = { 0 };
			struct buffer packed = { 0 };
			struct unpacker u;
			uint64_t n = a;

			for (uint64_t v = 0; v < a; v++)
				distinct_values_add(&pool, &d, hash_of(v));
			for (uint64_t v = b / 2; v < b; v++)
				distinct_values_add(&pool, &e, hash_of(v));
			pack_form(&packed, 1);
			distinct_values_pack(&d, &packed);
			u = unpack_form(buffer_span(&packed), 1);
			distinct_values_unpack(&pool, &f, &u);
			CHECK(unpack_done(&u));
			CHECK_EQ(distinct_values_count(&f), a);
			distinct_values_merge(&pool, &f, &e);
			for (uint64_t v = b / 2; v < b; v++)
				n += v >= a;
			CHECK_EQ(distinct_values_count(&f), n);
			distinct_values_fini(&pool, &d);
			distinct_values_fini(&pool, &e);
			distinct_values_fini(&pool, &f);
			buffer_fini(&packed);
		}
}

/* Values that were seen are there, and no others. */
static void
check_none(void)
{
	for (int64_t seen = 0; seen < 2; seen++)
		for (size_t n = 0; n <= 16384; n += 16384) {
			static const char none[16384];
			struct distinct_values d = { 0 };
			struct buffer packed = { 0 };
			struct unpacker u;

			pack_form(&packed, 1);
			pack_int(&packed, seen);
			pack_bytes(&packed, (struct span){ none, n });
			u = unpack_form(buffer_span(&packed), 1);
			distinct_values_unpack(&pool, &d, &u);
			CHECK_EQ(unpack_done(&u), (seen != 0) == (n != 0));
			distinct_values_fini(&pool, &d);
			buffer_fini(&packed);
		}
}

/* The standard error over many streams, and no bias, at several sizes. */
static void
check_error(uint64_t n, int trials)
{
	double squares = 0, sum = 0, far = 0;

	for (int i = 0; i < trials; i++) {
		double error =
		    check_range((uint64_t)i << 32, ((uint64_t)i << 32) + n);

		squares += error * error;
		sum += error;
		far += fabs(error) > 0.02;
	}
	printf("%ju values: standard error %.2f %%, bias %.2f %%\n",
	    (uintmax_t)n, 100 * sqrt(squares / trials), 100 * sum / trials);
	CHECK(sqrt(squares / trials) < 0.01);
	CHECK(fabs(sum / trials) < 0.003);
	CHECK(far <= 0.05 * trials);
}

int
main(void)
{
	static const uint64_t sizes[] = { 0, 1, 2, 3, 511, 512, 513, 1023,
		1024 };

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		CHECK(check_range(7, 7 + sizes[i]) == 0);
	check_bound();
	check_memory();
	check_packed();
	check_few();
	check_none();
	check_error(1025, 100);
	check_error(5000, 100);
	check_error(40000, 100);
	check_error(300000, 20);
	pool_fini(&pool);
	return check_done("distinct_values");
}
