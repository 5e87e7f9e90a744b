/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/sum.h"

/* A handle is far above SUM_SMALL. */
#define HANDLE ((int64_t)1 << 62)

/*
 * What is left after a cancellation of 2^50 is still right to the last digit
 * of a double: hi and lo have 106 bits between them.
 */
static const double CANCELLED = 0x1p-50;

void
sum_pool_fini(struct sum_pool *pool)
{
	free(pool->wide);
	*pool = (struct sum_pool){ 0 };
}

static uint32_t
new_wide(struct sum_pool *pool)
{
	uint32_t at = pool->free;

	if (at != 0) {
		pool->free = pool->wide[at - 1].next_free;
		at--;
	} else {
		pool->wide = memory_grow(pool->wide, &pool->cap, pool->n + 1,
		    sizeof *pool->wide);
		at = (uint32_t)pool->n++;
	}
	pool->wide[at] = (struct sum_wide){ 0 };
	return at;
}

/* What a total stands for, small or wide. */
static struct sum_wide
value_of(const struct sum_pool *pool, struct total total)
{
	if (sum_is_small(total))
		return (struct sum_wide){ .i = total.word };
	return pool->wide[total.word - HANDLE];
}

void
sum_clear(struct sum_pool *pool, struct total *total)
{
	if (!sum_is_small(*total)) {
		uint32_t at = (uint32_t)(total->word - HANDLE);

		pool->wide[at].next_free = pool->free;
		pool->free = at + 1;
	}
	total->word = 0;
}

/* Keep w as *total, as small as it can be. */
static void
keep(struct sum_pool *pool, struct total *total, const struct sum_wide *w)
{
	bool small =
	    w->ndoubles == 0 && w->i >= -SUM_SMALL && w->i <= SUM_SMALL;

	if (small) {
		sum_clear(pool, total);
		total->word = (int64_t)w->i;
		return;
	}
	if (sum_is_small(*total))
		total->word = HANDLE + new_wide(pool);
	pool->wide[total->word - HANDLE] = *w;
}

/* s + error is exactly a + b (Knuth). */
static double
two_sum(double a, double b, double *error)
{
	double s = a + b, t = s - a;

	*error = (a - (s - t)) + (b - t);
	return s;
}

static void
add_doubles(struct sum_wide *w, double hi, double lo)
{
	double e, f, g;
	double s = two_sum(w->hi, hi, &e), t = two_sum(w->lo, lo, &f);

	/* What goes on from infinity is no number. */
	if (isfinite(s)) {
		s = two_sum(s, e + t, &g);
		s = two_sum(s, g + f, &w->lo);
	}
	w->hi = s;
	if (!isfinite(s))
		w->lo = 0;
	else if (fabs(s) > w->peak)
		w->peak = fabs(s);
}

static void
add_integer(struct sum_wide *w, int128 v, int sign)
{
	int128 sum;

	if (sign < 0 ? __builtin_sub_overflow(w->i, v, &sum) :
		       __builtin_add_overflow(w->i, v, &sum)) {
		add_doubles(w, sign * (double)v, 0);
		w->ndoubles++;
	} else {
		w->i = sum;
	}
}

bool
sum_add_wide(struct sum_pool *pool, struct total *total, struct total other,
    int sign)
{
	struct sum_wide w = value_of(pool, *total);
	struct sum_wide v = value_of(pool, other);
	bool good;

	add_integer(&w, v.i, sign);
	w.ndoubles += sign * v.ndoubles;
	if (w.ndoubles == 0)
		w.hi = w.lo = w.peak = 0;
	else
		add_doubles(&w, sign * v.hi, sign * v.lo);
	good = w.ndoubles == 0 ||
	    (isfinite(w.hi) && fabs(w.hi) >= w.peak * CANCELLED);
	keep(pool, total, &w);
	return good;
}

void
sum_add_wide_int(struct sum_pool *pool, struct total *total, int64_t i)
{
	struct sum_wide w = value_of(pool, *total);

	add_integer(&w, i, 1);
	keep(pool, total, &w);
}

void
sum_add_number(struct sum_pool *pool, struct total *total,
    const struct number *x)
{
	struct sum_wide w;
	struct decimal d;
	int128 v;

	if (x->is_int) {
		sum_add_int(pool, total, x->i);
		return;
	}
	w = value_of(pool, *total);
	if (decimal_parse(&d, x->text) == 0 && decimal_int128(&d, &v) == 0) {
		add_integer(&w, v, 1);
	} else {
		add_doubles(&w, x->d, 0);
		w.ndoubles++;
	}
	keep(pool, total, &w);
}

void
sum_pack(const struct sum_pool *pool, struct total total, struct buffer *b)
{
	struct sum_wide w = value_of(pool, total);

	pack_int(b, (int64_t)(w.i >> 64));
	pack_int(b, (int64_t)w.i);
	pack_int(b, w.ndoubles);
	if (w.ndoubles == 0)
		return;
	pack_double(b, w.hi);
	pack_double(b, w.lo);
	pack_double(b, w.peak);
}

void
sum_unpack(struct sum_pool *pool, struct total *total, struct unpacker *u)
{
	int64_t high = unpack_int(u, INT64_MIN, INT64_MAX);
	uint64_t low = (uint64_t)unpack_int(u, INT64_MIN, INT64_MAX);
	struct sum_wide w = { .i = high * ((int128)1 << 64) + low,
		.ndoubles = unpack_int(u, 0, PACKED_MOST) };

	if (w.ndoubles != 0) {
		w.hi = unpack_double(u);
		w.lo = unpack_double(u);
		w.peak = unpack_double(u);
	}
	if (u->bad)
		w = (struct sum_wide){ 0 };
	keep(pool, total, &w);
}

/* What the nearest double lacks of v; it may be 2^127, which is none. */
static double
rounded_off(int128 v)
{
	const int128 max = (int128)INT64_MAX << 64 | (int128)UINT64_MAX;
	double near = (double)v;

	return near >= 0x1p127 ? (double)(v - max) - 1 :
				 (double)(v - (int128)near);
}

double
sum_mean(const struct sum_pool *pool, struct total total, int64_t n)
{
	struct sum_wide w = value_of(pool, total);

	if (w.ndoubles == 0)
		return (double)((long double)(w.i / n) +
		    (long double)(w.i % n) / (long double)n);
	add_doubles(&w, (double)w.i, rounded_off(w.i));
	return (double)(((long double)w.hi + (long double)w.lo) /
	    (long double)n);
}

void
sum_put(const struct sum_pool *pool, struct buffer *b, struct total total)
{
	struct sum_wide w = value_of(pool, total);

	if (w.ndoubles == 0) {
		buffer_int128(b, w.i);
		return;
	}
	add_doubles(&w, (double)w.i, rounded_off(w.i));
	buffer_double(b, w.hi);
}
