/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "window/moments.h"

static long double
get(const unsigned char *bytes)
{
	long double v;

	memcpy(&v, bytes, sizeof v);
	return v;
}

static void
set(unsigned char *bytes, long double v)
{
	memcpy(bytes, &v, sizeof v);
}

void
moments_add(struct moments *m, double v)
{
	long double mean = get(m->mean), off = v - mean;

	mean += off / (long double)++m->n;
	set(m->squares, get(m->squares) + off * (v - mean));
	set(m->mean, mean);
}

void
moments_merge(struct moments *m, const struct moments *other)
{
	long double off = get(other->mean) - get(m->mean), share;

	if (other->n == 0)
		return;
	m->n += other->n;
	share = (long double)other->n / (long double)m->n;
	set(m->squares,
	    get(m->squares) + get(other->squares) +
		off * off * share * (long double)(m->n - other->n));
	set(m->mean, get(m->mean) + off * share);
}

double
moments_deviation(const struct moments *m)
{
	return (double)sqrtl(get(m->squares) / (long double)(m->n - 1));
}

/* As 2^exponent times two doubles. */
static void
pack_long_double(struct buffer *b, long double v)
{
	int exponent;
	long double fraction = frexpl(v, &exponent);

	pack_int(b, exponent);
	pack_double(b, (double)fraction);
	pack_double(b, (double)(fraction - (double)fraction));
}

static long double
unpack_long_double(struct unpacker *u)
{
	int exponent = (int)unpack_int(u, -16384, 16384);
	long double high = unpack_double(u);

	return ldexpl(high + unpack_double(u), exponent);
}

void
moments_pack(const struct moments *m, struct buffer *b)
{
	pack_int(b, m->n);
	pack_long_double(b, get(m->mean));
	pack_long_double(b, get(m->squares));
}

void
moments_unpack(struct moments *m, struct unpacker *u)
{
	int64_t n = unpack_int(u, 0, PACKED_MOST);
	long double mean = unpack_long_double(u);
	long double squares = unpack_long_double(u);

	if (!isfinite(mean) || !isfinite(squares) || signbit(squares) ||
	    (n < 2 && squares != 0) || (n == 0 && mean != 0))
		u->bad = true;
	*m = (struct moments){ .n = n };
	set(m->mean, mean);
	set(m->squares, squares);
}
