/*
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "window/quantile_bins.h"

/* Bins and octaves that there is room for at first. */
enum { FEW_BINS = 16, FEW_OCTAVES = 2 };

enum { PER_WORD = 64 };

void
quantile_bins_fini(struct pool *p, struct quantile_bins *b)
{
	if (b->octaves != NULL)
		pool_free(p, b->octaves, b->octaves_cap * sizeof *b->octaves);
	if (b->counts != NULL)
		pool_free(p, b->counts, b->cap * sizeof *b->counts);
	*b = (struct quantile_bins){ 0 };
}

/* How many bits are set.  Not by the instruction, which not all have. */
static inline uint32_t
count_bits(uint64_t x)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	x -= x >> 1 & ones * 0x55;
	x = (x & ones * 0x33) + (x >> 2 & ones * 0x33);
	x = (x + (x >> 4)) & ones * 0x0f;
	return (uint32_t)(x * ones >> 56);
}

/* An array of so many things, of which n come from another one. */
static void *
move(struct pool *p, void *old, size_t old_cap, size_t n, size_t cap,
    size_t size)
{
	void *array = pool_new(p, cap * size);

	if (old != NULL) {
		memcpy(array, old, n * size);
		pool_free(p, old, old_cap * size);
	}
	return array;
}

/*
 * The place of the first octave that is not before the one wanted.  It cannot be
 * further from the last one than its number is, and mostly is as far, since
 * the octaves between two that have numbers have some too.
 */
static inline uint32_t
find_octave(const struct quantile_bins *b, uint32_t octave)
{
	const struct quantile_octave *o = b->octaves;
	uint32_t n = b->noctaves, at = 0, most;

	if (n == 0 || octave > o[n - 1].octave)
		return n;
	most = o[n - 1].octave - octave;
	if (most < n)
		at = n - 1 - most;
	for (n -= at; n > 1 && o[at].octave < octave;) {
		uint32_t half = n / 2;

		at += o[at + half - 1].octave < octave ? half : 0;
		n -= half;
	}
	return at;
}

static void
insert_octave(struct pool *p, struct quantile_bins *b, uint32_t at,
    uint32_t octave)
{
	struct quantile_octave *o;
	uint32_t cap = b->octaves_cap;

	if (b->noctaves == cap) {
		b->octaves_cap = cap == 0 ? FEW_OCTAVES : 2 * cap;
		b->octaves = move(p, b->octaves, cap, cap, b->octaves_cap,
		    sizeof *b->octaves);
	}
	o = &b->octaves[at];
	memmove(o + 1, o, (b->noctaves - at) * sizeof *o);
	*o = (struct quantile_octave){
		.octave = octave,
		.first = at == b->noctaves ? b->n : o[1].first,
	};
	b->noctaves++;
}

/* Have a count of 0 at a place, for a bin of an octave. */
static void
insert_count(struct pool *p, struct quantile_bins *b,
    struct quantile_octave *octave, uint32_t place)
{
	struct quantile_octave *end = b->octaves + b->noctaves;
	uint32_t cap = b->cap;

	if (b->n == cap) {
		b->cap = cap == 0 ? FEW_BINS : 2 * cap;
		b->counts =
		    move(p, b->counts, cap, cap, b->cap, sizeof *b->counts);
	}
	memmove(b->counts + place + 1, b->counts + place,
	    (b->n - place) * sizeof *b->counts);
	b->counts[place] = 0;
	b->n++;
	for (struct quantile_octave *o = octave + 1; o < end; o++)
		o->first++;
}

void
quantile_bins_add(struct pool *p, struct quantile_bins *b, int32_t bin,
    uint64_t n)
{
	uint32_t index = (uint32_t)(bin - QUANTILE_BINS_LOWEST);
	uint32_t octave = index / PER_WORD;
	uint64_t bit = (uint64_t)1 << index % PER_WORD;
	uint32_t at = find_octave(b, octave), place;
	struct quantile_octave *o;

	if (at == b->noctaves || b->octaves[at].octave != octave)
		insert_octave(p, b, at, octave);
	o = &b->octaves[at];
	place = o->first + count_bits(o->has & (bit - 1));
	if ((o->has & bit) == 0) {
		o->has |= bit;
		insert_count(p, b, o, place);
	}
	b->counts[place] += n;
}

