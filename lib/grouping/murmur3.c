/*
 * SPDX-License-Identifier: ISC
 */
#include "grouping/murmur3.h"

static const uint64_t C1 = 0x87c37b91114253d5, C2 = 0x4cf5ad432745937f;

static uint64_t
rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

/* Up to eight bytes, the lowest first. */
static uint64_t
load(const char *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = n; i-- > 0;)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

static uint64_t
first_part(uint64_t k)
{
	return rotate(k * C1, 31) * C2;
}

static uint64_t
second_part(uint64_t k)
{
	return rotate(k * C2, 33) * C1;
}

static uint64_t
finish(uint64_t k)
{
	k = (k ^ k >> 33) * 0xff51afd7ed558ccd;
	k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53;
	return k ^ k >> 33;
}

uint64_t
murmur3_x64_128(struct span s, uint32_t seed)
{
	uint64_t a = seed, b = seed;
	size_t n = s.n;
	const char *p = s.p;

	for (; n >= 16; n -= 16, p += 16) {
		a ^= first_part(load(p, 8));
		a = (rotate(a, 27) + b) * 5 + 0x52dce729;
		b ^= second_part(load(p + 8, 8));
		b = (rotate(b, 31) + a) * 5 + 0x38495ab5;
	}
	if (n > 8)
		b ^= second_part(load(p + 8, n - 8));
	if (n > 0)
		a ^= first_part(load(p, n < 8 ? n : 8));
	a ^= s.n;
	b ^= s.n;
	a += b;
	b += a;
	return finish(a) + finish(b);
}
