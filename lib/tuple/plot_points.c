/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/duration.h"
#include "json/text.h"
#include "tuple/plot_points.h"

enum {
	HOUR_MS = 3600000,
	/* Of an array over an hour, if they are minutes, as timeline's are. */
	MOST_VALUES = 60,
	/* Arrays needed before their distance is known. */
	ARRAYS = 4,
};

void
plot_points_init(struct plot_points *p)
{
	series_init(&p->series);
}

void
plot_points_fini(struct plot_points *p)
{
	series_fini(&p->series);
	key_fini(&p->made);
	buffer_fini(&p->label);
	buffer_fini(&p->element);
}

/* Tell whether a number is most probably a time: of 2001 to 2099. */
static bool
is_like_time(const struct plot_points *p, const struct tuple *t, size_t field)
{
	const int64_t second = 1000000000;
	struct fault ignored = { 0 };
	int64_t ns;

	return tuple_time(t, field, &p->form, &ns, &ignored) == 0 &&
	    ns >= second * second && ns / second < INT64_C(4102444800);
}

static bool
is_array(const struct value *v)
{
	return v != NULL && v->p[0] == '[';
}

/*
 * Decide what x is by the first tuple that has one.  That of an array can be
 * nothing but a time, and options of times say that it is one.
 */
static int
decide(struct plot_points *p, const struct tuple *t, struct fault *f)
{
	size_t field = p->x.first;
	struct fault ignored = { 0 }, no_time = { 0 };
	struct number number;
	int64_t ns;

	if (p->form.unit != TIME_UNIT_AUTO || p->form.format != NULL) {
		p->times = true;
		return 0;
	}
	p->times = is_like_time(p, t, field) ||
	    (tuple_field(t, field) != NULL &&
		tuple_number(t, field, &number, &ignored) < 0) ||
	    (is_array(tuple_field(t, p->y.first)) &&
		tuple_time(t, field, &p->form, &ns, &ignored) == 0);
	if (p->times && tuple_time(t, field, &p->form, &ns, &no_time) < 0 &&
	    no_time.kind == FAULT_TIME)
		return tuple_mismatch(t, field, FAULT_TYPE,
		    "a number or a time", f);
	return 0;
}

/* Read x, which is for all tuples what it is for the first one. */
static int
read_x(struct plot_points *p, const struct tuple *t, double *x, struct fault *f)
{
	size_t field = p->x.first;
	struct number number;
	int64_t ns;

	if (!p->begun && decide(p, t, f) < 0)
		return -1;
	if (!p->times) {
		if (tuple_number(t, field, &number, f) < 0)
			return -1;
		*x = number.d;
		return 0;
	}
	if (tuple_time(t, field, &p->form, &ns, f) < 0)
		return -1;
	p->utc_ms = ns_to_ms(ns);
	*x = (double)p->utc_ms + (double)floor_mod(ns, 1000000) / 1e6;
	return 0;
}

/* Read an element of an array: NAN where it is null.  False: it is neither. */
static bool
read_element(struct plot_points *p, struct span value, double *y)
{
	struct number number;

	*y = NAN;
	if (value.p[0] == 'n')
		return true;
	value = json_text(value, true, &p->element);
	if (!number_is(value) || number_parse(&number, value) < 0 ||
	    isinf(number.d))
		return false;
	*y = number.d;
	return true;
}

static int64_t
slice_of(const struct plot_points *p)
{
	return p->slice_ms == 0 ? HOUR_MS : p->slice_ms;
}

/* Note where an array begins. */
static void
see_array(struct plot_points *p)
{
	int64_t by = p->utc_ms - p->arrays.last_ms, rest;

	p->arrays.last_ms = p->utc_ms;
	if (p->arrays.n != 0 && by == 0)
		return;
	/* The greatest common divisor, by Euclid. */
	for (by = p->arrays.n++ == 0 ? 0 : llabs(by); by != 0; by = rest) {
		rest = p->arrays.apart_ms % by;
		p->arrays.apart_ms = by;
	}
}

/* Set f: an element of the array is no number that can be drawn. */
static int
not_a_number(const struct plot_points *p, const struct tuple *t,
    struct span element, struct fault *f)
{
	char name[64], text[64];

	return fault_set(f, FAULT_TYPE, (size_t)(element.p - t->line.p) + 1,
	    "expected a number in the array at '%s', got %s",
	    diagnostics_scrub(name, sizeof name,
		t->projection->fields[p->y.first].text),
	    diagnostics_scrub(text, sizeof text, element));
}