/* Add the counts of an octave to one that has all of its bins. */
static void
add_counts(uint64_t *to, uint64_t to_has, const uint64_t *from, uint64_t has)
{
	if (has == to_has) {
		for (; has != 0; has &= has - 1)
			*to++ += *from++;
		return;
	}
	/* Without a branch, as which bins both have cannot be foretold. */
	for (; has != 0; to_has &= to_has - 1, to++) {
		uint64_t lowest = to_has & (0 - to_has);
		uint64_t both = (has & lowest) != 0;

		*to += *from & (0 - both);
		from += both;
		has &= ~lowest;
	}
}

/* The octave at a place, or NULL behind the last one. */
static const struct quantile_octave *
octave_at(const struct quantile_bins *b, uint32_t place)
{
	return place < b->noctaves ? &b->octaves[place] : NULL;
}

/* All octaves and bins of both, with counts of 0. */
static struct quantile_bins
unite(struct pool *p, const struct quantile_bins *a,
    const struct quantile_bins *b)
{
	struct quantile_bins all = { .octaves_cap = a->noctaves + b->noctaves,
		.cap = a->n + b->n };
	uint32_t i = 0, k = 0;

	all.octaves = pool_new(p, all.octaves_cap * sizeof *all.octaves);
	all.counts = pool_new(p, all.cap * sizeof *all.counts);
	while (i < a->noctaves || k < b->noctaves) {
		const struct quantile_octave *x = octave_at(a, i);
		const struct quantile_octave *y = octave_at(b, k);
		struct quantile_octave *o = &all.octaves[all.noctaves++];
		bool has_x = x != NULL && (y == NULL || x->octave <= y->octave);
		bool has_y = y != NULL && (x == NULL || y->octave <= x->octave);

		*o = (struct quantile_octave){
			.has = (has_x ? x->has : 0) | (has_y ? y->has : 0),
			.octave = has_x ? x->octave : y->octave,
			.first = all.n,
		};
		all.n += count_bits(o->has);
		i += has_x;
		k += has_y;
	}
	memset(all.counts, 0, all.n * sizeof *all.counts);
	return all;
}

/* Tell whether b has all bins that other has. */
static bool
has_all(const struct quantile_bins *b, const struct quantile_bins *other)
{
	for (uint32_t i = 0, at = 0; i < other->noctaves; i++) {
		const struct quantile_octave *o = &other->octaves[i];

		while (at < b->noctaves && b->octaves[at].octave < o->octave)
			at++;
		if (at == b->noctaves || b->octaves[at].octave != o->octave ||
		    (o->has & ~b->octaves[at].has) != 0)
			return false;
	}
	return true;
}

/* The same as _merge, where b has all bins that other has. */
static void
add_all(struct quantile_bins *b, const struct quantile_bins *other)
{
	const struct quantile_octave *to = b->octaves;

	for (uint32_t i = 0; i < other->noctaves; i++) {
		const struct quantile_octave *from = &other->octaves[i];

		while (to->octave != from->octave)
			to++;
		add_counts(b->counts + to->first, to->has,
		    other->counts + from->first, from->has);
	}
}

/* Make b, which has no numbers, a copy. */
static void
copy(struct pool *p, struct quantile_bins *b, const struct quantile_bins *other)
{
	*b = *other;
	b->octaves_cap = b->noctaves;
	b->cap = b->n;
	b->octaves = pool_new(p, b->octaves_cap * sizeof *b->octaves);
	b->counts = pool_new(p, b->cap * sizeof *b->counts);
	memcpy(b->octaves, other->octaves, b->noctaves * sizeof *b->octaves);
	memcpy(b->counts, other->counts, b->n * sizeof *b->counts);
}

void
quantile_bins_merge(struct pool *p, struct quantile_bins *b,
    const struct quantile_bins *other)
{
	struct quantile_bins all;

	if (b->n == 0 && other->n != 0) {
		copy(p, b, other);
		return;
	}
	if (!has_all(b, other)) {
		all = unite(p, b, other);
		add_all(&all, b);
		quantile_bins_fini(p, b);
		*b = all;
	}
	add_all(b, other);
}

int32_t
quantile_bins_at(const struct quantile_bins *b, uint32_t place)
{
	const struct quantile_octave *o = &b->octaves[b->noctaves - 1];
	uint64_t has;

	while (o->first > place)
		o--;
	has = o->has;
	for (uint32_t n = place - o->first; n > 0; n--)
		has &= has - 1;
	return (int32_t)(o->octave * PER_WORD) + __builtin_ctzll(has) +
	    QUANTILE_BINS_LOWEST;
}
