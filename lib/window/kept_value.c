/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/digits.h"
#include "json/text.h"
#include "window/kept_value.h"

/* The spans of value are in bytes. */
struct kept_text {
	struct ordered_value value;
	size_t cap;
	char bytes[];
};

void
kept_value_fini(struct kept_value *k)
{
	free(k->text);
	*k = (struct kept_value){ 0 };
}

/* Copy s and a byte that is no part of a number. */
static struct span
copy(char *to, struct span s)
{
	memcpy(to, s.p, s.n);
	to[s.n] = '\n';
	return (struct span){ to, s.n };
}

static void
keep(struct kept_value *k, const struct ordered_value *v, uint64_t order)
{
	bool same = v->text.p == v->raw.p;
	size_t n = v->raw.n + v->text.n + 2;
	struct kept_text *t = k->text;

	k->order = order;
	if (v->digits && v->raw.n <= DIGITS_INTEGER_MOST) {
		if (t != NULL) /* which is seldom; and a call costs */
			free(t);
		k->text = NULL;
		/* Most have been read to be compared. */
		k->i =
		    v->is_number ? v->x.i : digits_integer(v->raw.p, v->raw.n);
		return;
	}
	if (t == NULL || t->cap < n) {
		free(t);
		k->text = t = memory_new(1, sizeof *t + n);
		t->cap = n;
	}
	t->value = *v;
	t->value.raw = copy(t->bytes, v->raw);
	t->value.text =
	    same ? t->value.raw : copy(t->bytes + v->raw.n + 1, v->text);
	t->value.x.text = t->value.text;
}

/* The value of an integer; text has room for it. */
static struct ordered_value
integer_value(int64_t i, char text[DIGITS_INTEGER_MOST + 2])
{
	char *end = text + DIGITS_INTEGER_MOST + 1, *p = end;
	struct ordered_value v = { .is_number = true, .digits = true };

	*p = '\n';
	v.x = (struct number){ .is_int = true, .i = i, .d = (double)i };
	do
		*--p = (char)('0' + i % 10);
	while ((i /= 10) != 0);
	v.raw = v.text = v.x.text = (struct span){ p, (size_t)(end - p) };
	return v;
}

static int
cmp(const struct ordered_value *a, const struct ordered_value *b)
{
	if (a->is_number && b->is_number)
		return number_cmp(&a->x, &b->x);
	if (a->is_number || b->is_number)
		return a->is_number ? -1 : 1;
	return span_cmp(a->text, b->text);
}

/* The same with an integer, whose text is seldom needed. */
static int
cmp_integer(const struct ordered_value *v, int64_t i)
{
	char text[DIGITS_INTEGER_MOST + 2];
	struct ordered_value other;

	if (!v->is_number)
		return 1;
	if (v->x.is_int)
		return (v->x.i > i) - (v->x.i < i);
	if (v->x.d != (double)i)
		return v->x.d < (double)i ? -1 : 1;
	other = integer_value(i, text);
	return cmp(v, &other);
}

/* Tell whether v, which came at order, is to be kept rather than k. */
static bool
replaces(const struct kept_value *k, enum kept_which which,
    const struct ordered_value *v, uint64_t order)
{
	int c;

	if (k->order == 0)
		return true;
	if (which == KEEP_FIRST || which == KEEP_LAST)
		return (order < k->order) == (which == KEEP_FIRST);
	c = k->text == NULL ? cmp_integer(v, k->i) : cmp(v, &k->text->value);
	return c == 0 ? order < k->order : (c < 0) == (which == KEEP_LEAST);
}

void
kept_value_add(struct kept_value *k, enum kept_which which,
    const struct ordered_value *v, uint64_t order)
{
	if (replaces(k, which, v, order))
		keep(k, v, order);
}

void
kept_value_merge(struct kept_value *k, enum kept_which which,
    const struct kept_value *other)
{
	char text[DIGITS_INTEGER_MOST + 2];
	struct ordered_value v;

	if (other->order == 0)
		return;
	v = other->text == NULL ? integer_value(other->i, text) :
				  other->text->value;
	kept_value_add(k, which, &v, other->order);
}

void
kept_value_put(const struct kept_value *k, struct buffer *b)
{
	if (k->text == NULL)
		buffer_int(b, k->i);
	else
		buffer_put(b, k->text->value.raw);
}

bool
ordered_value_read(struct ordered_value *v, struct span json, bool compares,
    struct buffer *scratch)
{
	*v = (struct ordered_value){ .raw = json, .text = json };
	if (!compares)
		return true;
	if (*json.p == '"') {
		v->text = json_text(json, memchr(json.p, '\\', json.n) != NULL,
		    scratch);
		v->is_number = number_is(v->text);
	} else {
		v->is_number = *json.p == '-' || digits_is(*json.p);
		if (!v->is_number)
			return false;
	}
	return !v->is_number || number_parse(&v->x, v->text) == 0;
}

static bool
is_digits(struct span s)
{
	return digits_are(s) && (*s.p != '0' || s.n == 1);
}

bool
kept_value_restore(struct kept_value *k, enum kept_which which,
    const struct stored_value *c, uint64_t order, struct buffer *scratch)
{
	bool compares = which == KEEP_LEAST || which == KEEP_GREATEST;
	struct buffer text = { 0 };
	struct ordered_value v;
	bool good = stored_value_read(&text, c) &&
	    ordered_value_read(&v, buffer_span(&text), compares, scratch);

	if (good) {
		v.digits = is_digits(v.raw);
		keep(k, &v, order);
	}
	buffer_fini(&text);
	return good;
}
