/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "base/buffer.h"
#include "base/digits.h"

static inline char *
put_int(char *p, int64_t v)
{
	*p = '-';
	return v < 0 ? digits_put(p + 1, 0 - (uint64_t)v) :
		       digits_put(p, (uint64_t)v);
}

void
buffer_int(struct buffer *b, int64_t v)
{
	char *p = buffer_room(b, 1 + DIGITS_ROOM);

	b->n = (size_t)(put_int(p, v) - b->p);
}

void
buffer_int_after(struct buffer *b, struct span lead, int64_t v)
{
	char *p = buffer_room(b, lead.n + SPAN_PAD + 1 + DIGITS_ROOM);

	b->n = (size_t)(put_int(span_copy_padded(p, lead), v) - b->p);
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
