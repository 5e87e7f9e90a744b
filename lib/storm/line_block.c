/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "storm/line_block.h"

void
line_block_fini(struct line_block *b)
{
	buffer_fini(&b->lines);
	free(b->anchors);
}

bool
line_block_is_full(const struct line_block *b, struct span line)
{
	return b->lines.n != 0 && b->lines.n + line.n >= LINE_BLOCK_BYTES;
}

void
line_block_add(struct line_block *b, struct span line, int64_t now_ms)
{
	if (b->lines.n == 0)
		b->since_ms = now_ms;
	buffer_put(&b->lines, line);
	buffer_byte(&b->lines, '\n');
}

bool
line_block_anchor(struct line_block *b, uint64_t anchor)
{
	if (b->nanchors != 0 && b->anchors[b->nanchors - 1] == anchor)
		return false;
	b->anchors = memory_grow(b->anchors, &b->cap, b->nanchors + 1,
	    sizeof *b->anchors);
	b->anchors[b->nanchors++] = anchor;
	return true;
}

static int
by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void
line_block_sort(struct line_block *b)
{
	if (b->nanchors != 0)
		qsort(b->anchors, b->nanchors, sizeof *b->anchors, by_number);
}
