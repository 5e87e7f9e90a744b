/*
 * tuple - one line, scanned: where its fields are, and what they hold.
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
#include "tuple/projection.h"
#include "json/scanner.h"

struct key;

/* How many tuples a bolt may see before they are executed. */
enum { TUPLE_AHEAD = 32 };

/*
 * A tuple lives until the call that it was given to returns.
 */
struct tuple {
	struct span line; /* the object, without white space around */
	uint64_t id;	  /* for ack and fail */
	const struct projection *projection;
	const struct value *slots;
	struct buffer *scratch; /* for what has to be decoded */
	uint32_t stream;	/* of streams side by side, from 0 */
	int64_t time_ns;	/* event time, of streams side by side */
	int64_t now_ms;		/* when it was read */
	const struct key *key;	/* of a bolt that has looked ahead, or NULL */
	bool timed;		/* and has set time_ns */
	struct span task;	/* under Storm, the number of who sent it */
};

/* The field's value, NULL where the tuple has none. */
static inline const struct value *
tuple_field(const struct tuple *t, size_t field)
{
	const struct field *f = &t->projection->fields[field];
	const struct value *v = &t->slots[f->slot];

	if (f->other != SCAN_NO_SLOT && v->p == NULL)
		v = &t->slots[f->other];
	return v->p == NULL ? NULL : v;
}

/* The column of a value in its line, from 1. */
static inline size_t
tuple_column(const struct tuple *t, const struct value *v)
{
	return (size_t)(v->p - t->line.p) + 1;
}

/*
 * Read a field as a number or a time.  A string that holds one will do.
 *
 * Units:  *ns is nanoseconds since 1970.
 * Owns:   x->text is good until the next call of either for this tuple.
 * Errors: -1 where the field is missing, of another kind or out of range.
 */
int tuple_number(const struct tuple *t, size_t field, struct number *x,
    struct fault *f);
static inline int tuple_time(const struct tuple *t, size_t field,
    enum time_unit unit, int64_t *ns, struct fault *f);

/*
 * Read a field as a string, decoded.
 *
 * Owns:   s is good until the next call of these for this tuple.
 * Errors: -1 where the field is missing or of another kind.
 */
int tuple_string(const struct tuple *t, size_t field, struct span *s,
    struct fault *f);

/*
 * Note that the field is missing, or is something else than expected.
 *
 * Errors: none.  Returns -1.
 */
int tuple_missing(const struct tuple *t, size_t field, struct fault *f);
int tuple_mismatch(const struct tuple *t, size_t field, enum fault_kind kind,
    const char *expected, struct fault *f);

/*
 * Tell whether t is a tick: an object with the single member "__tick", an
 * integer.
 *
 * Units:  *ms is milliseconds since 1970.
 * Errors: 1 where it is, 0 where it is data; -1 for one that is no time from
 *         1677 to 2262.
 */
static inline int tuple_is_tick(const struct tuple *t, int64_t *ms,
    struct fault *f);

/* Append a tick as a line, with its newline. */
void tuple_put_tick(struct buffer *b, int64_t ms);

/*
 * Append the tuple with a member put first: the text of member, which is
 * `"name":value`, then all that stood after the opening brace.  _without
 * leaves out the tuple's own members whose decoded name is name.
 */
void tuple_put_after(struct buffer *b, struct span member, struct span line);
void tuple_put_without(struct buffer *b, struct span member, struct span line,
    struct span name);

/*
 * Find the bytes to cut out of line for the member with this value to be
 * gone: its name, the value, and a comma if it has a neighbour.
 *
 * Shape:  value lies in line, which is an object.
 * Errors: false where value is no member but an element of an array.
 */
bool tuple_member_of(struct span line, struct span value, struct span *cut);

/* tuple_time where it may be anything. */
int tuple_time_slowly(const struct tuple *t, size_t field, enum time_unit unit,
    int64_t *ns, struct fault *f);

static inline int
tuple_time(const struct tuple *t, size_t field, enum time_unit unit,
    int64_t *ns, struct fault *f)
{
	const struct value *v = tuple_field(t, field);

	if (v != NULL && v->digits &&
	    timestamp_of_digits(value_raw(v), unit, ns))
		return 0;
	return tuple_time_slowly(t, field, unit, ns, f);
}

/* tuple_is_tick where there is a member of that name. */
int tuple_read_tick(const struct tuple *t, int64_t *ms, struct fault *f);

static inline int
tuple_is_tick(const struct tuple *t, int64_t *ms, struct fault *f)
{
	if (t->slots[PROJECTION_TICK_SLOT].p == NULL)
		return 0;
	return tuple_read_tick(t, ms, f);
}

#endif
