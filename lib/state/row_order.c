/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/word.h"
#include "state/row_order.h"

void
row_order_add(struct row_order *o, int64_t number, struct span bytes,
    uint32_t id)
{
	o->places =
	    memory_grow(o->places, &o->cap, o->n + 1, sizeof *o->places);
	o->places[o->n++] = (struct row_place){ number, bytes, 0, id };
}

static void
set_words(struct row_order *o)
{
	struct row_place *p = o->places;
	size_t same = p->bytes.n;

	for (size_t i = 1; i < o->n; i++)
		same = span_same(p[i].bytes, p->bytes, same);
	for (size_t i = 0; i < o->n; i++)
		if (p[i].bytes.n > same)
			p[i].word =
			    __builtin_bswap64(word_load_first(p[i].bytes.p +
				    same,
				p[i].bytes.n - same));
}

/* Numbers in the order of unsigned ones. */
static uint64_t
number_word(const struct row_place *p)
{
	return (uint64_t)p->number ^ UINT64_C(1) << 63;
}

static uint64_t
bytes_word(const struct row_place *p)
{
	return p->word;
}

typedef uint64_t word_fn(const struct row_place *p);

/* Copy places in the order of one byte of a word. */
static inline void
sort_by_byte(const struct row_place *from, size_t n, struct row_place *to,
    word_fn *word, unsigned shift)
{
	size_t before[257] = { 0 };

	for (size_t i = 0; i < n; i++)
		before[(word(&from[i]) >> shift & 255) + 1]++;
	for (size_t byte = 1; byte < 256; byte++)
		before[byte] += before[byte - 1];
	for (size_t i = 0; i < n; i++)
		to[before[word(&from[i]) >> shift & 255]++] = from[i];
}

/* Each byte leaves those in order that only lower ones tell apart. */
static inline void
sort_by_word(struct row_order *o, struct row_place **other, word_fn *word)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < o->n; i++)
		differ |= word(&o->places[i]) ^ word(o->places);
	for (unsigned shift = 0; shift < 64; shift += 8) {
		struct row_place *sorted = *other;

		if ((differ >> shift & 255) == 0)
			continue;
		sort_by_byte(o->places, o->n, sorted, word, shift);
		*other = o->places;
		o->places = sorted;
	}
}

static int
by_bytes(const void *a, const void *b)
{
	const struct row_place *x = a, *y = b;

	return span_cmp(x->bytes, y->bytes);
}

/* By words first: qsort(3) alone took a fourth of a commit of tally. */
void
row_order_sort(struct row_order *o)
{
	struct row_place *other;

	if (o->n < 2)
		return;
	other = memory_new(o->cap, sizeof *other); /* may become places */
	set_words(o);
	sort_by_word(o, &other, bytes_word);
	sort_by_word(o, &other, number_word);
	free(other);
	for (size_t i = 0, end; i < o->n; i = end) {
		const struct row_place *p = o->places;

		for (end = i + 1; end < o->n && p[end].word == p[i].word &&
		     p[end].number == p[i].number;)
			end++;
		if (end - i > 1)
			qsort(o->places + i, end - i, sizeof *p, by_bytes);
	}
}

void
row_order_fini(struct row_order *o)
{
	free(o->places);
	*o = (struct row_order){ 0 };
}
