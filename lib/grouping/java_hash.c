/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/number.h"
#include "grouping/java_double.h"
#include "grouping/java_hash.h"
#include "json/text.h"

enum {
	/* 10000 digits have 33220 bits. */
	BIG_WORDS = JAVA_HASH_DIGITS / 9 + 2,
};

/* What a number is. */
enum kind { KIND_LONG, KIND_BIG, KIND_DOUBLE };

static enum kind
number_kind(struct span raw, int64_t *v)
{
	struct number x;

	for (size_t i = 0; i < raw.n; i++)
		if (raw.p[i] == '.' || (raw.p[i] | 0x20) == 'e')
			return KIND_DOUBLE;
	number_parse(&x, raw);
	*v = x.i;
	return x.is_int ? KIND_LONG : KIND_BIG;
}

static double
double_of(struct span raw)
{
	return strtod(raw.p, NULL);
}

static int32_t
hash_long(uint64_t v)
{
	return (int32_t)(uint32_t)(v ^ v >> 32);
}

static int32_t
hash_double(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof bits);
	return hash_long(bits);
}

/* x = x * by + add, in words from the lowest; returns how many. */
static size_t
push_digits(uint32_t *x, size_t n, uint32_t by, uint32_t add)
{
	uint64_t carry = add;

	for (size_t i = 0; i < n; i++) {
		carry += (uint64_t)x[i] * by;
		x[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry != 0)
		x[n++] = (uint32_t)carry;
	return n;
}

static int32_t
hash_big(struct span digits, bool negative)
{
	uint32_t x[BIG_WORDS] = { 0 }, h = 0;
	size_t n = 0;

	for (size_t i = 0; i < digits.n;) {
		uint32_t part = 0, unit = 1;

		for (; i < digits.n && unit < 1000000000; i++, unit *= 10)
			part = part * 10 + (uint32_t)(digits.p[i] - '0');
		n = push_digits(x, n, unit, part);
	}
	while (n-- > 0)
		h = 31 * h + x[n];
	return (int32_t)(negative ? 0 - h : h);
}

/* A string without quotes, decoded. */
static struct span
content(const struct value *v, struct buffer *scratch)
{
	struct span text = { v->p + 1, v->n - 2 };

	if (!v->escaped)
		return text;
	scratch->n = 0;
	json_decode(scratch, text);
	return buffer_span(scratch);
}

/* The code point at *p, generalised UTF-8; steps over it. */
static uint32_t
next_point(const unsigned char **p)
{
	const unsigned char *s = *p;
	uint32_t c = s[0];
	int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;

	c &= more == 0 ? 0x7f : 0x3fU >> more;
	for (int i = 1; i <= more; i++)
		c = c << 6 | (s[i] & 0x3f);
	*p = s + more + 1;
	return c;
}

static int32_t
hash_string(struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.n;
	uint32_t h = 0, c;

	while (p < end) {
		if (*p < 0x80) {
			h = 31 * h + *p++;
			continue;
		}
		c = next_point(&p);
		if (c >= 0x10000) {
			h = 31 * h + (0xd800 + ((c - 0x10000) >> 10));
			c = 0xdc00 + ((c - 0x10000) & 0x3ff);
		}
		h = 31 * h + c;
	}
	return (int32_t)h;
}

static struct span
digits_of(struct span raw)
{
	return *raw.p == '-' ? (struct span){ raw.p + 1, raw.n - 1 } : raw;
}

int
java_hash_value(const struct value *v, struct buffer *scratch, int32_t *hash)
{
	struct span digits;
	int64_t i;

	switch (*v->p) {
	case '"':
		*hash = hash_string(content(v, scratch));
		return 0;
	case 't':
		*hash = 1231;
		return 0;
	case 'f':
		*hash = 1237;
		return 0;
	case 'n':
		*hash = 0;
		return 0;
	}
	switch (number_kind(value_raw(v), &i)) {
	case KIND_LONG:
		*hash = hash_long((uint64_t)i);
		return 0;
	case KIND_DOUBLE:
		*hash = hash_double(double_of(value_raw(v)));
		return 0;
	default:
		digits = digits_of(value_raw(v));
		if (digits.n > JAVA_HASH_DIGITS)
			return -1;
		*hash = hash_big(digits, *v->p == '-');
		return 0;
	}
}

/* Lone surrogates cannot be encoded. */
static void
put_string(struct buffer *text, struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.n;
	const unsigned char *from;

	if (memchr(p, 0xed, s.n) == NULL) {
		buffer_put(text, s);
		return;
	}
	while (p < end) {
		uint32_t c;

		from = p;
		c = next_point(&p);
		if (c >= 0xd800 && c < 0xe000)
			buffer_byte(text, '?');
		else
			buffer_put(text,
			    (struct span){
				(const char *)from, (size_t)(p - from) });
	}
}

int
java_hash_text(const struct value *v, struct buffer *scratch,
    struct buffer *text)
{
	int64_t i;

	if (*v->p == '"') {
		put_string(text, content(v, scratch));
		return 0;
	}
	if (*v->p == 't' || *v->p == 'f') {
		buffer_put(text, value_raw(v));
		return 0;
	}
	switch (number_kind(value_raw(v), &i)) {
	case KIND_LONG:
		buffer_int(text, i);
		return 0;
	case KIND_DOUBLE:
		java_double_put(text, double_of(value_raw(v)));
		return 0;
	default:
		if (digits_of(value_raw(v)).n > JAVA_HASH_DIGITS)
			return -1;
		buffer_put(text, value_raw(v));
		return 0;
	}
}

int32_t
java_hash_bytes(struct span s)
{
	uint32_t h = 1;

	for (size_t i = 0; i < s.n; i++) {
		/* Java's bytes have a sign.  NOLINTNEXTLINE */
		int byte = (signed char)s.p[i];

		h = 31 * h + (uint32_t)byte;
	}
	return (int32_t)h;
}

static const uint64_t MULTIPLIER = 0x5deece66d;
static const uint64_t MASK = ((uint64_t)1 << 48) - 1;

struct java_random
java_random(int64_t seed)
{
	return (struct java_random){ ((uint64_t)seed ^ MULTIPLIER) & MASK };
}

static int32_t
next31(struct java_random *r)
{
	r->state = (r->state * MULTIPLIER + 0xb) & MASK;
	return (int32_t)(r->state >> 17);
}

int32_t
java_random_below(struct java_random *r, int32_t n)
{
	int32_t bits = next31(r), v;

	if ((n & -n) == n)
		return (int32_t)((int64_t)n * bits >> 31);
	/* The last, incomplete run of n values is drawn anew. */
	while (v = bits % n, (int64_t)bits - v + (n - 1) > INT32_MAX)
		bits = next31(r);
	return v;
}
