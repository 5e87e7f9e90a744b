/*
 * SPDX-License-Identifier: ISC
 */
#include "io/line_batch.h"
#include "base/memory.h"

void
line_batch_fini(struct line_batch *b)
{
	scanned_lines_fini(&b->lines);
	line_times_fini(&b->times);
	buffer_fini(&b->memory);
}

/* Let a piece of a line be all that there is. */
static void
put_piece(struct line_batch *b, enum line_kind kind)
{
	struct scanned_lines *l = &b->lines;

	l->lines = memory_grow(l->lines, &l->cap, 1, sizeof *l->lines);
	l->lines[0] =
	    (struct scanned_line){ .n = (uint32_t)b->text.n, .kind = kind };
	l->n = 1;
	/* Nobody looks at its slots, but all ask where they are. */
	l->slots = memory_grow(l->slots, &l->slots_cap, 1, sizeof *l->slots);
}

void
line_batch_fill(struct line_batch *b, struct input *in, size_t n)
{
	enum input_status status = INPUT_LINE;

	b->name = input_name(in);
	b->file = in->at;
	b->line = in->line;
	b->bytes_read = in->bytes;
	b->size = in->size;
	b->lines.n = 0;
	b->rest.n = 0;
	b->text = input_ahead(in, n);
	b->taken = b->text.n == 0;
	if (b->taken)
		status = input_line(in, &b->text);
	if (status == INPUT_LONG)
		put_piece(b, LINE_LONG);
	if (status == INPUT_REST)
		put_piece(b, LINE_REST);
	b->status = b->lines.n != 0 ? INPUT_LINE : status;
}

void
line_batch_keep(struct line_batch *b, struct input *in)
{
	if (!b->taken) {
		input_hand_over(in, b->text.n, &b->memory);
		b->taken = true;
	} else {
		b->memory.n = 0;
		buffer_put(&b->memory, b->text);
		b->text = buffer_span(&b->memory);
	}
}

void
line_batch_scan(struct line_batch *b, struct line_scanner *scanner,
    const struct time_slot *time)
{
	size_t n;

	if (b->lines.n == 0 && b->text.n != 0) {
		n = line_scanner_scan(scanner, b->text, &b->lines);
		b->rest = (struct span){ b->text.p + n, b->text.n - n };
		b->text.n = n;
	}
	line_times_read(&b->times, time, &b->lines);
}

void
line_batch_scan_rest(struct line_batch *b, struct line_scanner *scanner,
    const struct time_slot *time)
{
	b->text = b->rest;
	b->line += b->lines.n;
	b->lines.n = 0;
	line_batch_scan(b, scanner, time);
}
