/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window/quantile_bin.h"
#include "window/quantile_sketch.h"

/*
 * A bin and its count in 64 bits: 20 for the bin, so that to sort is to sort
 * by bin, and 44 for the count.
 */
enum { COUNT_BITS = 44, MIDDLE = 1 << 19 };
static const uint64_t COUNT_MAX = ((uint64_t)1 << COUNT_BITS) - 1;

enum { LEAST, MOST, IN_RANGE };

/* Bins that there is room for at first. */
enum { FEW_BINS = 16 };

static bool
is_exact(const struct quantile_sketch *q)
{
	return q->n <= QUANTILE_SKETCH_EXACT;
}

/* The numbers of a sketch that is exact. */
static const double *
numbers_of(const struct quantile_sketch *q)
{
	return q->n <= IN_RANGE ? q->range : q->kept.numbers;
}

/* Let go of what is kept. */
static void
free_kept(struct pool *p, struct quantile_sketch *q)
{
	if (q->kept.bins != NULL)
		pool_free(p, q->kept.bins, q->cap * sizeof *q->kept.bins);
	q->kept.bins = NULL;
	q->cap = 0;
}

/* Have room for cap numbers or bins; what is kept moves there. */
static void
make_room(struct pool *p, struct quantile_sketch *q, size_t cap)
{
	uint64_t *bins = pool_new(p, cap * sizeof *bins);

	if (q->kept.bins != NULL)
		memcpy(bins, q->kept.bins, q->used * sizeof *bins);
	free_kept(p, q);
	q->kept.bins = bins;
	q->cap = cap;
}

void
quantile_sketch_fini(struct pool *p, struct quantile_sketch *q)
{
	free_kept(p, q);
	*q = (struct quantile_sketch){ 0 };
}

static int32_t
bin_in(uint64_t entry)
{
	return (int32_t)(entry >> COUNT_BITS) - MIDDLE;
}

static uint64_t
entry_of(int32_t bin, uint64_t count)
{
	return (uint64_t)(bin + MIDDLE) << COUNT_BITS | count;
}

/*
 * The place of the first entry that is not before the bin.  Bins are whole
 * numbers, so one cannot be further from either end than its number is; where
 * most bins are in use, this leaves little to search.
 */
static size_t
find_bin(const struct quantile_sketch *q, int32_t bin)
{
	const uint64_t *bins = q->kept.bins, first = entry_of(bin, 0);
	int64_t from, end;
	size_t at, n;

	if (q->used == 0 || first <= bins[0])
		return 0;
	if (first > bins[q->used - 1])
		return q->used;
	from = (int64_t)q->used - 1 - (bin_in(bins[q->used - 1]) - bin);
	end = bin - bin_in(bins[0]) + 1;
	at = from > 0 ? (size_t)from : 0;
	n = (end < (int64_t)q->used ? (size_t)end : q->used) - at;
	while (n > 1) {
		size_t half = n / 2;

		/* Without a branch, which would be hard to predict. */
		at += bins[at + half - 1] < first ? half : 0;
		n -= half;
	}
	return at;
}

/* Have room for one more bin. */
static void
make_bin_room(struct pool *p, struct quantile_sketch *q)
{
	if (q->used == q->cap)
		make_room(p, q, q->cap == 0 ? FEW_BINS : 2 * q->cap);
}

static void
count_in_bin(struct pool *p, struct quantile_sketch *q, double v)
{
	int32_t bin = quantile_bin_of(v);
	uint64_t first = entry_of(bin, 0);
	uint64_t *bins = q->kept.bins;
	size_t at = find_bin(q, bin);

	if (at < q->used && bins[at] - first <= COUNT_MAX) {
		assert(bins[at] - first < COUNT_MAX);
		bins[at]++;
		return;
	}
	make_bin_room(p, q);
	bins = q->kept.bins;
	memmove(bins + at + 1, bins + at, (q->used - at) * sizeof *bins);
	bins[at] = first + 1;
	q->used++;
}

