/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/limbs.h"
#include "base/sum.h"

/* A handle is far above SUM_SMALL. */
#define HANDLE ((int64_t)1 << 62)

/* Doubles hold all integers up to this one. */
#define DOUBLE_EXACT ((int64_t)1 << 53)

/*
 * All limbs of doubles, where 2^0 stands among them, and the near ones.  They
 * begin at 2^-1088, below the least double, 2^-1074; above the greatest there
 * is room for 2^127 of it.
 */
enum { ALL = 35, ONES = 17, NEAR_AT = 15, NEAR = SUM_NEAR };

/* The limbs from low to end - 1: below are zeros, above only the sign. */
struct sum_far {
	size_t low, end;
	uint64_t limb[];
};

void
sum_pool_fini(struct sum_pool *pool)
{
	for (size_t i = 0; i < pool->n; i++)
		free(pool->wide[i].far);
	free(pool->wide);
	*pool = (struct sum_pool){ 0 };
}

static uint32_t
new_wide(struct sum_pool *pool)
{
	uint32_t at = pool->free;

	if (at != 0) {
		pool->free = (uint32_t)pool->wide[--at].near[0];
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
	struct sum_wide w = { 0 };

	if (!sum_is_small(total))
		return pool->wide[total.word - HANDLE];
	w.near[ONES - NEAR_AT] = (uint64_t)total.word;
	w.near[NEAR - 1] = total.word < 0 ? UINT64_MAX : 0;
	return w;
}

void
sum_clear(struct sum_pool *pool, struct total *total)
{
	if (!sum_is_small(*total)) {
		struct sum_wide *w = &pool->wide[total->word - HANDLE];

		free(w->far);
		*w = (struct sum_wide){ .near = { pool->free } };
		pool->free = (uint32_t)(total->word - HANDLE) + 1;
	}
	total->word = 0;
}

/* The place of what is too much for the total's own word. */
static struct sum_wide *
wide_of(struct sum_pool *pool, struct total *total)
{
	if (sum_is_small(*total))
		total->word = HANDLE + new_wide(pool);
	return &pool->wide[total->word - HANDLE];
}

static bool
is_integer(const struct sum_wide *w)
{
	return w->far == NULL && (w->near[0] | w->near[1]) == 0;
}

static int128
integer_of(const struct sum_wide *w)
{
	return (int128)((uint128)w->near[3] << 64 | w->near[2]);
}

static void
keep_near(struct sum_pool *pool, struct total *total, struct sum_wide w)
{
	struct sum_wide *to;

	w.far = NULL;
	if (is_integer(&w) && integer_of(&w) >= -SUM_SMALL &&
	    integer_of(&w) <= SUM_SMALL) {
		sum_clear(pool, total);
		total->word = (int64_t)integer_of(&w);
		return;
	}
	to = wide_of(pool, total);
	free(to->far);
	*to = w;
}

/* The limbs that tell, from the lowest that is not 0 on; one of 0. */
static void
find_ends(const uint64_t *all, size_t *low, size_t *end)
{
	for (*low = 0; *low < ALL - 2 && all[*low] == 0; ++*low)
		;
	if (all[*low] == 0)
		*low = ONES;
	for (*end = ALL; *end > *low + 1; --*end)
		if (all[*end - 1] != limbs_sign(all[*end - 2]))
			break;
}

/* Keep all limbs as *total, as small as it can be. */
static void
keep_all(struct sum_pool *pool, struct total *total, const uint64_t *all)
{
	struct sum_wide w = { 0 }, *to;
	struct sum_far *far;
	size_t low, end;

	find_ends(all, &low, &end);
	if (low >= NEAR_AT && end <= NEAR_AT + NEAR) {
		memcpy(w.near, all + NEAR_AT, sizeof w.near);
		keep_near(pool, total, w);
		return;
	}
	far = memory_new(1, sizeof *far + (end - low) * sizeof *all);
	far->low = low;
	far->end = end;
	memcpy(far->limb, all + low, (end - low) * sizeof *all);
	to = wide_of(pool, total);
	free(to->far);
	to->far = far;
}

static void
spread(const struct sum_wide *w, uint64_t *all)
{
	const struct sum_far *far = w->far;
	const uint64_t *from = far == NULL ? w->near : far->limb;
	size_t low = far == NULL ? NEAR_AT : far->low;
	size_t end = far == NULL ? NEAR_AT + NEAR : far->end;

	memset(all, 0, low * sizeof *all);
	memcpy(all + low, from, (end - low) * sizeof *all);
	for (size_t i = end; i < ALL; i++)
		all[i] = limbs_sign(all[end - 1]);
}

/* Tell whether the near limbs hold such two together, too. */
static bool
is_near(const struct sum_wide *w)
{
	const uint64_t quarter = (uint64_t)1 << 62;

	return w->far == NULL && w->near[NEAR - 1] + quarter < 2 * quarter;
}

/* Add sign * v * 2^(64 * (at - ONES)). */
static void
add_bits(struct sum_pool *pool, struct total *total, uint128 v, size_t at,
    int sign)
{
	const uint64_t limbs[] = { (uint64_t)v, (uint64_t)(v >> 64) };
	struct sum_wide w = value_of(pool, *total);
	uint64_t all[ALL];

	if (is_near(&w) && at >= NEAR_AT && at <= ONES && v >> 126 == 0) {
		limbs_add(w.near + (at - NEAR_AT), NEAR - (at - NEAR_AT), limbs,
		    2, sign);
		keep_near(pool, total, w);
	} else {
		spread(&w, all);
		limbs_add(all + at, ALL - at, limbs, 2, sign);
		keep_all(pool, total, all);
	}
}

static void
add_int128(struct sum_pool *pool, struct total *total, int128 i)
{
	add_bits(pool, total, i < 0 ? 0 - (uint128)i : (uint128)i, ONES,
	    i < 0 ? -1 : 1);
}

/* A double is 53 bits at 2^-1074 or above it, which is bit 14 of all. */
static void
add_double(struct sum_pool *pool, struct total *total, double d)
{
	const uint64_t one = (uint64_t)1 << 52;
	uint64_t bits, exponent;

	memcpy(&bits, &d, sizeof bits);
	exponent = bits >> 52 & 0x7ff;
	bits &= one - 1;
	if (exponent == 0)
		exponent = 1;
	else
		bits |= one;
	exponent += 13;
	add_bits(pool, total, (uint128)bits << exponent % 64, exponent / 64,
	    d < 0 ? -1 : 1);
}

void
sum_add_wide(struct sum_pool *pool, struct total *total, struct total other,
    int sign)
{
	struct sum_wide w = value_of(pool, *total);
	struct sum_wide v = value_of(pool, other);
	uint64_t sum[ALL], all[ALL];

	if (is_near(&w) && is_near(&v)) {
		limbs_add(w.near, NEAR, v.near, NEAR, sign);
		keep_near(pool, total, w);
	} else {
		spread(&w, sum);
		spread(&v, all);
		limbs_add(sum, ALL, all, ALL, sign);
		keep_all(pool, total, sum);
	}
}

void
sum_add_wide_int(struct sum_pool *pool, struct total *total, int64_t i)
{
	add_int128(pool, total, i);
}

void
sum_add_number(struct sum_pool *pool, struct total *total,
    const struct number *x)
{
	struct decimal d;
	int128 i;

	if (x->is_int)
		sum_add_int(pool, total, x->i);
	else if (fabs(x->d) >= 0x1p63 && decimal_parse(&d, x->text) == 0 &&
	    decimal_int128(&d, &i) == 0)
		add_int128(pool, total, i);
	else
		add_double(pool, total, x->d);
}

void
sum_pack(const struct sum_pool *pool, struct total total, struct buffer *b)
{
	struct sum_wide w = value_of(pool, total);
	uint64_t all[ALL];
	size_t low, end;

	spread(&w, all);
	find_ends(all, &low, &end);
	pack_int(b, (int64_t)low);
	pack_int(b, (int64_t)(end - low));
	for (size_t i = low; i < end; i++)
		pack_int(b, (int64_t)all[i]);
}

void
sum_unpack(struct sum_pool *pool, struct total *total, struct unpacker *u)
{
	uint64_t all[ALL] = { 0 };
	/* The highest limb stays free, so that such can be added up. */
	size_t i = (size_t)unpack_int(u, 0, ALL - 2);
	size_t end = i + (size_t)unpack_int(u, 1, ALL - 1 - (int64_t)i);

	for (; i < end; i++)
		all[i] = (uint64_t)unpack_int(u, INT64_MIN, INT64_MAX);
	for (; i < ALL; i++)
		all[i] = limbs_sign(all[i - 1]);
	if (u->bad)
		memset(all, 0, sizeof all);
	keep_all(pool, total, all);
}

static long double
nearest(const struct sum_wide *w)
{
	uint64_t all[ALL];

	if (w->far == NULL)
		return limbs_nearest(w->near, NEAR, ONES - NEAR_AT);
	spread(w, all);
	return limbs_nearest(all, ALL, ONES);
}

double
sum_mean(const struct sum_pool *pool, struct total total, int64_t n)
{
	/*
	 * The near limbs have two more below them, for what is divided, and one
	 * above, as a magnitude may need all of their bits.
	 */
	size_t low = NEAR_AT - 2, end = NEAR_AT + NEAR + 1;
	uint64_t all[ALL], zero[ALL] = { 0 }, sign;
	struct sum_wide w;

	/* What doubles hold exactly is divided as such, and rounded once. */
	if (total.word > -DOUBLE_EXACT && total.word < DOUBLE_EXACT &&
	    (n < DOUBLE_EXACT || total.word == 0))
		return (double)total.word / (double)n;
	w = value_of(pool, total);
	spread(&w, all);
	if (w.far != NULL) {
		low = 0;
		end = ALL;
	}
	sign = limbs_sign(all[ALL - 1]);
	if (sign != 0) {
		limbs_add(zero, ALL, all, ALL, -1);
		memcpy(all, zero, sizeof all);
	}
	limbs_divide(all + low, end - low, (uint64_t)n);
	return (sign == 0 ? 1 : -1) *
	    (double)limbs_nearest(all + low, (int)(end - low),
		(int)(ONES - low));
}

void
sum_put(const struct sum_pool *pool, struct buffer *b, struct total total)
{
	struct sum_wide w;

	if (sum_is_small(total)) {
		buffer_int(b, total.word);
		return;
	}
	w = value_of(pool, total);
	if (is_integer(&w))
		buffer_int128(b, integer_of(&w));
	else
		buffer_double(b, (double)nearest(&w));
}
