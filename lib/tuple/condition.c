/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/digits.h"
#include "base/time_format.h"
#include "json/text.h"
#include "tuple/condition_node.h"

void
condition_free(struct condition *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->n; i++) {
		if (c->nodes[i].kind == NODE_MATCH)
			pattern_fini(&c->nodes[i].pattern);
		buffer_fini(&c->nodes[i].literal);
	}
	free(c->nodes);
	buffer_fini(&c->decoded[0]);
	buffer_fini(&c->decoded[1]);
	free(c);
}

void
term_find_number(struct term *term)
{
	term->is_numeric =
	    (term->kind == TERM_NUMBER || number_is(term->text)) &&
	    number_parse(&term->number, term->text) == 0;
}

static enum term_kind
kind_of(const struct value *v)
{
	switch (v == NULL ? '{' : *v->p) {
	case '{':
	case '[':
		return TERM_NONE;
	case 'n':
		return TERM_NULL;
	case 'f':
		return TERM_FALSE;
	case 't':
		return TERM_TRUE;
	case '"':
		return TERM_STRING;
	default:
		return TERM_NUMBER;
	}
}

/* What the field holds; a string with escapes is decoded into room. */
static struct term
term_of(const struct tuple *t, size_t field, struct buffer *room)
{
	const struct value *v = tuple_field(t, field);
	struct term term = { .kind = kind_of(v) };

	if (term.kind == TERM_NONE)
		return term;
	term.text = json_text(value_raw(v), v->escaped, room);
	return term;
}

/*
 * Compare two values that have an order: negative, 0 or positive.
 *
 * Errors: false where they have none.
 */
static bool
compare(const struct condition *c, struct term *a, struct term *b, int *order)
{
	int64_t ns;

	if (a->kind < TERM_NUMBER || b->kind < TERM_NUMBER)
		return false;
	if (b->kind == TERM_TIME) {
		if (time_form_parse(c->times, a->text, &ns) != TIMESTAMP_OK)
			return false;
		*order = (ns > b->time_ns) - (ns < b->time_ns);
		return true;
	}
	if (a->kind == TERM_STRING && b->kind == TERM_STRING) {
		*order = span_cmp(a->text, b->text);
		return true;
	}
	term_find_number(a);
	if (!b->is_numeric)
		term_find_number(b);
	if (!a->is_numeric || !b->is_numeric)
		return false;
	*order = number_cmp(&a->number, &b->number);
	return true;
}