/* Count the numbers that are kept in bins from here on. */
static void
end_exactness(struct pool *p, struct quantile_sketch *q)
{
	struct quantile_sketch exact = *q;

	q->kept.bins = NULL;
	q->used = q->cap = 0;
	for (size_t i = 0; i < exact.used; i++)
		count_in_bin(p, q, numbers_of(&exact)[i]);
	free_kept(p, &exact);
}

static void
note_range(struct quantile_sketch *q, double least, double most)
{
	if (q->n == 0 || least < q->range[LEAST])
		q->range[LEAST] = least;
	if (q->n == 0 || most > q->range[MOST])
		q->range[MOST] = most;
}

/* Keep a third number, or one more, beside the others. */
static void
keep_number(struct pool *p, struct quantile_sketch *q, double v)
{
	if (q->cap == 0) {
		make_room(p, q, 2 * IN_RANGE);
		memcpy(q->kept.numbers, q->range, sizeof q->range);
	} else if (q->used == q->cap) {
		make_room(p, q, 2 * q->cap);
	}
	q->kept.numbers[q->used++] = v;
}

void
quantile_sketch_add(struct pool *p, struct quantile_sketch *q, double v)
{
	v += 0.0; /* -0 is 0 */
	if (q->n == QUANTILE_SKETCH_EXACT)
		end_exactness(p, q);
	if (q->n >= QUANTILE_SKETCH_EXACT)
		count_in_bin(p, q, v);
	else if (q->n >= IN_RANGE)
		keep_number(p, q, v);
	else
		q->used++;
	note_range(q, v, v);
	q->n++;
}

static void
merge_bins(struct pool *p, struct quantile_sketch *q,
    const struct quantile_sketch *other)
{
	const uint64_t *a = q->kept.bins, *b = other->kept.bins;
	const uint64_t *a_end = a + q->used, *b_end = b + other->used;
	size_t cap = q->used + other->used, used = 0;
	uint64_t *merged = pool_new(p, cap * sizeof *merged);

	while (a < a_end || b < b_end) {
		if (b == b_end || (a < a_end && bin_in(*a) < bin_in(*b)))
			merged[used++] = *a++;
		else if (a == a_end || bin_in(*b) < bin_in(*a))
			merged[used++] = *b++;
		else
			merged[used++] = *a++ + (*b++ & COUNT_MAX);
	}
	free_kept(p, q);
	q->kept.bins = merged;
	q->used = used;
	q->cap = cap;
}

/* Make q, which has no numbers, a copy. */
static void
copy(struct pool *p, struct quantile_sketch *q,
    const struct quantile_sketch *other)
{
	*q = *other;
	if (other->kept.bins == NULL)
		return;
	q->kept.bins = pool_new(p, q->cap * sizeof *q->kept.bins);
	memcpy(q->kept.bins, other->kept.bins, q->used * sizeof *q->kept.bins);
}

void
quantile_sketch_merge(struct pool *p, struct quantile_sketch *q,
    const struct quantile_sketch *other)
{
	if (other->n == 0)
		return;
	if (q->n == 0) {
		copy(p, q, other);
		return;
	}
	if (is_exact(other)) {
		for (size_t i = 0; i < other->used; i++)
			quantile_sketch_add(p, q, numbers_of(other)[i]);
		return;
	}
	if (is_exact(q))
		end_exactness(p, q);
	note_range(q, other->range[LEAST], other->range[MOST]);
	q->n += other->n;
	merge_bins(p, q, other);
}

/*
 * The number that is at that place when they are sorted.
 *
 * Source: Hoare, Algorithm 65: FIND, 1961.
 */
static double
find(double *numbers, ptrdiff_t n, ptrdiff_t place)
{
	ptrdiff_t from = 0, to = n - 1, i, j;

	while (from < to) {
		double middle = numbers[place], more;

		for (i = from, j = to; i <= j;) {
			while (numbers[i] < middle)
				i++;
			while (numbers[j] > middle)
				j--;
			if (i > j)
				break;
			more = numbers[i];
			numbers[i++] = numbers[j];
			numbers[j--] = more;
		}
		if (j < place)
			from = i;
		if (place < i)
			to = j;
	}
	return numbers[place];
}

