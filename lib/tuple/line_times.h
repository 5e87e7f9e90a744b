/*
 * line_times - the times of many tuples, read when their lines are scanned,
 * maybe by another thread, and not when it is their turn.
 *
 * Times with escapes, and what is no time, are left to the bolt, which reports
 * them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_LINE_TIMES_H
#define TUPLE_LINE_TIMES_H

#include "json/line_scanner.h"
#include "tuple/options.h"
#include "tuple/projection.h"

/* The field with the time of a stream, if any, and how it is written. */
struct time_field {
	struct field_range field;
	const struct time_form *form;
};

/* A time_field in a projection; slot is SCAN_NO_SLOT if no times are read. */
struct time_slot {
	int slot, nslots; /* the field's, and how many a line has */
	enum time_unit unit;
	const char *format; /* see struct time_form */
};

/* The time of each line in nanoseconds; LINE_TIME_UNREAD: it was not read. */
struct line_times {
	int64_t *ns;
	size_t cap;
};

#define LINE_TIME_UNREAD INT64_MIN

/*
 * The slot of a time field.
 *
 * Shape:  p is compiled; f may be NULL.
 */
struct time_slot time_slot_of(const struct time_field *f,
    const struct projection *p);

/*
 * Read the times of the lines; out is overwritten.
 *
 * Owns:   line_times_fini frees; a zeroed out is ready for use.
 * Errors: none.
 */
void line_times_read(struct line_times *out, const struct time_slot *slot,
    const struct scanned_lines *lines);
void line_times_fini(struct line_times *t);

#endif
