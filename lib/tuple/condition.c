/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/digits.h"
#include "base/timestamp.h"
#include "tuple/condition_node.h"
#include "json/text.h"

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
	term.text = value_raw(v);
	if (term.kind != TERM_STRING)
		return term;
	term.text = (struct span){ v->p + 1, v->n - 2 };
	if (v->escaped) {
		room->n = 0;
		json_decode(room, term.text);
		buffer_byte(room, '"');
		term.text = (struct span){ room->p, room->n - 1 };
	}
	return term;
}

/*
 * Compare two values that have an order: negative, 0 or positive.
 *
 * Errors: false where they have none.
 */
static bool
compare(struct term *a, struct term *b, int *order)
{
	int64_t ns;

	if (a->kind < TERM_NUMBER || b->kind < TERM_NUMBER)
		return false;
	if (b->kind == TERM_TIME) {
		if (timestamp_parse(a->text, TIME_UNIT_AUTO, &ns) !=
		    TIMESTAMP_OK)
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
compares_terms(struct condition *c, const struct node *n, const struct tuple *t)
{
	struct term a = term_of(t, n->field, &c->decoded[0]), b = n->value;
	int order = 0;

	if (n->kind == NODE_IS_SET)
		return tuple_field(t, n->field) != NULL &&
		    a.kind != TERM_NULL && a.kind != TERM_FALSE;
	if (n->kind == NODE_MATCH)
		return a.kind >= TERM_NUMBER &&
		    pattern_found(&n->pattern, a.text, &c->decoded[0]);
	if (n->has_other)
		b = term_of(t, n->other, &c->decoded[1]);
	if (!compare(&a, &b, &order))
		return n->kind == NODE_EQUAL && a.kind != TERM_NONE &&
		    a.kind < TERM_NUMBER && a.kind == b.kind;
	return stands(n->kind, order);
}

/* Digits need not be made numbers, which takes 7 % off keep. */
static inline bool
compares(struct condition *c, const struct node *n, const struct tuple *t)
{
	const struct value *v;

	if (!n->digits)
		return compares_terms(c, n, t);
	v = tuple_field(t, n->field);
	if (v == NULL || !v->digits)
		return compares_terms(c, n, t);
	return stands(n->kind, digits_cmp(value_raw(v), n->value.text));
}

/* The depth is bounded where the tree is grown. */
static bool
holds(struct condition *c, size_t node, const struct tuple *t)
{
	const struct node *n = &c->nodes[node];

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

bool
condition_holds(struct condition *c, const struct tuple *t)
{
	return holds(c, c->root, t);
}
