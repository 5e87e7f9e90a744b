/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/live_time.h"

/* How exact a window's end is. */
enum { LOOK_MS = 100 };

void
live_time_init(struct live_time *l, int64_t wait_ms, int64_t now_ms)
{
	*l = (struct live_time){ .wait_ms = wait_ms,
		.line_ms = now_ms,
		.tuple_ms = now_ms,
		.looked_ms = now_ms };
}

int64_t
live_time_pass(struct live_time *l, uint64_t lines, uint64_t tuples,
    int64_t now_ms)
{
	int64_t passed, told;

	l->looked_ms = now_ms;
	if (lines != l->lines)
		l->line_ms = now_ms;
	if (tuples != l->tuples) {
		l->tuple_ms = now_ms;
		l->told_ms = 0;
	}
	l->lines = lines;
	l->tuples = tuples;
	if (l->wait_ms == 0 || now_ms - l->line_ms < l->wait_ms)
		return 0;
	passed = now_ms - l->tuple_ms - l->wait_ms;
	told = l->told_ms;
	l->told_ms = passed;
	return passed - told;
}

int64_t
live_time_due(const struct live_time *l)
{
	int64_t first = l->line_ms + l->wait_ms;

	if (l->wait_ms == 0)
		return INT64_MAX;
	return first > l->looked_ms ? first : l->looked_ms + LOOK_MS;
}
