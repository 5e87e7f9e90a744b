/*
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digits.h"
#include "base/limbs.h"

/* Where a double has up to 15 digits before the point and 3 zeros behind it. */
static const double PLAIN_LEAST = 1e-4, PLAIN_END = 1e15;

/* So many digits always survive being a double; so many always tell it. */
enum { DIGITS_SURVIVE = 15, DIGITS_TELL = 17 };

#define MANTISSA_FIRST ((uint64_t)1 << (DBL_MANT_DIG - 1))

/* 10^n for n up to 20. */
static uint128
power_of_ten(int n)
{
	static const uint64_t low[] = { 1, 10, 100, 1000, 10000, 100000,
		1000000, 10000000, 100000000, 1000000000, 10000000000 };

	return n <= 10 ? low[n] : (uint128)low[10] * low[n - 10];
}

/* A plain double: m / 2^shift, with this many digits before the point. */
struct plain {
	uint64_t m;
	int shift, whole;
};

static struct plain
plain_of(double v)
{
	struct plain x;
	uint64_t scaled;

	memcpy(&x.m, &v, sizeof x.m);
	/* Such a double does not store the first bit of its mantissa, a 1. */
	x.shift = (DBL_MAX_EXP - 1) + (DBL_MANT_DIG - 1) -
	    (int)(x.m >> (DBL_MANT_DIG - 1));
	x.m = (x.m & (MANTISSA_FIRST - 1)) | MANTISSA_FIRST;
	/* The least one, 10^-4, has a digit before the point times 10^4. */
	scaled = (uint64_t)(x.m * power_of_ten(4) >> x.shift);
	for (x.whole = -4; scaled != 0; scaled /= 10)
		x.whole++;
	return x;
}

/*
 * Let *digits / 10^places be the nearest to x that has so many places.  Tell
 * whether it reads back as x: no other double is nearer to it.
 */
static bool
round_plain(const struct plain *x, int places, uint64_t *digits)
{
	uint128 unit = power_of_ten(places), exact = x->m * unit, rounded;
	uint128 half = (uint128)1 << (x->shift - 1), error;

	*digits = (uint64_t)(exact >> x->shift);
	error = exact - ((uint128)*digits << x->shift);
	*digits += error > half || (error == half && *digits % 2 != 0);
	rounded = (uint128)*digits << x->shift;
	error = rounded > exact ? rounded - exact : exact - rounded;
	/* The neighbour below a power of two is half as far. */
	if (rounded < exact && x->m == MANTISSA_FIRST)
		error *= 2;
	return error * 2 < unit || (error * 2 == unit && x->m % 2 == 0);
}

/* The same as the C library writes, in a fifth to a seventeenth of its time. */
static void
put_plain(struct buffer *b, double v)
{
	struct plain x = plain_of(fabs(v));
	char text[4 + DIGITS_ROOM] = "0000", *first = text + 4, *end, *point;
	int n = DIGITS_SURVIVE;
	uint64_t digits;

	while (!round_plain(&x, n - x.whole, &digits) && n < DIGITS_TELL)
		n++;
	end = digits_put(first, digits);
	point = end - (n - x.whole);
	while (end > point && end[-1] == '0')
		end--;
	if (v < 0)
		buffer_byte(b, '-');
	/* At least one digit is before the point. */
	if (point <= first)
		first = point - 1;
	buffer_put(b, (struct span){ first, (size_t)(point - first) });
	if (end == point)
		return;
	buffer_byte(b, '.');
	buffer_put(b, (struct span){ point, (size_t)(end - point) });
}

/* Tell whether v is a whole number of few digits; -0 is written otherwise. */
static bool
is_whole(double v)
{
	return fabs(v) < PLAIN_END && (double)(int64_t)v == v &&
	    (v != 0 || !signbit(v));
}

void
buffer_double(struct buffer *b, double v)
{
	char text[40];
	int n = 0;

	if (is_whole(v)) {
		buffer_int(b, (int64_t)v);
		return;
	}
	if (fabs(v) >= PLAIN_LEAST && fabs(v) < PLAIN_END) {
		put_plain(b, v);
		return;
	}
	if (isnan(v))
		v = 0;
	if (isinf(v))
		v = copysign(DBL_MAX, v);
	/* But for subnormal ones, of which fewer digits may survive. */
	for (int digits = fabs(v) < DBL_MIN ? 1 : DIGITS_SURVIVE;
	     digits <= DIGITS_TELL; digits++) {
		n = snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buffer_put(b, (struct span){ text, (size_t)n });
}
