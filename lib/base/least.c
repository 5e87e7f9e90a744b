/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/least.h"
#include "base/memory.h"

void
least_init(struct least *l, size_t n)
{
	l->leaves = 1;
	while (l->leaves < n)
		l->leaves *= 2;
	l->times = memory_new(2 * l->leaves, sizeof *l->times);
	for (size_t i = 0; i < 2 * l->leaves; i++)
		l->times[i] = INT64_MAX;
}

void
least_fini(struct least *l)
{
	free(l->times);
	*l = (struct least){ 0 };
}

void
least_set(struct least *l, size_t place, int64_t time)
{
	size_t i = l->leaves + place;

	/* What does not change changes nothing above it. */
	while (l->times[i] != time) {
		l->times[i] = time;
		if (i == 1)
			return;
		if (l->times[i ^ 1] < time)
			time = l->times[i ^ 1];
		i /= 2;
	}
}

size_t
least_place(const struct least *l)
{
	size_t i = 1;

	while (i < l->leaves)
		i = 2 * i + (l->times[2 * i] != l->times[i]);
	return i - l->leaves;
}

int64_t
least_time_before(const struct least *l, size_t place)
{
	int64_t least = INT64_MAX, time;

	for (size_t i = l->leaves + place; i > 1; i /= 2) {
		time = l->times[i ^ 1];
		/* That of a later place comes before only if it is less. */
		time += i % 2 == 0 && time != INT64_MAX;
		least = time < least ? time : least;
	}
	return least;
}
