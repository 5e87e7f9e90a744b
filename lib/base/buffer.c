/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "base/buffer.h"

/* How many digits u has, at least one. */
static size_t
count_digits(uint64_t u)
{
	size_t n = 1;

	for (; u >= 10000; u /= 10000)
		n += 4;
	return n + (u >= 10) + (u >= 100) + (u >= 1000);
}

void
buffer_int(struct buffer *b, int64_t v)
{
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	size_t n = (v < 0) + count_digits(u);
	char *start = buffer_room(b, n), *p = start + n;

	do
		*--p = (char)('0' + u % 10);
	while ((u /= 10) != 0);
	if (v < 0)
		*start = '-';
	b->n += n;
}

void
buffer_seconds(struct buffer *b, int64_t ms)
{
	int rest = (int)(ms % 1000);
	char text[8];
	size_t n = 4;

	buffer_int(b, ms / 1000);
	if (rest == 0)
		return;
	snprintf(text, sizeof text, ".%03d", rest);
	while (text[n - 1] == '0')
		n--;
	buffer_put(b, (struct span){ text, n });
}
