/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/diagnostics.h"
#include "base/digits.h"
#include "base/duration.h"
#include "base/time_format.h"
#include "json/text.h"
#include "tuple/tuple.h"

int
tuple_missing(const struct tuple *t, size_t field, struct fault *f)
{
	char name[128] = "";

	if (fault_says(f, FAULT_MISSING))
		diagnostics_scrub(name, sizeof name,
		    t->projection->fields[field].text);
	fault_set(f, FAULT_MISSING, 1, "no field '%s'", name);
	if (f != NULL && f->kind == FAULT_MISSING)
		f->field = field + 1;
	return -1;
}

int
tuple_mismatch(const struct tuple *t, size_t field, enum fault_kind kind,
    const char *expected, struct fault *f)
{
	const struct value *v = tuple_field(t, field);
	char name[64], text[64];
	const char *got;

	if (!fault_says(f, kind))
		return fault_set(f, kind, tuple_column(t, v), "%s", expected);
	got = *v->p == '{' ? "an object" :
	    *v->p == '['   ? "an array" :
			     diagnostics_scrub(text, sizeof text, value_raw(v));
	return fault_set(f, kind, tuple_column(t, v),
	    "expected %s at '%s', got %s", expected,
	    diagnostics_scrub(name, sizeof name,
		t->projection->fields[field].text),
	    got);
}

static inline struct span
text_of(const struct tuple *t, const struct value *v)
{
	return json_text(value_raw(v), v->escaped, t->scratch);
}

int
tuple_number(const struct tuple *t, size_t field, struct number *x,
    struct fault *f)
{
	const struct value *v = tuple_field(t, field);
	struct span text;

	if (v == NULL)
		return tuple_missing(t, field, f);
	text = text_of(t, v);
	if (*v->p == '"' ? !number_is(text) :
			   *text.p != '-' && !digits_is(*text.p))
		return tuple_mismatch(t, field, FAULT_TYPE, "a number", f);
	if (number_parse(x, text) < 0)
		return tuple_mismatch(t, field, FAULT_RANGE, NUMBER_EXPECTED,
		    f);
	return 0;
}

int
tuple_double(const struct tuple *t, size_t field, struct number *x,
    struct fault *f)
{
	if (tuple_number(t, field, x, f) < 0)
		return -1;
	if (isinf(x->d))
		return tuple_mismatch(t, field, FAULT_RANGE,
		    "a number that a double can hold", f);
	return 0;
}

int
tuple_number_or_null(const struct tuple *t, size_t field, struct number *x,
    struct fault *f)
{
	const struct value *v = tuple_field(t, field);

	if (v == NULL || *v->p != 'n')
		return tuple_number(t, field, x, f);
	*x = (struct number){ .is_int = true, .text = SPAN("0") };
	return 0;
}

/* Take a time, unless it is too far ahead of the clock. */
static int
check_ahead(const struct tuple *t, size_t field, const struct time_form *form,
    int64_t ns, struct fault *f)
{
	struct buffer expected = { 0 };

	if (form->max_ahead_ms == 0 ||
	    ns_to_ms(ns) - form->max_ahead_ms <= t->now_ms)
		return 0;
	buffer_put(&expected, SPAN("a time at most "));
	duration_put(&expected, form->max_ahead_ms);
	buffer_put(&expected, SPAN(" ahead of the clock"));
	buffer_byte(&expected, '\0');
	tuple_mismatch(t, field, FAULT_AHEAD, expected.p, f);
	buffer_fini(&expected);
	return -1;
}

int
tuple_time_slowly(const struct tuple *t, size_t field,
    const struct time_form *form, int64_t *ns, struct fault *f)
{
	const struct value *v = tuple_field(t, field);

	if (v == NULL)
		return tuple_missing(t, field, f);
	switch (time_form_parse(form, text_of(t, v), ns)) {
	case TIMESTAMP_OK:
		return check_ahead(t, field, form, *ns, f);
	case TIMESTAMP_RANGE:
		return tuple_mismatch(t, field, FAULT_RANGE,
		    "a time from 1677 to 2262", f);
	default:
		return tuple_mismatch(t, field, FAULT_TIME,
		    form->format == NULL ? "a time" : "a time by --time-format",
		    f);
	}
}

int
tuple_string(const struct tuple *t, size_t field, struct span *s,
    struct fault *f)
{
	const struct value *v = tuple_field(t, field);

