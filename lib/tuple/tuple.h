/*
 * tuple - a line that was scanned, and its fields as numbers, times and
 * strings.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_TUPLE_H
#define TUPLE_TUPLE_H

#include <stdint.h>

#include "base/fault.h"
#include "base/number.h"
#include "base/span.h"
#include "base/timestamp.h"
#include "json/scanner.h"
#include "tuple/projection.h"

struct key;

/* How many tuples a bolt can look at before they are executed. */
enum { TUPLE_AHEAD = 32 };

/* A tuple is valid until the call that it was passed to returns. */
struct tuple {
	struct span line; /* the object, without white space around it */
	uint64_t id;	  /* for ack and fail */
	const struct projection *projection;
	const struct value *slots;
	struct buffer *scratch; /* for decoding */
	uint32_t stream;	/* its stream, from 0, if there are several */
	int64_t time_ns;	/* event time, if known */
	int64_t now_ms;		/* when it was read; INT64_MAX: unknown */
	const struct key *key;	/* set by a bolt that looked ahead, or NULL */
	bool timed;		/* time_ns is already set */
	bool plain;		/* it is known to be an object, and no tick */
	struct span task;	/* under Storm, the task that sent it */
};

/* The value of a field, or NULL if the tuple does not have it. */
static inline const struct value *
tuple_field(const struct tuple *t, size_t field)
{
	const struct field *f = &t->projection->fields[field];
	const struct value *v = &t->slots[f->slot];

	if (f->other != SCAN_NO_SLOT && v->p == NULL)
		v = &t->slots[f->other];
	return v->p == NULL ? NULL : v;
}

/* The column of a value in the line, from 1. */
static inline size_t
tuple_column(const struct tuple *t, const struct value *v)
{
	return (size_t)(v->p - t->line.p) + 1;
}

/*
 * Read a field as a number or as a time; either can be in a string.  A time
 * more than form->max_ahead_ms, if set, ahead of the clock is an error.
 *
 * Units:  *ns is nanoseconds since 1970.
 * Owns:   x->text is valid until the next call for this tuple.
 * Errors: -1 if the field is missing, has another kind or is out of range; f
 *         says which.
 */
int tuple_number(const struct tuple *t, size_t field, struct number *x,
    struct fault *f);
static inline int tuple_time(const struct tuple *t, size_t field,
    const struct time_form *form, int64_t *ns, struct fault *f);

/* tuple_number; a number that no double can hold is out of range. */
int tuple_double(const struct tuple *t, size_t field, struct number *x,
    struct fault *f);

/* tuple_number; null is 0. */
int tuple_number_or_null(const struct tuple *t, size_t field, struct number *x,
    struct fault *f);

/*
 * Read a field as a string, without its escapes.
 *
 * Owns:   s is valid until the next call for this tuple.
 * Errors: -1 if the field is missing or has another kind; f says which.
 */
int tuple_string(const struct tuple *t, size_t field, struct span *s,
    struct fault *f);

/* What is expected of a number that number_parse refuses. */
#define NUMBER_EXPECTED "a number with an exponent within 10^18"

/*
 * Set f: the field is missing; or it has something other than expected.
 *
 * Errors: none.  Always returns -1.
 */
int tuple_missing(const struct tuple *t, size_t field, struct fault *f);
int tuple_mismatch(const struct tuple *t, size_t field, enum fault_kind kind,
    const char *expected, struct fault *f);

/*
 * Tell whether t is a tick, an object whose only member is "__tick", an
 * integer: 1 if it is, 0 if it is data.
 *
 * Units:  *ms is milliseconds since 1970.
 * Errors: -1 for a tick whose time is not from 1385 to 2554; f says so.
 */
static inline int tuple_is_tick(const struct tuple *t, int64_t *ms,
    struct fault *f);

/* Append a tick as a line, with its newline. */
void tuple_put_tick(struct buffer *b, int64_t ms);

/*
 * Append the object line, with member, which is `"name":value`, put first.
 * _without also leaves out the members of line whose decoded name is name.
 */
void tuple_put_after(struct buffer *b, struct span member, struct span line);
void tuple_put_without(struct buffer *b, struct span member, struct span line,
    struct span name);

/*
 * Find the bytes to cut out of line to remove the member that has this value:
 * its name, the value, and a comma.
 *
 * Shape:  line is an object; value is a part of it.
 * Errors: false if value is within an array.
 */
bool tuple_member_of(struct span line, struct span value, struct span *cut);

/* The general case of tuple_time. */
int tuple_time_slowly(const struct tuple *t, size_t field,
    const struct time_form *form, int64_t *ns, struct fault *f);

static inline int
tuple_time(const struct tuple *t, size_t field, const struct time_form *form,
    int64_t *ns, struct fault *f)
{
	const struct value *v = &t->slots[t->projection->fields[field].slot];

	if (v->p != NULL && v->digits && form->format == NULL &&
	    form->max_ahead_ms == 0 &&
	    timestamp_of_digits(value_raw(v), (enum time_unit)form->unit, ns))
		return 0;
	return tuple_time_slowly(t, field, form, ns, f);
}

/* tuple_is_tick for a tuple that has the member. */
int tuple_read_tick(const struct tuple *t, int64_t *ms, struct fault *f);

static inline int
tuple_is_tick(const struct tuple *t, int64_t *ms, struct fault *f)
{
	if (t->slots[PROJECTION_TICK_SLOT].p == NULL)
		return 0;
	return tuple_read_tick(t, ms, f);
}

#endif
