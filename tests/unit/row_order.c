/*
 * row_order - random rows, whose numbers or bytes are alike or not, against
 * qsort(3).
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "state/row_order.h"

enum { ROWS = 300, ROUNDS = 500 };

static struct random rng = { 7 };
static char texts[ROWS][40];

static int
naive(const void *a, const void *b)
{
	const struct row_place *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return span_cmp(x->bytes, y->bytes);
}

/* Numbers are all the same, few, or any; so are texts, which begin alike. */
static void
compare(struct row_order *o, uint32_t numbers, uint32_t letters, size_t begin,
    size_t n)
{
	static struct row_place want[ROWS];
	bool seen[ROWS] = { false };

	o->n = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t number = numbers == 0 ?
		    (int64_t)random_next(&rng) :
		    (int64_t)random_below(&rng, numbers) - 2;
		size_t len = begin + random_below(&rng, 20);

		memset(texts[i], 'a', sizeof texts[i]);
		for (size_t k = begin; k < len; k++)
			texts[i][k] = (char)(255 - random_below(&rng, letters));
		want[i] = (struct row_place){ number, { texts[i], len }, 0,
			(uint32_t)i };
		row_order_add(o, number, want[i].bytes, (uint32_t)i);
	}
	qsort(want, n, sizeof *want, naive);
	row_order_sort(o);
	CHECK_EQ(o->n, n);
	for (size_t i = 0; i < n; i++) {
		const struct row_place *p = &o->places[i];

		CHECK_EQ(naive(p, &want[i]), 0);
		CHECK(p->bytes.p == texts[p->id] && !seen[p->id]);
		seen[p->id] = true;
	}
}

int
main(void)
{
	static const uint32_t numbers[] = { 1, 3, 1000, 0 };
	static const uint32_t letters[] = { 1, 2, 250 };
	struct row_order o = { 0 };

	row_order_sort(&o);
	for (size_t i = 0; i < ROUNDS; i++)
		compare(&o, numbers[random_below(&rng, 4)],
		    letters[random_below(&rng, 3)], random_below(&rng, 20),
		    random_below(&rng, ROWS + 1));
	row_order_fini(&o);
	return check_done("row_order");
}
