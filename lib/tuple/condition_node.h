/*
 * condition_node - a condition as a tree, which condition_parse.c grows and
 * condition.c walks.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_CONDITION_NODE_H
#define TUPLE_CONDITION_NODE_H

#include <regex.h>

#include "tuple/condition.h"

/* One side of a comparison. */
enum term_kind {
	TERM_NONE, /* a field that is missing, an object or an array */
	TERM_NULL,
	TERM_FALSE,
	TERM_TRUE,
	TERM_NUMBER,
	TERM_STRING,
};

struct term {
	enum term_kind kind;
	bool is_numeric;      /* a number, or a string that holds one... */
	struct number number; /* ...which is this */
	struct span text;     /* a string decoded, a number as spelled */
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
	size_t left, right; /* nodes: of OR and AND; left alone of NOT */
	size_t field;	    /* of all others */
	bool has_other;	    /* the other side is a field, too */
	size_t other;	    /* that field... */
	struct term value;  /* ...or a value, whose text is in literal */
	struct buffer literal;
	regex_t regex; /* of MATCH */
};

struct condition {
	struct node *nodes;
	size_t n, cap, root;
	struct buffer decoded[2]; /* of the two sides of a comparison */
};

/*
 * Note whether the term, a number or a string, is numeric.
 *
 * Shape:  its text is followed by a byte that is no part of a number.
 * Errors: none; an exponent beyond 10^18 is not numeric.
 */
void term_find_number(struct term *term);

#endif
