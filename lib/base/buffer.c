/*
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <math.h>
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
buffer_double(struct buffer *b, double v)
{
	char text[40];
	int n = 0;

	if (isnan(v))
		v = 0;
	if (isinf(v))
		v = copysign(DBL_MAX, v);
	/* Up to 15 digits always survive, but for subnormal ones. */
	for (int digits = fabs(v) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		n = snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buffer_put(b, (struct span){ text, (size_t)n });
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