static int
add_array(struct plot_points *p, const struct tuple *t, const struct key *key,
    double x, struct fault *f)
{
	struct span array = value_raw(tuple_field(t, p->y.first)), e;
	struct json_members it = json_elements(array);
	size_t n = 0, i = 0;
	double y;

	for (; json_elements_next(&it, &e); n++)
		if (!read_element(p, e, &y))
			return not_a_number(p, t, e, f);
	see_array(p);
	if (n > p->arrays.most)
		p->arrays.most = n;
	for (it = json_elements(array); json_elements_next(&it, &e); i++)
		if (read_element(p, e, &y) && !isnan(y))
			series_add(&p->series, key, buffer_span(&p->label),
			    x + (double)slice_of(p) * (double)i / (double)n, y);
	return 0;
}

static int
add_y(struct plot_points *p, const struct tuple *t, const struct key *key,
    double x, struct fault *f)
{
	const struct value *v = tuple_field(t, p->y.first);
	struct number number;

	if (v != NULL && v->p[0] == 'n')
		return 0;
	if (is_array(v)) {
		if (!p->times)
			return tuple_mismatch(t, p->x.first, FAULT_TYPE,
			    "a time, for an array,", f);
		return add_array(p, t, key, x, f);
	}
	if (tuple_double(t, p->y.first, &number, f) < 0)
		return -1;
	series_add(&p->series, key, buffer_span(&p->label), x, number.d);
	return 0;
}

int
plot_points_add(struct plot_points *p, const struct tuple *t, struct fault *f)
{
	const struct key *key = NULL;
	const struct value *v;
	double x;

	if (p->key.n != 0) {
		if (key_of(&p->made, t, p->key.first, 1, f) < 0)
			return -1;
		key = &p->made;
		v = tuple_field(t, p->key.first);
		p->label.n = 0;
		json_put_decoded(&p->label,
		    v == NULL ? SPAN("null") : value_raw(v));
	}
	if (read_x(p, t, &x, f) < 0)
		return -1;
	if (isinf(x))
		return tuple_mismatch(t, p->x.first, FAULT_RANGE,
		    "a number that a double can hold", f);
	if (add_y(p, t, key, x, f) < 0)
		return -1;
	/* A tuple that is bad, or has no point, decides nothing. */
	p->begun = p->series.n != 0;
	return 0;
}

/*
 * Arrays begin elsewhere than slice by slice, or are long for an hour.  Slices
 * may be missing, so gaps are odd only where no slice was given and there are
 * many arrays.
 */
static void
hint_at_slice(const struct plot_points *p, struct buffer *text)
{
	int64_t slice = slice_of(p);
	bool wrong = p->arrays.apart_ms % slice != 0;
	bool apart = wrong || p->arrays.n >= ARRAYS;

	if (!wrong &&
	    (p->slice_ms != 0 ||
		(apart ? p->arrays.apart_ms == slice :
			 p->arrays.most <= MOST_VALUES)))
		return;
	buffer_put(text, SPAN("warning: arrays "));
	if (!apart) {
		buffer_put(text, SPAN("of up to "));
		buffer_int(text, (int64_t)p->arrays.most);
		buffer_put(text, SPAN(" values "));
	}
	buffer_put(text, SPAN("are spread over "));
	duration_put(text, slice);
	if (apart) {
		buffer_put(text, SPAN(", but begin "));
		duration_put(text, p->arrays.apart_ms);
		buffer_put(text, SPAN(" apart"));
	}
	buffer_put(text, SPAN("; is that their --slice?"));
}

/* Without a key, rows of several look like one line. */
static void
hint_at_replaced(const struct plot_points *p, struct span x,
    struct buffer *text)
{
	size_t n = p->series.replaced;

	if (n == 0 || p->key.n != 0 || !p->advises)
		return;
	buffer_int(text, (int64_t)n);
	buffer_put(text,
	    n == 1 ? SPAN(" point was replaced by a later one") :
		     SPAN(" points were replaced by later ones"));
	buffer_put(text, SPAN(" with the same '"));
	buffer_put(text, x);
	buffer_put(text,
	    SPAN("'; -k FIELD draws a line for each value of FIELD"));
}

bool
plot_points_hint(const struct plot_points *p, size_t i, struct span x,
    struct buffer *text)
{
	if (i == 0)
		hint_at_slice(p, text);
	else if (i == 1)
		hint_at_replaced(p, x, text);
	return i <= 1;
}
