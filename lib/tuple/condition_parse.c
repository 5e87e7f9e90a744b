/*
 * condition_parse - condition_new: by recursive descent, one function for
 * each line of the grammar.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/digits.h"
#include "tuple/condition_node.h"

/* Both bound the stack, of the parser and of condition_holds. */
enum { DEPTH_MAX = 1000, NODES_MAX = 10000 };
struct parser {
	struct condition *condition;
	struct projection *projection;
	struct span text;
	size_t at; /* of text */
	size_t depth;
	struct fault *fault;
};

/* The grammar is recursive. */
static int parse_condition(struct parser *p, size_t *out);
static int parse_value(struct parser *p, struct node *node);

static bool
is_among(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static void
skip_blanks(struct parser *p)
{
	while (p->at < p->text.n && is_among(p->text.p[p->at], " \t\r\n"))
		p->at++;
}

/* What is left, from a byte that is no blank on. */
static struct span
rest(struct parser *p)
{
	skip_blanks(p);
	return (struct span){ p->text.p + p->at, p->text.n - p->at };
}

static bool
begins(struct span s, struct span with)
{
	return s.n >= with.n && memcmp(s.p, with.p, with.n) == 0;
}

static bool
take(struct parser *p, struct span token)
{
	if (!begins(rest(p), token))
		return false;
	p->at += token.n;
	return true;
}

/* Note that something else was expected here. */
static int
expected(struct parser *p, const char *what)
{
	struct span s = rest(p);
	char shown[40];

	if (s.n == 0)
		return fault_set(p->fault, FAULT_SYNTAX, p->at + 1,
		    "expected %s, got the end", what);
	return fault_set(p->fault, FAULT_SYNTAX, p->at + 1,
	    "expected %s, got '%s'", what,
	    diagnostics_scrub(shown, sizeof shown, s));
}

static size_t
add_node(struct parser *p, const struct node *node)
{
	struct condition *c = p->condition;

	c->nodes = memory_grow(c->nodes, &c->cap, c->n + 1, sizeof *c->nodes);
	c->nodes[c->n] = *node;
	return c->n++;
}

static int
parse_field(struct parser *p, size_t *field)
{
	struct span s = rest(p);
	const char *wrong;

	s.n = condition_field_length(s);
	if (s.n == 0)
		return expected(p, "a field");
	wrong = projection_add_one(p->projection, s, field);
	if (wrong != NULL)
		return fault_set(p->fault, FAULT_SYNTAX, p->at + 1, "%s",
		    wrong);
	p->at += s.n;
	return 0;
}

/* The length of the JSON string that s begins with, or of what is left. */
static size_t
string_length(struct span s)
{
	size_t n = 1;

	while (n < s.n && s.p[n] != '"')
		n += s.p[n] == '\\' ? 2 : 1;
	return n < s.n ? n + 1 : s.n;
}

#define UNCLOSED "expected a %c that closes this string"

/* A string in single quotes: no byte in it means anything else. */
static int
parse_quoted(struct parser *p, struct node *node)
{
	struct span s = rest(p);
	const char *end = memchr(s.p + 1, '\'', s.n - 1);

	if (end == NULL)
		return fault_set(p->fault, FAULT_SYNTAX, p->at + 1, UNCLOSED,
		    '\'');
	node->value.kind = TERM_STRING;
	buffer_put(&node->literal,
	    (struct span){ s.p + 1, (size_t)(end - s.p) - 1 });
	p->at += (size_t)(end - s.p) + 1;
	return 0;
}

/* Say why s is no value, or what is wrong in a string. */
static int
refuse_value(struct parser *p, struct span s, const struct fault *why)
{
	if (s.n == 0 || *s.p != '"')
		return expected(p,
		    "a number, a string in quotes, true, false, null, "
		    "@TIME or .FIELD");
	if (why->column > s.n)
		return fault_set(p->fault, FAULT_SYNTAX, p->at + 1, UNCLOSED,
		    '"');
	return fault_set(p->fault, FAULT_SYNTAX, p->at + why->column, "%s%s",
	    why->message,
	    s.p[why->column - 2] == '\\' ? "; \\\\ is a backslash" : "");
}

/* A time, in quotes if there is a blank in it. */
static int
parse_time(struct parser *p, struct node *node)
{
	size_t at = p->at++;
	struct span s = { p->text.p + p->at, p->text.n - p->at };

	if (s.n != 0 && is_among(*s.p, "'\"")) {
		if (parse_value(p, node) < 0)
			return -1;
	} else {
		s.n = condition_field_length(s);
		buffer_put(&node->literal, s);
		node_end_literal(node);
		p->at += s.n;
	}
	if (node_set_time(node))
		return 0;
	p->at = at;
	return expected(p, "a time, or - and a duration, behind @");
}

static int
parse_value(struct parser *p, struct node *node)
{
	struct span s = rest(p);
	struct term *value = &node->value;
	struct fault why = { 0 };

	if (s.n != 0 && *s.p == '@')
		return parse_time(p, node);
	if (s.n != 0 && *s.p == '\'') {
		if (parse_quoted(p, node) < 0)
			return -1;
	} else {
		s.n = s.n != 0 && *s.p == '"' ? string_length(s) :
						condition_field_length(s);
		if (!node_set_json(node, s, &why))
			return refuse_value(p, s, &why);
		p->at += s.n;
	}
	node_end_literal(node);
	if (value->kind == TERM_NUMBER || value->kind == TERM_STRING)
		term_find_number(value);
	node->digits =
	    value->kind == TERM_NUMBER && *digits_skip(value->text.p) == '\0';
	return 0;
}

/* A regular expression, which is a string. */
static int
parse_pattern(struct parser *p, struct node *node)
{
	struct span s = rest(p);
	size_t at = p->at;

	if (s.n == 0 || (*s.p != '"' && *s.p != '\''))
		return expected(p, "a regular expression in quotes");
	if (parse_value(p, node) < 0)
		return -1;
	return node_set_pattern(node, at + 1, p->fault);
}

static const struct operator
{
	struct span text;
	enum node_kind kind;
	bool negated;
}
operators[] = {
	/* One that begins with another comes first.  what_could_follow: all. */
	{ { "==", 2 }, NODE_EQUAL, false },
	{ { "!=", 2 }, NODE_EQUAL, true },
	{ { "=~", 2 }, NODE_MATCH, false },
	{ { "!~", 2 }, NODE_MATCH, true },
	{ { "<=", 2 }, NODE_LESS_OR_EQUAL, false },
	{ { ">=", 2 }, NODE_GREATER_OR_EQUAL, false },
	{ { "<", 1 }, NODE_LESS, false },
	{ { ">", 1 }, NODE_GREATER, false },
	{ { NULL, 0 }, NODE_IS_SET, false },
};

/* What stands behind an operator. */
static int
parse_other(struct parser *p, struct node *node, const struct operator* o)
{
	struct span s = rest(p);

	if (o->kind == NODE_MATCH)
		return parse_pattern(p, node);
	node->kind = o->kind;
	if (o->kind == NODE_IS_SET) {
		if (begins(s, SPAN("=")))
			return expected(p, "==");
		p->projection->fields[node->field].only_if_like = true;
		return 0;
	}
	if (begins(s, SPAN("."))) {
		node->has_other = true;
		return parse_field(p, &node->other);
	}
	return parse_value(p, node);
}

static int
parse_comparison(struct parser *p, size_t *out)
{
	struct node node = { .kind = NODE_IS_SET };
	const struct operator* o = operators;

	if (parse_field(p, &node.field) < 0)
		return -1;
	if (p->condition->n > NODES_MAX)
		return fault_set(p->fault, FAULT_LIMIT, p->at,
		    "a condition has at most %d parts", NODES_MAX);
	while (o->text.p != NULL && !take(p, o->text))
		o++;
	if (parse_other(p, &node, o) < 0) {
		buffer_fini(&node.literal);
		return -1;
	}
	*out = add_node(p, &node);
	if (o->negated)
		*out = add_node(p,
		    &(struct node){ .kind = NODE_NOT, .left = *out });
	return 0;
}

static int
parse_not(struct parser *p, size_t *out)
{
	bool negated = false;

	while (take(p, SPAN("!")))
		negated = !negated;
	if (take(p, SPAN("("))) {
		if (parse_condition(p, out) < 0)
			return -1;
		if (!take(p, SPAN(")")))
			return expected(p, "&&, || or )");
	} else if (parse_comparison(p, out) < 0) {
		return -1;
	}
	if (negated)
		*out = add_node(p,
		    &(struct node){ .kind = NODE_NOT, .left = *out });
	return 0;
}

/* A chain of parts with an operator between them. */
static int
parse_chain(struct parser *p, size_t *out, struct span between,
    enum node_kind kind, int (*part)(struct parser *, size_t *))
{
	struct node node = { .kind = kind };

	if (part(p, out) < 0)
		return -1;
	while (take(p, between)) {
		node.left = *out;
		if (part(p, &node.right) < 0)
			return -1;
		*out = add_node(p, &node);
	}
	return 0;
}

static int
parse_and(struct parser *p, size_t *out)
{
	return parse_chain(p, out, SPAN("&&"), NODE_AND, parse_not);
}

static int
parse_condition(struct parser *p, size_t *out)
{
	int result;

	if (++p->depth > DEPTH_MAX + 1) /* one is around all */
		return fault_set(p->fault, FAULT_LIMIT, p->at,
		    "parentheses nested deeper than %d", DEPTH_MAX);
	result = parse_chain(p, out, SPAN("||"), NODE_OR, parse_and);
	p->depth--;
	return result;
}

/* What could have come in place of what is behind a condition. */
static const char *
what_could_follow(struct parser *p)
{
	struct span s = rest(p);

	if (begins(s, SPAN("and ")) || begins(s, SPAN("AND ")))
		return "&&";
	if (begins(s, SPAN("or ")) || begins(s, SPAN("OR ")))
		return "||";
	return p->condition->nodes[p->condition->n - 1].kind == NODE_IS_SET ?
	    "==, !=, <, <=, >, >=, =~, !~, && or ||" :
	    "&& or ||";
}

struct condition *
condition_new(struct span text, struct projection *projection,
    const struct time_form *times, struct fault *f)
{
	struct parser p = {
		.projection = projection, .text = text, .fault = f
	};

	p.condition = memory_new(1, sizeof *p.condition);
	p.condition->times = times;
	if (parse_condition(&p, &p.condition->root) == 0) {
		if (rest(&p).n == 0)
			return p.condition;
		expected(&p, what_could_follow(&p));
	}
	condition_free(p.condition);
	return NULL;
}
