/*
 * random - known values, and frequencies against theory.  The seeds are
 * fixed, so the bounds hold always or never.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/random.h"
#include "check.h"

/* The first outputs of the reference implementation of splitmix64. */
static void
splitmix(void)
{
	static const uint64_t zero[] = { 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4,
		0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b };
	static const uint64_t other[] = { 6457827717110365317U,
		3203168211198807973U, 9817491932198370423U,
		4593380528125082431U, 16408922859458223821U };
	struct random r = { 0 }, s = { 1234567 };

	for (size_t i = 0; i < 5; i++) {
		CHECK(random_next(&r) == zero[i]);
		CHECK(random_next(&s) == other[i]);
	}
}

static void
bounds(void)
{
	struct random r = { 42 };
	unsigned counts[10] = { 0 };
	double sum = 0;

	for (int i = 0; i < 100000; i++) {
		double d = random_double(&r);

		if (!(d >= 0 && d < 1))
			CHECK(false);
		sum += d;
		counts[random_below(&r, 10)]++;
		if (random_below(&r, 1) != 0 ||
		    random_below(&r, 1ULL << 48) >= 1ULL << 48)
			CHECK(false);
	}
	CHECK(fabs(sum / 100000 - 0.5) < 0.005);
	for (size_t i = 0; i < 10; i++)
		CHECK(counts[i] > 9600 && counts[i] < 10400);
}

enum { RANKS = 1000, DRAWS = 1000000 };

/*
 * Chi-square over the ranks, the rare ones put together until ten are
 * expected: within five deviations of its mean.
 */
static void
zipf_frequencies(double s)
{
	static unsigned counts[RANKS + 1];
	struct random r = { 1 };
	struct zipf z;
	double total = 0, chi = 0, expected = 0, observed = 0;
	int cells = 0;

	memset(counts, 0, sizeof counts);
	zipf_init(&z, RANKS, s);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t k = zipf_next(&z, &r);

		if (!CHECK(k >= 1 && k <= RANKS))
			return;
		counts[k]++;
	}
	for (int k = 1; k <= RANKS; k++)
		total += pow(k, -s);
	for (int k = 1; k <= RANKS; k++) {
		expected += pow(k, -s) / total * DRAWS;
		observed += counts[k];
		if (expected < 10 && k < RANKS)
			continue;
		chi += (observed - expected) * (observed - expected) / expected;
		cells++;
		expected = observed = 0;
	}
	if (!CHECK(fabs(chi - (cells - 1)) < 5 * sqrt(2.0 * (cells - 1))))
		fprintf(stderr, "\ts %g: chi-square %g of %d cells\n", s, chi,
		    cells);
}

static void
zipf_edges(void)
{
	struct random r = { 2 };
	struct zipf z;
	unsigned ones = 0;

	/* One rank, an even distribution, and ranks without number. */
	zipf_init(&z, 1, 1);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ(zipf_next(&z, &r), 1);
	zipf_init(&z, 2, 0);
	for (int i = 0; i < 10000; i++)
		ones += zipf_next(&z, &r) == 1;
	CHECK(ones > 4800 && ones < 5200);
	zipf_init(&z, 1ULL << 40, 1);
	for (int i = 0; i < 10000; i++) {
		uint64_t k = zipf_next(&z, &r);

		CHECK(k >= 1 && k <= 1ULL << 40);
	}
	zipf_init(&z, RANKS, 20);
	for (int i = 0; i < 1000; i++)
		CHECK(zipf_next(&z, &r) <= 2);
}

int
main(void)
{
	static const double exponents[] = { 0, 0.5, 0.99, 1, 1.0000001, 1.4, 2,
		3 };

	splitmix();
	bounds();
	for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
		zipf_frequencies(exponents[i]);
	zipf_edges();
	return check_done("random");
}
