/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <stdlib.h>

#include "base/number.h"

enum {
	INT128_DIGITS = 39,
};

/* Of a number with one digit before the point. */
static const int64_t EXPONENT_MAX = 1000000000000000000;

bool
number_is(struct span text)
{
	const char *lacks = NULL;

	return number_end(text.p, &lacks) == text.p + text.n && lacks == NULL;
}

/*
 * Read the exponent at s, its sign included; -1 where it is too large, however
 * many digits there are.
 */
static int
exponent(struct span s, int64_t *out)
{
	const int64_t most = 4 * EXPONENT_MAX;
	int64_t v = 0;
	size_t i = 0;
	bool negative = s.p[0] == '-';

	if (s.p[0] == '-' || s.p[0] == '+')
		i++;
	for (; i < s.n; i++) {
		if (v > most / 10)
			return -1;
		v = v * 10 + (s.p[i] - '0');
	}
	*out = negative ? -v : v;
	return 0;
}

int
decimal_parse(struct decimal *d, struct span text)
{
	const char *p = text.p, *end = text.p + text.n;
	const char *first = NULL, *last = NULL, *point = NULL;
	size_t n = 0, zeros = 0;
	int64_t e = 0, leading = 0;

	*d = (struct decimal){ 0 };
	if (*p == '-') {
		d->negative = true;
		p++;
	}
	for (; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			point = p;
		} else if (*p != '0') {
			if (first == NULL)
				first = p;
			last = p;
			n += zeros + 1;
			zeros = 0;
		} else if (first != NULL) {
			zeros++;
		}
		/* Count the digits from the first one to the point. */
		if (first != NULL && point == NULL)
			leading++;
		else if (first == NULL && point != NULL && *p == '0')
			leading--;
	}
	if (first == NULL) {
		d->negative = false;
		d->digits.p = text.p; /* of which there are none */
		return 0;
	}
	if (p < end &&
	    exponent((struct span){ p + 1, (size_t)(end - p - 1) }, &e) < 0)
		return -1;
	d->digits = (struct span){ first, (size_t)(last + 1 - first) };
	d->n = n;
	d->point = leading + e;
	return d->point > EXPONENT_MAX + 1 || d->point < -EXPONENT_MAX + 1 ?
	    -1 :
	    0;
}

/* The digit at *p, stepping over the decimal point; '0' past the end. */
static char
next_digit(const char **p, const char *end)
{
	if (*p < end && **p == '.')
		(*p)++;
	return *p < end ? *(*p)++ : '0';
}

static int
magnitude_cmp(const struct decimal *a, const struct decimal *b)
{
	const char *p = a->digits.p, *pend = p + a->digits.n;
	const char *q = b->digits.p, *qend = q + b->digits.n;
	char c, d;

	if (a->point != b->point)
		return a->point < b->point ? -1 : 1;
	while (p < pend || q < qend)
		if ((c = next_digit(&p, pend)) != (d = next_digit(&q, qend)))
			return c < d ? -1 : 1;
	return 0;
}

int
decimal_cmp(const struct decimal *a, const struct decimal *b)
{
	int sign = a->n == 0 ? 0 : a->negative ? -1 : 1;
	int other = b->n == 0 ? 0 : b->negative ? -1 : 1;

	if (sign != other)
		return sign < other ? -1 : 1;
	return sign == 0 ? 0 : sign * magnitude_cmp(a, b);
}

bool
decimal_is_canonical(struct span text)
{
	const char *p = text.p, *end = p + text.n;
	bool fraction = false;

	if (text.n > DECIMAL_PLAIN_ZEROS)
		return false;
	if (*p == '-' && ++p < end && *p == '0' && p + 1 == end)
		return false;
	for (; p < end; p++) {
		if (*p == '.')
			fraction = true;
		else if (*p == 'e' || *p == 'E')
			return false;
	}
	return !fraction || end[-1] != '0';
}

/* Append the digits, with a point after the first `before` of them. */
static void
put_digits(struct buffer *b, const struct decimal *d, size_t before)
{
	const char *p = d->digits.p, *end = p + d->digits.n;

	for (size_t i = 0; i < d->n; i++) {
		if (i == before)
			buffer_byte(b, '.');
		buffer_byte(b, next_digit(&p, end));
	}
}

void
decimal_put(struct buffer *b, const struct decimal *d)
{
	int64_t n = (int64_t)d->n;

	if (d->n == 0) {
		buffer_byte(b, '0');
		return;
	}
	if (d->negative)
		buffer_byte(b, '-');
	if (d->point > n + DECIMAL_PLAIN_ZEROS ||
	    d->point < -DECIMAL_PLAIN_ZEROS) {
		put_digits(b, d, d->n);
		buffer_byte(b, 'e');
		buffer_int(b, d->point - n);
	} else if (d->point <= 0) {
		buffer_put(b, SPAN("0."));
		for (int64_t i = d->point; i < 0; i++)
			buffer_byte(b, '0');
		put_digits(b, d, d->n);
	} else {
		put_digits(b, d, (size_t)d->point);
		for (int64_t i = n; i < d->point; i++)
			buffer_byte(b, '0');
	}
}

