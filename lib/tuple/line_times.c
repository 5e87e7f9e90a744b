/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/time_format.h"
#include "tuple/line_times.h"

struct time_slot
time_slot_of(const struct time_field *f, const struct projection *p)
{
	struct time_slot slot = { .slot = SCAN_NO_SLOT, .nslots = p->nslots };

	/* How far a time may be ahead is known when it is the tuple's turn. */
	if (f == NULL || f->field.n == 0 || f->form->max_ahead_ms != 0)
		return slot;
	slot.slot = p->fields[f->field.first].slot;
	slot.unit = (enum time_unit)f->form->unit;
	slot.format = f->form->format;
	return slot;
}

void
line_times_fini(struct line_times *t)
{
	free(t->ns);
}

/* The times before, of the same lines. */
struct times_before {
	struct timestamp_near near;
	struct span text; /* the last one by a format, and what it is */
	int64_t ns;
};

/* In a log many lines have the time of the line before. */
static int64_t
read_by_format(const char *format, struct span text,
    struct times_before *before)
{
	if (span_eq(text, before->text))
		return before->ns;
	before->text = text;
	if (time_format_parse(format, text, &before->ns) != TIMESTAMP_OK)
		before->ns = LINE_TIME_UNREAD;
	return before->ns;
}

/* Read a time, unless it has escapes. */
static inline int64_t
read_time(const struct value *v, const struct time_slot *slot,
    struct times_before *before)
{
	struct span text = value_raw(v);
	int64_t ns;

	if (v->digits && slot->format == NULL &&
	    timestamp_of_digits_near(&before->near, text, slot->unit, &ns))
		return ns;
	if (*text.p == '"')
		text = (struct span){ text.p + 1, text.n - 2 };
	if (v->escaped)
		return LINE_TIME_UNREAD;
	if (slot->format != NULL)
		return read_by_format(slot->format, text, before);
	return timestamp_parse(text, slot->unit, &ns) == TIMESTAMP_OK ?
	    ns :
	    LINE_TIME_UNREAD;
}

void
line_times_read(struct line_times *out, const struct time_slot *slot,
    const struct scanned_lines *lines)
{
	struct times_before before = { .ns = LINE_TIME_UNREAD };
	const struct value *v;

	if (slot->slot == SCAN_NO_SLOT || lines->n == 0)
		return;
	out->ns = memory_grow(out->ns, &out->cap, lines->n, sizeof *out->ns);
	v = lines->slots + slot->slot;
	for (size_t i = 0; i < lines->n; i++, v += slot->nslots)
		out->ns[i] =
		    lines->lines[i].kind == LINE_OBJECT && v->p != NULL ?
		    read_time(v, slot, &before) :
		    LINE_TIME_UNREAD;
}
