/*
 * The quotient B / S is the number over a power of ten, and M is half of the
 * distance to its neighbours, at the scale of B: digits are taken from B / S
 * until the rest is less than M from a digit.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "grouping/java_double.h"

enum {
	WORDS = 64, /* 2^1074 * 10 and 5^325 * 2^53 have far less than 2048 */
	FRACTION_BITS = 52,
	DIGITS = 24,
};

/* A natural number, the lowest word first; none above n. */
struct natural {
	uint32_t w[WORDS];
	int n;
};

/* The significant digits and where the point is: 0.D1D2.. * 10^point. */
struct digits {
	char d[DIGITS];
	int n, point;
};

/* A double taken apart: bits, with bit 52 set, times 2^(exponent - 52). */
struct parts {
	uint64_t bits;
	int exponent;
	int significant; /* bits, fewer in a denormal */
};

static void
multiply(struct natural *x, uint32_t by)
{
	uint64_t carry = 0;

	for (int i = 0; i < x->n; i++) {
		carry += (uint64_t)x->w[i] * by;
		x->w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry != 0)
		x->w[x->n++] = (uint32_t)carry;
}

static void
shift_left(struct natural *x, int bits)
{
	for (; bits >= 31; bits -= 31)
		multiply(x, 1U << 31);
	multiply(x, 1U << bits);
}

/* v * 5^fives * 2^twos */
static struct natural
natural(uint64_t v, int fives, int twos)
{
	struct natural x = { { (uint32_t)v, (uint32_t)(v >> 32) },
		v >> 32 != 0 ? 2 : 1 };

	for (; fives >= 13; fives -= 13)
		multiply(&x, 1220703125);
	for (; fives > 0; fives--)
		multiply(&x, 5);
	shift_left(&x, twos);
	return x;
}

