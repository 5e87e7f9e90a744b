/*
 * step_counts - random intervals against an array, and there and back as text.
 *
 * SPDX-License-Identifier: ISC
 */
#include "window/step_counts.h"
#include "base/random.h"
#include "check.h"

enum { STEPS = 61, INTERVALS = 1000 };

static void
random_intervals(void)
{
	struct random r = { 1 };
	struct step_counts s = { 0 }, twice = { 0 };
	struct buffer text = { 0 }, want = { 0 }, want_twice = { 0 };
	int64_t counts[STEPS] = { 0 };

	for (int k = 0; k < INTERVALS; k++) {
		int64_t first = (int64_t)random_below(&r, STEPS);
		int64_t last = first +
		    (int64_t)random_below(&r, (uint64_t)(STEPS - first));

		step_counts_add(&s, STEPS, first, last);
		for (int64_t i = first; i <= last; i++)
			counts[i]++;
	}
	step_counts_put(&s, STEPS, &text);
	CHECK(step_counts_add_text(&twice, STEPS, buffer_span(&text)));
	CHECK(step_counts_add_text(&twice, STEPS, buffer_span(&text)));
	for (int i = 0; i < STEPS; i++) {
		buffer_byte(&want, i == 0 ? '[' : ',');
		buffer_int(&want, counts[i]);
		buffer_byte(&want_twice, i == 0 ? '[' : ',');
		buffer_int(&want_twice, 2 * counts[i]);
	}
	buffer_byte(&want, ']');
	buffer_byte(&want_twice, ']');
	CHECK(span_eq(buffer_span(&text), buffer_span(&want)));
	text.n = 0;
	step_counts_put(&twice, STEPS, &text);
	CHECK(span_eq(buffer_span(&text), buffer_span(&want_twice)));
	step_counts_fini(&s);
	step_counts_fini(&twice);
	buffer_fini(&text);
	buffer_fini(&want);
	buffer_fini(&want_twice);
}

/* What has counted nothing is all zeros. */
static void
by_hand(void)
{
	struct step_counts s = { 0 };
	struct buffer text = { 0 };

	step_counts_put(&s, 3, &text);
	CHECK(span_eq(buffer_span(&text), SPAN("[0,0,0]")));
	CHECK(step_counts_add_text(&s, 3, SPAN("[1,20,300]")));
	text.n = 0;
	step_counts_put(&s, 3, &text);
	CHECK(span_eq(buffer_span(&text), SPAN("[1,20,300]")));
	step_counts_fini(&s);
	buffer_fini(&text);
}

/* A longer or shorter text was taken for as much as it had. */
static void
no_counts(void)
{
	static const char *const texts[] = { "", "[", "[]", "[1,2]", "[1,2,3",
		"[1,2,3,4]", "[1,2,3]]", "[1,2,]", "[1,,3]", "[1,2 ,3]",
		"[1,-2,3]", "[1,2.0,3]", "(1,2,3)", "[1,2,x]",
		"[1,2,99999999999999999999]", "[9223372036854775807,2,3]" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct step_counts s = { 0 };

		if (!CHECK(!step_counts_add_text(&s, 3, span_of(texts[i]))))
			fprintf(stderr, "\t%s\n", texts[i]);
		step_counts_fini(&s);
	}
}

int
main(void)
{
	random_intervals();
	by_hand();
	no_counts();
	return check_done("step_counts");
}