/* Tell whether the left side stands so to the right one: before it is < 0. */
static inline bool
stands(enum node_kind kind, int order)
{
	switch (kind) {
	case NODE_EQUAL:
		return order == 0;
	case NODE_LESS:
		return order < 0;
	case NODE_LESS_OR_EQUAL:
		return order <= 0;
	case NODE_GREATER:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool
is_time(struct span text)
{
	int64_t ns;

	return timestamp_parse(text, TIME_UNIT_AUTO, &ns) == TIMESTAMP_OK;
}

static inline bool
is_truth(enum term_kind kind)
{
	return kind == TERM_FALSE || kind == TERM_TRUE;
}

/* Tell whether the text of a field is a time, as it would be read. */
static bool
is_field_time(const struct condition *c, struct span text)
{
	int64_t ns;

	return time_form_parse(c->times, text, &ns) == TIMESTAMP_OK;
}

/* Note whether the field of a comparison is of a kind that makes sense to it. */
static inline void
note(const struct condition *c, struct node *n, const struct tuple *t,
    const struct term *field, bool fits)
{
	n->fits |= fits;
	if (n->fits || n->met || field->kind == TERM_NULL ||
	    tuple_field(t, n->field) == NULL)
		return;
	n->met = true;
	n->timed = field->kind == TERM_STRING && is_field_time(c, field->text);
}

/*
 * Tell whether two times are in order as texts, too: they begin with the year,
 * have digits in the same places, and else the same.
 */
static bool
are_alike(struct span a, struct span b)
{
	for (size_t i = 0; i < 4; i++)
		if (i >= a.n || i >= b.n || !digits_is(a.p[i]))
			return false;
	for (size_t i = 0; i < a.n && i < b.n; i++)
		if (a.p[i] != b.p[i] &&
		    !(digits_is(a.p[i]) && digits_is(b.p[i])))
			return false;
	return true;
}

/* Note whether times are put in an order that is not theirs. */
static void
note_order(const struct condition *c, struct node *n, const struct term *a,
    const struct term *b)
{
	n->misordered = !n->has_other && n->kind != NODE_EQUAL &&
	    a->kind == TERM_STRING && b->kind == TERM_STRING &&
	    !are_alike(a->text, b->text) && !number_is(b->text) &&
	    is_field_time(c, a->text) && is_time(b->text);
}

static bool
compares_terms(struct condition *c, struct node *n, const struct tuple *t)
{
	struct term a = term_of(t, n->field, &c->decoded[0]), b = n->value;
	bool same;
	int order = 0;

	if (n->kind == NODE_IS_SET)
		return tuple_field(t, n->field) != NULL &&
		    a.kind != TERM_NULL && a.kind != TERM_FALSE;
	if (n->kind == NODE_MATCH) {
		note(c, n, t, &a, a.kind >= TERM_NUMBER);
		return a.kind >= TERM_NUMBER &&
		    pattern_found(&n->pattern, a.text, &c->decoded[0]);
	}
	if (n->has_other)
		b = term_of(t, n->other, &c->decoded[1]);
	if (b.kind == TERM_TIME && b.ago_ms >= 0)
		b.time_ns = (t->now_ms - b.ago_ms) * 1000000;
	if (compare(c, &a, &b, &order)) {
		if (!n->fits)
			note_order(c, n, &a, &b);
		n->fits = true;
		return stands(n->kind, order);
	}
	same = a.kind != TERM_NONE && a.kind < TERM_NUMBER && a.kind == b.kind;
	note(c, n, t, &a, same || (is_truth(a.kind) && is_truth(b.kind)));
	return n->kind == NODE_EQUAL && same;
}

/* Digits need not be made numbers, which takes 7 % off keep. */
static inline bool
compares(struct condition *c, struct node *n, const struct tuple *t)
{
	const struct value *v;

	if (!n->digits)
		return compares_terms(c, n, t);
	v = tuple_field(t, n->field);
	if (v == NULL || !v->digits)
		return compares_terms(c, n, t);
	n->fits = true;
	return stands(n->kind, digits_cmp(value_raw(v), n->value.text));
}

/* The depth is bounded where the tree is grown. */
static bool
holds(struct condition *c, size_t node, const struct tuple *t)
{
	struct node *n = &c->nodes[node];

	switch (n->kind) {
	case NODE_OR:
		return holds(c, n->left, t) || holds(c, n->right, t);
	case NODE_AND:
		return holds(c, n->left, t) && holds(c, n->right, t);
	case NODE_NOT:
		return !holds(c, n->left, t);
	default:
		return compares(c, n, t);
	}
}

/* What a field is called that can be compared with a value of some kind. */
static struct span
kind_name(const struct condition *c, enum term_kind kind)
{
	switch (kind) {
	case TERM_NUMBER:
		return SPAN("a number");
	case TERM_STRING:
		return SPAN("a string");
	case TERM_TIME:
		return c->times->format == NULL ?
		    SPAN("a time") :
		    SPAN("a time by --time-format");
	default:
		return SPAN("true or false");
	}
}

/* Tell whether a value is a string that was meant as a time. */
static bool
is_quoted_time(const struct node *n)
{
	struct span text = n->value.text;

	if (n->value.kind != TERM_STRING || n->kind == NODE_MATCH ||
	    text.n == 0 || *text.p != '@')
		return false;
	text.p++;
	text.n--;
	return !number_is(text) && is_time(text);
}

bool
condition_hint(const struct condition *c, size_t i, const struct projection *p,
    struct buffer *text)
{
	const struct node *n = &c->nodes[i];

	if (i == c->n)
		return false;
	if (is_quoted_time(n)) {
		buffer_put(text, SPAN("'"));
		buffer_put(text, n->value.text);
		buffer_put(text,
		    SPAN("' is a string; the @ of a time stands "
			 "before its quotes"));
		return true;
	}
	if (n->misordered) {
		buffer_put(text, SPAN("'"));
		buffer_put(text, p->fields[n->field].text);
		buffer_put(text,
		    SPAN("' is compared as text, which is not the order of its "
			 "times; @ before the quotes makes it a time"));
		return true;
	}
	if (!n->met || n->fits || n->has_other || n->value.kind == TERM_NULL)
		return true;
	buffer_put(text, SPAN("no '"));
	buffer_put(text, p->fields[n->field].text);
	buffer_put(text, SPAN("' is "));
	buffer_put(text, kind_name(c, n->value.kind));
	if (n->timed && n->value.kind == TERM_NUMBER &&
	    is_time(n->value.text)) {
		buffer_put(text, SPAN("; @"));
		buffer_put(text, n->value.text);
		buffer_put(text, SPAN(" is a time"));
	}
	return true;
}

bool
condition_has_times(const struct condition *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->nodes[i].value.kind == TERM_TIME)
			return true;
	return false;
}

bool
condition_holds(struct condition *c, const struct tuple *t)
{
	return holds(c, c->root, t);
}