static int
compare(const struct natural *a, const struct natural *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (int i = a->n; i-- > 0;)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

/* x -= y, which is no larger; zero has no words. */
static void
subtract(struct natural *x, const struct natural *y)
{
	int64_t borrow = 0;

	for (int i = 0; i < x->n; i++) {
		borrow += (int64_t)x->w[i] - (i < y->n ? y->w[i] : 0);
		x->w[i] = (uint32_t)borrow;
		borrow >>= 32;
	}
	while (x->n > 0 && x->w[x->n - 1] == 0)
		x->n--;
}

/* Compare a + b with c. */
static int
compare_sum(const struct natural *a, const struct natural *b,
    const struct natural *c)
{
	struct natural rest = *c;

	if (compare(a, c) > 0)
		return 1;
	subtract(&rest, a);
	return compare(b, &rest);
}

/* Give the quotient of b and s, a digit, and leave ten times the rest. */
static int
next_digit(struct natural *b, const struct natural *s)
{
	int q = 0;

	for (; compare(b, s) >= 0; q++)
		subtract(b, s);
	multiply(b, 10);
	return q;
}

static void
round_up(struct digits *d)
{
	int i = d->n - 1;

	while (i > 0 && d->d[i] == '9')
		d->d[i--] = '0';
	if (d->d[i] == '9') {
		d->d[i] = '1';
		d->point++;
	} else {
		d->d[i]++;
	}
}

/* floor(log10), or one more or less where it is close. */
static int
estimate(const struct parts *p)
{
	double fraction = ldexp((double)p->bits, -FRACTION_BITS);

	return (int)floor((fraction - 1.5) * 0.289529654 + 0.176091259 +
	    p->exponent * 0.301029995663981);
}

static int
bits_of_5_to(int n)
{
	static const char bits[] = { 0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26,
		28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61 };

	return n < (int)sizeof bits ? bits[n] : n * 3;
}

/* A whole number below 2^63; digits that the double does not have are 0. */
static void
whole_digits(struct digits *d, const struct parts *p)
{
	int beyond = p->exponent - p->significant - 1;
	int drop = p->exponent > p->significant && beyond > 1 ?
	    beyond * 30103 / 100000 :
	    0;
	uint64_t v = p->exponent >= FRACTION_BITS ?
	    p->bits << (p->exponent - FRACTION_BITS) :
	    p->bits >> (FRACTION_BITS - p->exponent);
	uint64_t unit = 1;
	char *at = d->d + DIGITS;

	for (int i = 0; i < drop; i++)
		unit *= 10;
	v = v / unit + (drop != 0 && v % unit >= unit / 2);
	d->point = drop;
	for (; v % 10 == 0; v /= 10)
		d->point++;
	for (; v != 0; v /= 10, d->n++)
		*--at = (char)('0' + v % 10);
	memmove(d->d, at, (size_t)d->n);
	d->point += d->n;
}

/* The state of the division. */
struct division {
	struct natural b, s, m, ten_s;
	int width; /* of the words that Java takes; 0: any number of them */
};

static struct division
division(const struct parts *p, int exponent, int tiny)
{
	int zeros = __builtin_ctzll(p->bits), nbits = FRACTION_BITS + 1 - zeros;
	int b5 = exponent < 0 ? -exponent : 0, s5 = exponent > 0 ? exponent : 0;
	int b2 = b5 + tiny + p->exponent, s2 = s5 + tiny;
	int m2 = b2 - p->significant, common, b_bits, ten_s_bits;
	struct division v;

	b2 -= nbits - 1;
	common = b2 < s2 ? b2 : s2;
	b2 -= common;
	s2 -= common;
	m2 -= common + (nbits == 1);
	if (m2 < 0) {
		b2 -= m2;
		s2 -= m2;
		m2 = 0;
	}
	b_bits = nbits + b2 + bits_of_5_to(b5);
	ten_s_bits = s2 + 1 + bits_of_5_to(s5 + 1);
	v.width = b_bits < 32 && ten_s_bits < 32 ? 32 :
	    b_bits < 64 && ten_s_bits < 64	 ? 64 :
						   0;
	v.b = natural(p->bits >> zeros, b5, b2);
	v.s = natural(1, s5, s2);
	v.m = natural(10, b5, m2);
	v.ten_s = natural(1, s5 + 1, s2 + 1);
	return v;
}

/* The low word of x as a signed one that is width bits wide. */
static int64_t
word(const struct natural *x, int width)
{
	uint64_t v = x->n > 0 ? x->w[0] : 0;

	if (width == 32)
		return (int32_t)(uint32_t)v;
	return (int64_t)(v | (uint64_t)(x->n > 1 ? x->w[1] : 0) << 32);
}

/*
 * Tell whether the digits so far, or they and one more in the last place,
 * are near enough.  Where one word holds all, Java's sums may overflow, and
 * the digits are what comes of that.
 */
static void
is_near(const struct division *v, bool *low, bool *high)
{
	int64_t b = word(&v->b, v->width), m = word(&v->m, v->width);
	int64_t sum = (int64_t)((uint64_t)b + (uint64_t)m);

	if (v->width == 0) {
		*low = compare(&v->b, &v->m) < 0;
		*high = compare_sum(&v->b, &v->m, &v->ten_s) >= 0;
		return;
	}
	if (v->width == 32)
		sum = (int32_t)(uint32_t)sum;
	*low = m <= 0 || b < m;
	*high = m <= 0 || sum > word(&v->ten_s, v->width);
}

static void
divide(struct digits *d, const struct parts *p, int tiny)
{
	int exponent = estimate(p), tie, q;
	struct division v = division(p, exponent, tiny);
	bool low, high;

	for (bool first = true;; first = false) {
		q = next_digit(&v.b, &v.s);
		is_near(&v, &low, &high);
		if (first && q == 0 && !high)
			exponent--; /* it was one too many */
		else
			d->d[d->n++] = (char)('0' + q);
		/* The form with E has two digits at the least. */
		if (first && (exponent < -3 || exponent >= 8))
			low = high = false;
		if (low || high)
			break;
		multiply(&v.m, 10);
	}
	d->point = exponent + 1;
	if (!high)
		return;
	shift_left(&v.b, 1);
	tie = compare(&v.b, &v.ten_s);
	if (!low || tie > 0 || (tie == 0 && (d->d[d->n - 1] & 1) != 0))
		round_up(d);
}

static struct parts
take_apart(double v)
{
	struct parts p;
	uint64_t bits;
	int shift;

	memcpy(&bits, &v, sizeof bits);
	p.exponent = (int)(bits >> FRACTION_BITS & 0x7ff);
	p.bits = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
	p.significant = FRACTION_BITS + 1;
	if (p.exponent == 0) {
		shift = __builtin_clzll(p.bits) - (63 - FRACTION_BITS);
		p.bits <<= shift;
		p.exponent = 1 - shift;
		p.significant -= shift;
	} else {
		p.bits |= (uint64_t)1 << FRACTION_BITS;
	}
	p.exponent -= 1023;
	return p;
}

static void
put_digits(struct buffer *b, const struct digits *d)
{
	int whole = d->point > 0 && d->point < 8 ? d->point : 1, e;

	if (d->point <= 0 && d->point > -3) {
		buffer_put(b, SPAN("0."));
		for (int i = d->point; i < 0; i++)
			buffer_byte(b, '0');
		buffer_put(b, (struct span){ d->d, (size_t)d->n });
		return;
	}
	for (int i = 0; i < whole; i++)
		buffer_byte(b, i < d->n ? d->d[i] : '0');
	buffer_byte(b, '.');
	if (d->n > whole)
		buffer_put(b,
		    (struct span){ d->d + whole, (size_t)(d->n - whole) });
	else
		buffer_byte(b, '0');
	e = d->point - whole;
	if (e != 0) {
		buffer_byte(b, 'E');
		buffer_int(b, e);
	}
}

void
java_double_put(struct buffer *b, double v)
{
	struct digits d = { .n = 0 };
	struct parts p;
	int nbits, tiny;

	if (isnan(v)) {
		buffer_put(b, SPAN("NaN"));
		return;
	}
	if (signbit(v))
		buffer_byte(b, '-');
	if (isinf(v) || v == 0) {
		buffer_put(b, v == 0 ? SPAN("0.0") : SPAN("Infinity"));
		return;
	}
	p = take_apart(v);
	nbits = FRACTION_BITS + 1 - __builtin_ctzll(p.bits);
	tiny = nbits - p.exponent - 1 > 0 ? nbits - p.exponent - 1 : 0;
	if (tiny == 0 && p.exponent <= 62)
		whole_digits(&d, &p);
	else
		divide(&d, &p, tiny);
	put_digits(b, &d);
}