	if (v == NULL)
		return tuple_missing(t, field, f);
	if (*v->p != '"')
		return tuple_mismatch(t, field, FAULT_TYPE, "a string", f);
	*s = text_of(t, v);
	return 0;
}

/* A window of up to 292 years may begin at the last time, and end with a tick. */
static const int64_t MAX_MS = 2 * (INT64_MAX / 1000000);

int
tuple_read_tick(const struct tuple *t, int64_t *ms, struct fault *f)
{
	const struct value *v = &t->slots[PROJECTION_TICK_SLOT];
	struct json_members it;
	struct json_member m;
	struct number x;

	it = json_members(t->line);
	json_members_next(&it, &m);
	if (json_members_next(&it, &m))
		return 0;
	for (size_t i = 0; i < v->n; i++)
		if (!digits_is(v->p[i]) && (i != 0 || v->p[i] != '-'))
			return 0;
	if (number_parse(&x, value_raw(v)) < 0 || !x.is_int || x.i < -MAX_MS ||
	    x.i > MAX_MS)
		return fault_set(f, FAULT_RANGE, tuple_column(t, v),
		    "expected a tick from 1385 to 2554");
	*ms = x.i;
	return 1;
}

void
tuple_put_tick(struct buffer *b, int64_t ms)
{
	buffer_put(b, SPAN("{\"__tick\":"));
	buffer_int(b, ms);
	buffer_put(b, SPAN("}\n"));
}

static bool
is_empty_object(struct span line)
{
	struct json_members it = json_members(line);
	struct json_member m;

	return !json_members_next(&it, &m);
}

void
tuple_put_after(struct buffer *b, struct span member, struct span line)
{
	buffer_byte(b, '{');
	buffer_put(b, member);
	if (is_empty_object(line)) {
		buffer_byte(b, '}');
		return;
	}
	buffer_byte(b, ',');
	buffer_put(b, (struct span){ line.p + 1, line.n - 1 });
}

/* Tell, of most lines that have no member of a name, that they have none. */
static bool
lacks_name(struct span line, struct span name)
{
	return memory_find(line.p, line.n, name.p, name.n) == NULL &&
	    memchr(line.p, '\\', line.n) == NULL;
}

void
tuple_put_without(struct buffer *b, struct span member, struct span line,
    struct span name)
{
	struct json_members it = json_members(line);
	struct json_member m;
	const char *kept = line.p + 1; /* the end of the last member kept */
	const char *last = kept;       /* the end of the last member */
	struct span gap = { NULL, 0 }; /* what stood before a cut */
	bool any = false;

	if (lacks_name(line, name)) {
		tuple_put_after(b, member, line);
		return;
	}
	buffer_byte(b, '{');
	buffer_put(b, member);
	while (json_members_next(&it, &m)) {
		const char *start = m.name.p - 1;

		last = m.value.p + m.value.n;
		if (json_decodes_to(m.name, name)) {
			if (gap.p == NULL)
				gap = (struct span){ kept,
					(size_t)(start - kept) };
			continue;
		}
		if (!any)
			buffer_byte(b, ',');
		any = true;
		if (gap.p != NULL) {
			buffer_put(b, gap);
			gap.p = NULL;
			kept = start;
		}
		buffer_put(b, (struct span){ kept, (size_t)(last - kept) });
		kept = last;
	}
	if (!any) {
		buffer_byte(b, '}');
		return;
	}
	if (gap.p != NULL) /* up to the comma, which nothing follows */
		buffer_put(b,
		    (struct span){ gap.p,
			(size_t)((const char *)memchr(gap.p, ',', gap.n) -
			    gap.p) });
	buffer_put(b, (struct span){ last, (size_t)(line.p + line.n - last) });
}

bool
tuple_member_of(struct span line, struct span value, struct span *cut)
{
	struct json_members it = json_members(line);
	struct json_member m;
	const char *before = NULL, *start, *end;

	while (json_members_next(&it, &m)) {
		start = m.name.p - 1;
		end = m.value.p + m.value.n;
		if (value.p >= end) {
			before = end;
			continue;
		}
		if (value.p != m.value.p)
			return *m.value.p == '{' &&
			    tuple_member_of(m.value, value, cut);
		/* Up to the next one; the last with the comma before it. */
		if (json_members_next(&it, &m))
			end = m.name.p - 1;
		else if (before != NULL)
			start = before;
		*cut = (struct span){ start, (size_t)(end - start) };
		return true;
	}
	return false;
}
