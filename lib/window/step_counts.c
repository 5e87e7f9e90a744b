/*
 * SPDX-License-Identifier: ISC
 */
#include "window/step_counts.h"
#include "base/digits.h"

void
step_counts_fini(struct step_counts *s)
{
	free(s->counts);
	s->counts = NULL;
}

static int64_t *
counts_of(struct step_counts *s, int64_t n)
{
	if (s->counts == NULL)
		s->counts = memory_new((size_t)n, sizeof *s->counts);
	return s->counts;
}

void
step_counts_add(struct step_counts *s, int64_t n, int64_t first, int64_t last)
{
	int64_t *counts = counts_of(s, n);

	for (int64_t i = first; i <= last; i++)
		counts[i]++;
}

void
step_counts_put(const struct step_counts *s, int64_t n, struct buffer *b)
{
	buffer_byte(b, '[');
	for (int64_t i = 0; i < n; i++) {
		if (i != 0)
			buffer_byte(b, ',');
		buffer_int(b, s->counts == NULL ? 0 : s->counts[i]);
	}
	buffer_byte(b, ']');
}

void
step_counts_add_text(struct step_counts *s, int64_t n, struct span text)
{
	int64_t *counts = counts_of(s, n);
	int64_t step = 0, v = 0;

	for (size_t i = 1; i < text.n && step < n; i++) {
		if (digits_is(text.p[i])) {
			v = v * 10 + (text.p[i] - '0');
			continue;
		}
		counts[step++] += v;
		v = 0;
	}
}
