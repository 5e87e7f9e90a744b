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

enum { LEAST, MOST, IN_RANGE };

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

/* Let go of the numbers of a sketch that is exact. */
static void
free_numbers(struct pool *p, struct quantile_sketch *q)
{
	if (q->cap != 0)
		pool_free(p, q->kept.numbers, q->cap * sizeof(double));
}

void
quantile_sketch_fini(struct pool *p, struct quantile_sketch *q)
{
	if (is_exact(q)) {
		free_numbers(p, q);
	} else {
		quantile_bins_fini(p, q->kept.bins);
		pool_free(p, q->kept.bins, sizeof *q->kept.bins);
	}
	*q = (struct quantile_sketch){ 0 };
}

static struct quantile_bins *
new_bins(struct pool *p)
{
	struct quantile_bins *bins = pool_new(p, sizeof *bins);

	*bins = (struct quantile_bins){ 0 };
	return bins;
}

/* The bins for the numbers of a sketch that is exact. */
static struct quantile_bins *
bins_of(struct pool *p, const struct quantile_sketch *q)
{
	struct quantile_bins *bins = new_bins(p);

	for (size_t i = 0; i < q->n; i++)
		quantile_bins_add(p, bins, quantile_bin_of(numbers_of(q)[i]),
		    1);
	return bins;
}

/* Count the numbers that are kept in bins from here on. */
static void
end_exactness(struct pool *p, struct quantile_sketch *q)
{
	struct quantile_bins *bins = bins_of(p, q);

	free_numbers(p, q);
	q->cap = 0;
	q->kept.bins = bins;
}

static void
note_range(struct quantile_sketch *q, double least, double most)
{
	if (q->n == 0 || least < q->range[LEAST])
		q->range[LEAST] = least;
	if (q->n == 0 || most > q->range[MOST])
		q->range[MOST] = most;
}

/* Have room for cap numbers; those that are kept move there. */
static void
make_room(struct pool *p, struct quantile_sketch *q, size_t cap)
{
	double *numbers = pool_new(p, cap * sizeof *numbers);

	memcpy(numbers, numbers_of(q), q->n * sizeof *numbers);
	free_numbers(p, q);
	q->kept.numbers = numbers;
	q->cap = cap;
}

/* Keep a third number, or one more, beside the others. */
static void
keep_number(struct pool *p, struct quantile_sketch *q, double v)
{
	if (q->n >= q->cap)
		make_room(p, q, q->cap == 0 ? 2 * IN_RANGE : 2 * q->cap);
	q->kept.numbers[q->n] = v;
}

void
quantile_sketch_add(struct pool *p, struct quantile_sketch *q, double v)
{
	v += 0.0; /* -0 is 0 */
	if (q->n == QUANTILE_SKETCH_EXACT)
		end_exactness(p, q);
	if (q->n >= QUANTILE_SKETCH_EXACT)
		quantile_bins_add(p, q->kept.bins, quantile_bin_of(v), 1);
	else if (q->n >= IN_RANGE)
		keep_number(p, q, v);
	note_range(q, v, v);
	q->n++;
}

/* Make q, which has no numbers, a copy. */
static void
copy(struct pool *p, struct quantile_sketch *q,
    const struct quantile_sketch *other)
{
	*q = *other;
	if (!is_exact(other)) {
		q->kept.bins = new_bins(p);
		quantile_bins_merge(p, q->kept.bins, other->kept.bins);
	} else if (other->cap != 0) {
		q->cap = 0;
		make_room(p, q, other->cap);
	}
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
		for (size_t i = 0; i < other->n; i++)
			quantile_sketch_add(p, q, numbers_of(other)[i]);
		return;
	}
	if (is_exact(q))
		end_exactness(p, q);
	note_range(q, other->range[LEAST], other->range[MOST]);
	q->n += other->n;
	quantile_bins_merge(p, q->kept.bins, other->kept.bins);
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
	memcpy(numbers, q->kept.numbers, q->n * sizeof *numbers);
	return find(numbers, (ptrdiff_t)q->n, (ptrdiff_t)rank - 1);
}

/*
 * The place of the bin that has the number of that rank among n.  It is looked
 * for from the nearer end, as the quantiles asked for are mostly near one.
 */
static uint32_t
find_bin(const struct quantile_bins *bins, uint64_t n, uint64_t rank)
{
	uint64_t above = n - rank;
	uint32_t place = 0;

	if (rank <= above) {
		while (rank > bins->counts[place])
			rank -= bins->counts[place++];
		return place;
	}
	place = bins->n - 1;
	while (above >= bins->counts[place])
		above -= bins->counts[place--];
	return place;
}

double
quantile_sketch_get(const struct quantile_sketch *q, uint64_t rank)
{
	const struct quantile_bins *bins = q->kept.bins;
	char text[32];
	uint32_t place;
	double v;

	assert(rank >= 1 && rank <= q->n);
	if (is_exact(q))
		return exact_get(q, rank);
	place = find_bin(bins, q->n, rank);
	snprintf(text, sizeof text, "%.3e",
	    quantile_bin_middle(quantile_bins_at(bins, place)));
	v = strtod(text, NULL);
	return fmin(fmax(v, q->range[LEAST]), q->range[MOST]);
}

void
quantile_sketch_pack(const struct quantile_sketch *q, struct buffer *b)
{
	const struct quantile_bins *bins = q->kept.bins;
	/* Each bin is packed as how far it is from the one before. */
	int32_t bin, before = QUANTILE_BINS_LOWEST;

	pack_int(b, (int64_t)q->n);
	if (is_exact(q)) {
		for (size_t i = 0; i < q->n; i++)
			pack_double(b, numbers_of(q)[i]);
		return;
	}
	pack_double(b, q->range[LEAST]);
	pack_double(b, q->range[MOST]);
	pack_int(b, bins->n);
	for (uint32_t i = 0; i < bins->n; i++, before = bin) {
		bin = quantile_bins_at(bins, i);
		pack_int(b, bin - before);
		pack_int(b, (int64_t)bins->counts[i]);
	}
}

/* The bins of n numbers; the first and the last are those of the extremes. */
static void
unpack_bins(struct pool *p, struct quantile_sketch *q, int64_t n,
    struct unpacker *u)
{
	struct quantile_bins *bins = new_bins(p);
	int64_t used, bin = QUANTILE_BINS_LOWEST;

	q->n = (uint64_t)n;
	q->kept.bins = bins;
	q->range[LEAST] = unpack_double(u);
	q->range[MOST] = unpack_double(u);
	used = unpack_int(u, 1, -2 * QUANTILE_BINS_LOWEST);
	for (int64_t i = 0; i < used && !u->bad; i++) {
		int64_t count;

		bin += unpack_int(u, 1, -QUANTILE_BINS_LOWEST - 1 - bin);
		count = unpack_int(u, 1, n);
		n -= count;
		quantile_bins_add(p, bins, (int32_t)bin, (uint64_t)count);
	}
	if (u->bad || n != 0 || !isfinite(q->range[LEAST]) ||
	    !isfinite(q->range[MOST]) ||
	    quantile_bin_of(q->range[LEAST]) != quantile_bins_at(bins, 0) ||
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
