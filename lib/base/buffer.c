/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "base/buffer.h"

void
buffer_int(struct buffer *b, int64_t v)
{
	char text[24];
	char *end = text + sizeof text, *p = end;
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do
		*--p = (char)('0' + u % 10);
	while ((u /= 10) != 0);
	if (v < 0)
		*--p = '-';
	buffer_put(b, (struct span){ p, (size_t)(end - p) });
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