static double
exact_get(const struct quantile_sketch *q, uint64_t rank)
{
	double numbers[QUANTILE_SKETCH_EXACT];

	/* Of few numbers most quantiles are an end. */
	if (rank == 1 || rank == q->n)
		return q->range[rank == 1 ? LEAST : MOST];
	memcpy(numbers, q->kept.numbers, q->used * sizeof *numbers);
	return find(numbers, (ptrdiff_t)q->used, (ptrdiff_t)rank - 1);
}

double
quantile_sketch_get(const struct quantile_sketch *q, uint64_t rank)
{
	char text[32];
	double v;
	size_t i = 0;

	assert(rank >= 1 && rank <= q->n);
	if (is_exact(q))
		return exact_get(q, rank);
	while (rank > (q->kept.bins[i] & COUNT_MAX))
		rank -= q->kept.bins[i++] & COUNT_MAX;
	snprintf(text, sizeof text, "%.3e",
	    quantile_bin_middle(bin_in(q->kept.bins[i])));
	v = strtod(text, NULL);
	return fmin(fmax(v, q->range[LEAST]), q->range[MOST]);
}

void
quantile_sketch_pack(const struct quantile_sketch *q, struct buffer *b)
{
	int32_t before = -MIDDLE;

	pack_int(b, (int64_t)q->n);
	if (is_exact(q)) {
		for (size_t i = 0; i < q->used; i++)
			pack_double(b, numbers_of(q)[i]);
		return;
	}
	pack_double(b, q->range[LEAST]);
	pack_double(b, q->range[MOST]);
	pack_int(b, (int64_t)q->used);
	for (size_t i = 0; i < q->used; i++) {
		pack_int(b, bin_in(q->kept.bins[i]) - before);
		pack_int(b, (int64_t)(q->kept.bins[i] & COUNT_MAX));
		before = bin_in(q->kept.bins[i]);
	}
}

/* The bins of n numbers; the first and the last are those of the extremes. */
static void
unpack_bins(struct pool *p, struct quantile_sketch *q, int64_t n,
    struct unpacker *u)
{
	int64_t used, bin = -MIDDLE;

	q->n = (uint64_t)n;
	q->range[LEAST] = unpack_double(u);
	q->range[MOST] = unpack_double(u);
	used = unpack_int(u, 1, 2 * MIDDLE);
	for (int64_t i = 0; i < used && !u->bad; i++) {
		int64_t most = n < (int64_t)COUNT_MAX ? n : (int64_t)COUNT_MAX;
		int64_t count;

		bin += unpack_int(u, 1, MIDDLE - 1 - bin);
		count = unpack_int(u, 1, most);
		n -= count;
		make_bin_room(p, q);
		q->kept.bins[q->used++] =
		    entry_of((int32_t)bin, (uint64_t)count);
	}
	if (u->bad || n != 0 || !isfinite(q->range[LEAST]) ||
	    !isfinite(q->range[MOST]) ||
	    quantile_bin_of(q->range[LEAST]) != bin_in(q->kept.bins[0]) ||
	    quantile_bin_of(q->range[MOST]) != bin ||
	    q->range[LEAST] > q->range[MOST])
		u->bad = true;
}

void
quantile_sketch_unpack(struct pool *p, struct quantile_sketch *q,
    struct unpacker *u)
{
	int64_t n = unpack_int(u, 0, PACKED_MOST);

	if (n > QUANTILE_SKETCH_EXACT) {
		unpack_bins(p, q, n, u);
		return;
	}
	for (; n > 0 && !u->bad; n--) {
		double v = unpack_double(u);

		if (!isfinite(v))
			u->bad = true;
		else if (!u->bad)
			quantile_sketch_add(p, q, v);
	}
}
