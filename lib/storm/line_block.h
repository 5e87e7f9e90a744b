/*
 * line_block - lines of NDJSON that go through Storm together, as the one
 * field `lines` of one of its tuples.
 *
 * A block is sent when it is full, or LINE_BLOCK_MS old.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_LINE_BLOCK_H
#define STORM_LINE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* A longer line is a block by itself. */
enum { LINE_BLOCK_BYTES = 64 * 1024, LINE_BLOCK_MS = 100 };

/* A zeroed block is empty. */
struct line_block {
	struct buffer lines; /* each with its newline */
	int64_t since_ms;    /* when the first of them came */
	uint64_t *anchors;   /* what they come from; any may be twice */
	size_t nanchors, cap;
};

void line_block_fini(struct line_block *b);

/* Tell whether a line no longer fits, so that the block is to be sent first. */
bool line_block_is_full(const struct line_block *b, struct span line);

/* Add a line, which has no newline.  Owns: copies it. */
void line_block_add(struct line_block *b, struct span line, int64_t now_ms);

/*
 * Anchor the block to a tuple.  Returns false if the last line was anchored to
 * that, too, and nothing is to be remembered.
 */
bool line_block_anchor(struct line_block *b, uint64_t anchor);

/* Put the anchors in order, so that equal ones stand together. */
void line_block_sort(struct line_block *b);

#endif
