/*
 * panes - random tuples, late ones too, in windows of all lengths: each window
 * is what its tuples are when they are taken by themselves.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "padded.h"
#include "window/panes.h"

enum { SEEDS = 60, STEPS = 300, MOST = 4 * STEPS };

static struct scanned scanned;
static struct aggregates a;

static struct {
	int64_t slot;
	uint64_t x;
} tuples[MOST];

/* The order of arrival is that of the calls, so first and last stay out. */
static void
take(uint64_t x)
{
	struct buffer line = { 0 };

	buffer_put(&line, SPAN("{\"x\":"));
	buffer_int(&line, (int64_t)x);
	buffer_byte(&line, '}');
	CHECK(scanned_line(&scanned, buffer_span(&line)) == 0);
	CHECK(aggregates_check(&a, &scanned.tuple, NULL) == 0);
	buffer_fini(&line);
}

static void
check_window(const void *got, size_t n, int64_t from, int64_t below)
{
	void *want = memory_new(1, a.size);
	struct buffer b = { 0 }, c = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (tuples[i].slot < from || tuples[i].slot >= below)
			continue;
		take(tuples[i].x);
		aggregates_reduce(&a, want);
	}
	aggregates_put(&a, &b, got);
	aggregates_put(&a, &c, want);
	buffer_byte(&b, '\0');
	buffer_byte(&c, '\0');
	CHECK_STR(b.p, c.p);
	aggregates_drop(&a, want);
	free(want);
	buffer_fini(&b);
	buffer_fini(&c);
}

static void
slide(uint64_t seed)
{
	struct random r = { seed };
	struct panes *p = memory_new(1, panes_bytes(&a));
	int64_t length = 1 + (int64_t)random_below(&r, 100), below = 0;
	int64_t late = 1 + (int64_t)random_below(&r, (uint64_t)length);
	void *scratch = memory_new(1, a.size);
	size_t n = 0;

	for (int step = 0; step < STEPS; step++) {
		uint64_t more = random_below(&r, 5);

		while (more-- > 0 && n < MOST) {
			/* Of a window to come, in the slots or ahead. */
			tuples[n].slot = below + 1 -
			    (int64_t)random_below(&r, (uint64_t)late) +
			    (random_below(&r, 8) == 0);
			tuples[n].x = random_below(&r, 1000);
			take(tuples[n].x);
			panes_add(p, &a, tuples[n++].slot);
		}
		below += 1 +
		    (random_below(&r, 20) == 0 ? (int64_t)random_below(&r, 30) :
						 0);
		check_window(panes_window(p, &a, below - length, below,
				 scratch),
		    n, below - length, below);
		aggregates_drop(&a, scratch);
		/* Sooner than the next window would, or not. */
		if (random_below(&r, 2) == 0)
			panes_leave(p, &a, below + 1 - length);
	}
	panes_fini(p, &a);
	free(p);
	free(scratch);
}

int
main(void)
{
	struct projection *p = &scanned.projection;
	struct span list = SPAN("count,sum:x,min:x,max:x,distinct:x,p50:x");

	projection_init(p);
	CHECK_STR(aggregates_add(&a, p, &list), NULL);
	projection_compile(p);
	scanned.slots = memory_new((size_t)p->nslots, sizeof *scanned.slots);
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		slide(seed);
	aggregates_fini(&a);
	scanned_fini(&scanned);
	return check_done("panes");
}
