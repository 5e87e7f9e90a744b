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

/* So many at once: merging takes most of a row's time in a long window. */
typedef uint8_t lanes __attribute__((vector_size(16)));

void
hyperloglog_merge(struct hyperloglog *h, const struct hyperloglog *other)
{
	for (size_t i = 0; i < (size_t)1 << h->bits; i += sizeof(lanes)) {
		lanes a, b, less;

		memcpy(&a, h->registers + i, sizeof a);
		memcpy(&b, other->registers + i, sizeof b);
		less = (lanes)(a < b);
		a = (a & ~less) | (b & less);
		memcpy(h->registers + i, &a, sizeof a);
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

double
hyperloglog_estimate(const struct hyperloglog *h)
{
	size_t registers = (size_t)1 << h->bits, with[66] = { 0 };
	int longest = 64 - h->bits;
	double m = (double)registers, z;

	for (size_t i = 0; i < registers; i++)
		with[h->registers[i]]++;
	if (with[0] == registers)
		return 0;
	z = m * tau(1 - (double)with[longest + 1] / m);
	for (int run = longest; run >= 1; run--)
		z = (z + (double)with[run]) / 2;
	z += m * sigma((double)with[0] / m);
	return m * m / (2 * log(2) * z);
}
