/*
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/digits.h"
#include "base/duration.h"
#include "base/timestamp.h"
#include "json/scanner.h"
#include "json/text.h"
#include "tuple/condition_node.h"

bool
node_set_json(struct node *node, struct span s, struct fault *f)
{
	struct buffer padded = { 0 };
	struct span text;
	bool valid;

	buffer_put(&padded, s);
	memset(buffer_room(&padded, JSON_PAD), '\n', JSON_PAD);
	text = buffer_span(&padded);
	valid = s.n != 0 && *s.p != '{' && *s.p != '[' &&
	    json_validate(text, f) == 0;
	if (valid && *text.p == '"') {
		node->value.kind = TERM_STRING;
		json_decode(&node->literal,
		    (struct span){ text.p + 1, text.n - 2 });
	} else if (valid) {
		node->value.kind = *text.p == 'n' ? TERM_NULL :
		    *text.p == 't'		  ? TERM_TRUE :
		    *text.p == 'f'		  ? TERM_FALSE :
						    TERM_NUMBER;
		buffer_put(&node->literal, text);
	}
	buffer_fini(&padded);
	return valid;
}

void
node_end_literal(struct node *node)
{
	buffer_byte(&node->literal, '\0');
	node->value.text =
	    (struct span){ node->literal.p, node->literal.n - 1 };
}

bool
node_set_time(struct node *node)
{
	struct term *value = &node->value;
	struct span s = value->text;

	value->kind = TERM_TIME;
	value->ago_ms = -1;
	/* Without a unit it is a number, as of a time before 1970. */
	if (s.n > 1 && *s.p == '-' && !digits_is(s.p[s.n - 1]))
		return memchr(s.p, '\0', s.n) == NULL &&
		    duration_parse(s.p + 1, &value->ago_ms) == NULL;
	return timestamp_parse(value->text, TIME_UNIT_AUTO, &value->time_ns) ==
	    TIMESTAMP_OK;
}

/*
 * What is wrong with a regular expression that is valid, but means something
 * else in other languages, or NULL.
 */
static const char *
other_meaning(const char *regex)
{
	if (strchr(regex, '\b') != NULL)
		return "\\b in double quotes is a backspace; for a backslash "
		       "write '\\b', or \\\\b";
	for (const char *p = regex; (p = strchr(p, '\\')) != NULL; p += 2)
		if (p[1] == 'd' || p[1] == 'D')
			return "\\d and \\D are no part of a POSIX regular "
			       "expression; [0-9] is";
		else if (p[1] == '\0')
			break;
	return NULL;
}

int
node_set_pattern(struct node *node, size_t column, struct fault *f)
{
	const char *regex = node->literal.p, *wrong;
	char reason[128];
	int error;

	if (memchr(regex, '\0', node->literal.n - 1) != NULL)
		return fault_set(f, FAULT_SYNTAX, column,
		    "a regular expression cannot hold a NUL");
	wrong = other_meaning(regex);
	if (wrong != NULL)
		return fault_set(f, FAULT_SYNTAX, column + 1, "%s", wrong);
	error = pattern_compile(&node->pattern, regex);
	if (error == 0) {
		node->kind = NODE_MATCH;
		return 0;
	}
	if (error == REG_BADRPT && strstr(regex, "(?") != NULL)
		return fault_set(f, FAULT_SYNTAX, column + 1,
		    "(?...) is no part of a POSIX regular expression; (a|b) "
		    "groups, and [Aa] is a letter in either case");
	regerror(error, &node->pattern.regex, reason, sizeof reason);
	return fault_set(f, FAULT_SYNTAX, column + 1,
	    "no regular expression: %s", reason);
}