int
decimal_int128(const struct decimal *d, int128 *out)
{
	const char *p = d->digits.p, *end = p + d->digits.n;
	int128 v = 0;

	if (d->n != 0 && (d->point < (int64_t)d->n || d->point > INT128_DIGITS))
		return -1;
	/* Below 0, where there is room for one more than above. */
	for (int64_t i = 0; d->n != 0 && i < d->point; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, next_digit(&p, end) - '0', &v))
			return -1;
	if (!d->negative && __builtin_sub_overflow((int128)0, v, &v))
		return -1;
	*out = v;
	return 0;
}

int
decimal_scale(const struct decimal *d, int shift, int64_t *out)
{
	const char *p = d->digits.p, *end = p + d->digits.n;
	int64_t whole = d->point + shift;
	int128 v = 0;

	if (d->n == 0) {
		*out = 0;
		return 0;
	}
	if (whole > 20)
		return -1;
	for (int64_t i = 0; i < whole; i++)
		v = v * 10 + (next_digit(&p, end) - '0');
	if (d->negative)
		v = whole < (int64_t)d->n ? -v - 1 : -v;
	if (v < INT64_MIN || v > INT64_MAX)
		return -1;
	*out = (int64_t)v;
	return 0;
}

/*
 * Whole numbers of up to eight digits, without a look at each: how many there
 * are is hard to predict.
 */
static bool
parse_short(struct number *x, struct span text)
{
	uint64_t digits;

	if (text.n - 1 > 7)
		return false;
	digits = digits_load_right(text.p, text.n);
	if (!digits_fit(digits, DIGITS_ZERO))
		return false;
	x->i = digits_value(digits);
	x->d = (double)x->i;
	x->is_int = true;
	return true;
}

/* Whole numbers of up to 18 digits, which most are. */
static bool
parse_plain(struct number *x, struct span text)
{
	const char *p = text.p, *end = p + text.n;
	int64_t v = 0;

	if (*p == '-')
		p++;
	if (end - p > 18)
		return false;
	for (; p < end; p++) {
		if (!digits_is(*p))
			return false;
		v = v * 10 + (*p - '0');
	}
	x->i = *text.p == '-' ? -v : v;
	x->d = (double)x->i;
	x->is_int = true;
	return true;
}

/* A double is exact where digits and power of ten both are (Clinger 1990). */
static bool
exact_double(const struct decimal *d, double *out)
{
	static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
		1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
		1e19, 1e20, 1e21, 1e22 };
	const char *p = d->digits.p, *end = p + d->digits.n;
	int64_t e = d->point - (int64_t)d->n;
	int64_t v = 0;

	if (d->n > 15 || e < -22 || e > 22)
		return false;
	for (size_t i = 0; i < d->n; i++)
		v = v * 10 + (next_digit(&p, end) - '0');
	*out = e < 0 ? (double)v / power[-e] : (double)v * power[e];
	if (d->negative)
		*out = -*out;
	return true;
}

int
number_parse(struct number *x, struct span text)
{
	struct decimal d;
	int128 v;

	x->text = text;
	if (parse_short(x, text) || parse_plain(x, text))
		return 0;
	if (decimal_parse(&d, text) < 0)
		return -1;
	x->is_int =
	    decimal_int128(&d, &v) == 0 && v >= INT64_MIN && v <= INT64_MAX;
	x->i = x->is_int ? (int64_t)v : 0;
	if (x->is_int)
		x->d = (double)x->i;
	else if (!exact_double(&d, &x->d))
		x->d = strtod(text.p, NULL);
	return 0;
}

int
number_cmp_decimal(const struct number *a, const struct number *b)
{
	struct decimal x, y;

	if (a->d != b->d)
		return a->d < b->d ? -1 : 1;
	decimal_parse(&x, a->text);
	decimal_parse(&y, b->text);
	return decimal_cmp(&x, &y);
}

void
buffer_int128(struct buffer *b, int128 v)
{
	__extension__ typedef unsigned __int128 uint128;
	char text[48];
	char *end = text + sizeof text, *p = end;
	uint128 u = v < 0 ? 0 - (uint128)v : (uint128)v;

	do
		*--p = (char)('0' + (int)(u % 10));
	while ((u /= 10) != 0);
	if (v < 0)
		*--p = '-';
	buffer_put(b, (struct span){ p, (size_t)(end - p) });
}
