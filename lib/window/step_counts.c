/*
 * SPDX-License-Identifier: ISC
 */
#include "window/step_counts.h"
#include "base/digits.h"
#include "base/packed.h"

void
step_counts_fini(struct step_counts *s)
{
	free(s->changes);
	s->changes = NULL;
}

static int64_t *
changes_of(struct step_counts *s, int64_t n)
{
	if (s->changes == NULL)
		s->changes = memory_new((size_t)n, sizeof *s->changes);
	return s->changes;
}

void
step_counts_add(struct step_counts *s, int64_t n, int64_t first, int64_t last)
{
	int64_t *changes = changes_of(s, n);

	changes[first]++;
	if (last + 1 < n)
		changes[last + 1]--;
}

void
step_counts_put(const struct step_counts *s, int64_t n, struct buffer *b)
{
	int64_t count = 0;

	buffer_byte(b, '[');
	for (int64_t i = 0; i < n; i++) {
		if (i != 0)
			buffer_byte(b, ',');
		if (s->changes != NULL)
			count += s->changes[i];
		buffer_int(b, count);
	}
	buffer_byte(b, ']');
}

bool
step_counts_add_text(struct step_counts *s, int64_t n, struct span text)
{
	int64_t *changes = changes_of(s, n), before = 0;
	const char *p = text.p, *end = text.p + text.n;

	for (int64_t i = 0; i < n; i++) {
		int64_t v = 0;

		if (p == end || *p++ != (i == 0 ? '[' : ','))
			return false;
		if (p == end || !digits_is(*p))
			return false;
		for (; p < end && digits_is(*p); p++) {
			if (v > PACKED_MOST / 10)
				return false;
			v = v * 10 + (*p - '0');
		}
		changes[i] += v - before;
		before = v;
	}
	return end - p == 1 && *p == ']';
}
