/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hyperloglog.h"
#include "base/memory.h"

void
hyperloglog_init(struct hyperloglog *h, int bits)
{
	h->bits = bits;
	h->registers = memory_new((size_t)1 << bits, 1);
}

void
hyperloglog_fini(struct hyperloglog *h)
{
	free(h->registers);
	*h = (struct hyperloglog){ 0 };
}

void
hyperloglog_add_table(struct hyperloglog *h, const uint64_t *hashes, size_t n)
{
	const struct hyperloglog own = *h; /* which nothing stored can change */

	/* Without branches: which places are empty is hard to predict. */
	for (size_t i = 0; i < n; i++) {
		uint8_t *r = &own.registers[hashes[i] >> (64 - own.bits)];
		uint8_t run = (uint8_t)(hyperloglog_run(&own, hashes[i]) &
		    -(hashes[i] != 0));

		*r = *r < run ? run : *r;
	}
}

/*
 * So many at once: merging takes most of a row's time in a long window.  Runs are
 * below 128, and signed numbers are the easier to compare.
 */
typedef int8_t lanes __attribute__((vector_size(16)));

void
hyperloglog_merge(struct hyperloglog *h, const struct hyperloglog *other)
{
	uint8_t *to = h->registers, *end = to + ((size_t)1 << h->bits);
	const uint8_t *from = other->registers;

	for (; to < end; to += sizeof(lanes), from += sizeof(lanes)) {
		lanes a, b;

		memcpy(&a, to, sizeof a);
		memcpy(&b, from, sizeof b);
		a ^= (a ^ b) & (a < b);
		memcpy(to, &a, sizeof a);
	}
}

/* x + the sum of x^(2^k) * 2^(k-1) over k from 1 on, for x < 1. */
static double
sigma(double x)
{
	double y = 1, z = x, before;

	do {
		before = z;
		x *= x;
		z += x * y;
		y += y;
	} while (z != before);
	return z;
}

/* (1 - x - the sum of (1 - x^(2^-k))^2 * 2^-k over k from 1 on) / 3. */
static double
tau(double x)
{
	double y = 1, z = 1 - x, before;

	if (x == 0 || x == 1)
		return 0;
	do {
		before = z;
		x = sqrt(x);
		y *= 0.5;
		z -= (1 - x) * (1 - x) * y;
	} while (z != before);
	return z / 3;
}

enum { MOST_RUN = 65 };

/* Count the registers of each run; of equal ones, four do not wait in turn. */
static void
count_runs(const struct hyperloglog *h, uint32_t with[MOST_RUN + 1])
{
	uint32_t part[4][MOST_RUN + 1] = { { 0 } };
	const uint8_t *r = h->registers, *end = r + ((size_t)1 << h->bits);

	for (; r < end; r += 4) {
		part[0][r[0]]++;
		part[1][r[1]]++;
		part[2][r[2]]++;
		part[3][r[3]]++;
	}
	for (int run = 0; run <= MOST_RUN; run++)
		with[run] =
		    part[0][run] + part[1][run] + part[2][run] + part[3][run];
}

double
hyperloglog_estimate(const struct hyperloglog *h)
{
	uint32_t with[MOST_RUN + 1];
	int longest = 64 - h->bits;
	double m = (double)((size_t)1 << h->bits), z;

	count_runs(h, with);
	if (with[0] == m)
		return 0;
	z = m * tau(1 - (double)with[longest + 1] / m);
	for (int run = longest; run >= 1; run--)
		z = (z + (double)with[run]) / 2;
	z += m * sigma((double)with[0] / m);
	return m * m / (2 * log(2) * z);
}
