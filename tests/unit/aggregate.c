/*
 * aggregate - random tuples taken one by one are the same as taken in parts,
 * whatever the parts and the order in which they are put together, packed on
 * the way or kept in columns.  What the values are is tested by tests/random.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "padded.h"
#include "window/aggregate.h"

enum { MOST = 3000, PARTS = 7, SEEDS = 200, COLUMNS = 32 };

/* Deviations differ in their last digits, which moments() looks at. */
static const char list[] =
    "count,count:x,sum:x,mean:x,min:x,max:x,first:y,last:y,distinct:x,"
    "distinct:y,p0:x,p50:x,p99.9:x,p100:x,low=min:y,high=max:y";

static const char *const ys[] = { "-7", "\"-7\"", "-7.0", "0", "-0", "12",
	"123456789012345678", "1234567890123456789", "1e400", "\"1.5\"",
	"\"1.5x\"", "\"\\u0061\"", "\"a\"", "\"b\"", "null" };
enum { NYS = sizeof ys / sizeof *ys };

static struct scanned scanned;
static struct aggregates a;

static void
setup(void)
{
	struct projection *p = &scanned.projection;
	struct span text = span_of(list);

	projection_init(p);
	CHECK_STR(aggregates_add(&a, p, &text), NULL);
	projection_compile(p);
	scanned.slots = memory_new((size_t)p->nslots, sizeof *scanned.slots);
}

/* Scan a tuple of some shape. */
static void
scan(struct random *r, uint64_t most)
{
	struct buffer line = { 0 };

	buffer_put(&line, SPAN("{\"z\":0"));
	if (random_below(r, 8) != 0) {
		buffer_put(&line, SPAN(",\"x\":"));
		buffer_int(&line, (int64_t)random_below(r, most) - 20);
		if (random_below(r, 4) == 0)
			buffer_put(&line, SPAN(".5"));
	}
	if (random_below(r, 8) != 0) {
		buffer_put(&line, SPAN(",\"y\":"));
		buffer_put(&line, span_of(ys[random_below(r, NYS)]));
	}
	buffer_byte(&line, '}');
	CHECK(scanned_line(&scanned, buffer_span(&line)) == 0);
	CHECK(aggregates_check(&a, &scanned.tuple, NULL) == 0);
	buffer_fini(&line);
}

static void
check_same(const void *got, const void *want)
{
	struct buffer b = { 0 }, c = { 0 };

	aggregates_put(&a, &b, got);
	aggregates_put(&a, &c, want);
	buffer_byte(&b, '\0');
	buffer_byte(&c, '\0');
	CHECK_STR(b.p, c.p);
	buffer_fini(&b);
	buffer_fini(&c);
}

/* Put a value in place of v that was packed, and every piece of it is bad. */
static void
repack(void *v)
{
	struct buffer b = { 0 };
	struct unpacker u;

	pack_form(&b, 1);
	aggregates_pack(&a, v, &b);
	for (size_t n = 0; n <= b.n;
	     n += n < 40 || n == b.n - 1 ? 1 : (b.n - n) / 2 + (n == b.n)) {
		aggregates_drop(&a, v);
		u = unpack_form((struct span){ b.p, n }, 1);
		aggregates_unpack(&a, v, &u);
		CHECK(unpack_done(&u) == (n == b.n));
	}
	buffer_fini(&b);
}

/* Parts are put together in a random order; each may have been packed. */
static void
in_parts(uint64_t seed)
{
	struct random r = { seed };
	size_t n = random_below(&r, random_below(&r, 2) == 0 ? 10 : MOST);
	uint64_t most = random_below(&r, 2) == 0 ? 30 : 4000;
	char *whole = memory_new(1, a.size), *sum = memory_new(1, a.size);
	char *parts = memory_new(PARTS, a.size);

	for (size_t i = 0; i < n; i++) {
		scan(&r, most);
		aggregates_reduce(&a, whole);
		aggregates_reduce(&a, parts + random_below(&r, PARTS) * a.size);
	}
	for (size_t i = PARTS; i > 0; i--) {
		char *part = parts + random_below(&r, i) * a.size;

		if (random_below(&r, 2) == 0)
			repack(part);
		aggregates_merge(&a, sum, part);
		aggregates_drop(&a, part);
		memcpy(part, parts + (i - 1) * a.size, a.size);
	}
	check_same(sum, whole);
	aggregates_drop(&a, sum);
	aggregates_drop(&a, whole);
	free(sum);
	free(whole);
	free(parts);
}

/* What came first is kept in columns, and folded in when the rest is there. */
static void
in_columns(uint64_t seed)
{
	struct random r = { seed };
	size_t n = random_below(&r, 20), m = random_below(&r, 20);
	char *whole = memory_new(1, a.size), *rest = memory_new(1, a.size);
	struct stored_value columns[COLUMNS], copies[COLUMNS];
	struct buffer bytes[COLUMNS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		scan(&r, 100);
		aggregates_reduce(&a, whole);
	}
	aggregates_save(&a, whole, columns);
	for (size_t i = 0; i <= a.n; i++) {
		buffer_put(&bytes[i], columns[i].bytes);
		copies[i] = columns[i];
		copies[i].bytes = buffer_span(&bytes[i]);
	}
	for (size_t i = 0; i < m; i++) {
		scan(&r, 100);
		aggregates_reduce(&a, whole);
		aggregates_reduce(&a, rest);
	}
	CHECK(aggregates_fold(&a, rest, copies));
	check_same(rest, whole);
	for (size_t i = 0; i <= a.n; i++)
		buffer_fini(&bytes[i]);
	aggregates_drop(&a, rest);
	aggregates_drop(&a, whole);
	free(rest);
	free(whole);
}

/* However far the numbers are from 0, and from each other. */
static void
moments(void)
{
	static const double cases[][4] = { { 1, 2, 4, 1.5275252316519466 },
		{ 1e9 + 1, 1e9 + 2, 1e9 + 4, 1.5275252316519466 },
		{ 1e308, -1e308, 0, 1e308 }, { 3e-320, 0, -3e-320, 3e-320 },
		{ 0.1, 0.1, 0.1, 0 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct moments m = { 0 }, other = { 0 };
		double want = cases[i][3], got;

		for (int k = 0; k < 3; k++)
			moments_add(k == 1 ? &other : &m, cases[i][k]);
		moments_merge(&m, &other);
		got = moments_deviation(&m);
		CHECK(fabs(got - want) <= 1e-9 * want);
	}
}

/* A damaged state had squares of -0, whose deviation was written as -0. */
static void
moments_of_bad_state(void)
{
	for (int negative = 0; negative < 2; negative++) {
		struct moments m;
		struct buffer b = { 0 };
		struct unpacker u;

		pack_form(&b, 1);
		pack_int(&b, 3);
		for (int i = 0; i < 2; i++) {
			pack_int(&b, 0);
			pack_double(&b, i == 0 || !negative ? 0. : -0.);
			pack_double(&b, i == 0 || !negative ? 0. : -0.);
		}
		u = unpack_form(buffer_span(&b), 1);
		moments_unpack(&m, &u);
		CHECK(u.bad == negative);
		buffer_fini(&b);
	}
}

int
main(void)
{
	setup();
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		in_parts(seed);
		in_columns(seed);
	}
	moments();
	moments_of_bad_state();
	aggregates_fini(&a);
	scanned_fini(&scanned);
	return check_done("aggregate");
}
