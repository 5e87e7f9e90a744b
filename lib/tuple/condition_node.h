/*
 * condition_node - the tree of a condition, which condition_parse.c makes, with
 * condition_literal.c, and condition.c evaluates.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_CONDITION_NODE_H
#define TUPLE_CONDITION_NODE_H

#include "tuple/condition.h"
#include "tuple/pattern.h"

enum term_kind {
	TERM_NONE, /* a field that is missing, an object or an array */
	TERM_NULL,
	TERM_FALSE,
	TERM_TRUE,
	TERM_NUMBER,
	TERM_STRING,
	TERM_TIME, /* of a literal alone */
};

/* One side of a comparison. */
struct term {
	enum term_kind kind;
	bool is_numeric;      /* a number, or a string that holds one */
	struct number number; /* if is_numeric */
	struct span text;     /* a decoded string, or a number's text */
	int64_t time_ns;      /* of TIME */
	int64_t ago_ms;	      /* of a TIME that is so long ago; else -1 */
};

enum node_kind {
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_IS_SET, /* a field alone */
	NODE_EQUAL,
	NODE_LESS,
	NODE_LESS_OR_EQUAL,
	NODE_GREATER,
	NODE_GREATER_OR_EQUAL,
	NODE_MATCH,
};

struct node {
	enum node_kind kind;
	size_t left, right; /* OR, AND: indexes of nodes; NOT: only left */
	size_t field;	    /* all others: the field */
	bool has_other;	    /* the other side is a field, too: other */
	size_t other;
	struct term value; /* else the other side; its text is in literal */
	bool digits;	   /* which is digits alone, a canonical number */
	struct buffer literal;
	struct pattern pattern; /* of MATCH */
	/* For condition_hint: */
	bool met;	 /* the field was there, and not null */
	bool fits;	 /* it could be compared with the other side */
	bool timed;	 /* it was a time where it could not */
	bool misordered; /* it is compared as text, though it is a time */
};

struct condition {
	struct node *nodes;
	size_t n, cap, root;
	const struct time_form *times; /* of fields that are compared so */
	struct buffer decoded[2];      /* of the two sides of a comparison */
};

/*
 * Set is_numeric and number of a term that is a number or a string.
 *
 * Shape:  its text is followed by a byte that is not part of a number.
 * Errors: none; a number with an exponent beyond 10^18 is not numeric.
 */
void term_find_number(struct term *term);

/*
 * Put a scalar, as JSON writes it, into the literal of a node and the kind of
 * its value.
 *
 * Errors: false if it is none; f says why.
 */
bool node_set_json(struct node *node, struct span s, struct fault *f);

/* The bytes of the field that s begins with; 0 where it begins with none. */
size_t condition_field_length(struct span s);

/*
 * End a literal with a NUL, for numbers and regcomp(3), and make it the text of
 * the value.
 */
void node_end_literal(struct node *node);

/*
 * Make the value the time that its text holds; -DURATION is so long ago.
 *
 * Errors: false if it holds none.
 */
bool node_set_time(struct node *node);

/*
 * Make the node a match of the regular expression that is its literal, with a
 * NUL behind it.
 *
 * Shape:  column is that of the literal in the condition, from 1 on.
 * Errors: -1 if it is none; f says why.
 */
int node_set_pattern(struct node *node, size_t column, struct fault *f);

#endif
