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
#include "tuple/field_path.h"

bool
node_set_json(struct node *node, struct span s, struct fault *f)
{
	struct buffer padded = { 0 };
	struct span text;
	bool valid;

	buffer_put(&padded, s);
	text = json_padded(&padded);
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
 * Go to the bracket that closes the one at p; NULL: there is none.  *wide becomes
 * true if there is more than ASCII in between.
 */
static const char *
close_brackets(const char *p, bool *wide)
{
	p += p[1] == '^' ? 2 : 1;
	/* One that comes first is no end. */
	for (p += *p == ']'; p != NULL && *p != ']'; p++) {
		if (*p == '\0')
			return NULL;
		*wide = *wide || (unsigned char)*p >= 0x80;
		/* [:alpha:], and the like, within. */
		if (*p == '[' && strchr(":.=", p[1]) != NULL &&
		    (p = strchr(p + 1, ']')) == NULL)
			return NULL;
	}
	return p;
}

/* Tell whether an expression in brackets has more than ASCII. */
static bool
has_wide_class(const char *regex)
{
	bool wide = false;

	for (const char *p = regex; p != NULL && *p != '\0'; p++)
		if (*p == '\\' && p[1] != '\0')
			p++;
		else if (*p == '[' && (p = close_brackets(p, &wide)) == NULL)
			return false;
	return wide;
}

/*
 * What is wrong with a regular expression that is valid, but means something
 * else in other languages, or NULL.
 */
static const char *
other_meaning(const char *regex)
{
	if (has_wide_class(regex))
		return "brackets hold bytes, which are parts of a letter beyond "
		       "ASCII; (a|b) is either of two letters";
	if (strchr(regex, '\b') != NULL)
		return "\\b in double quotes is a backspace; for a backslash "
		       "write '\\b', or \\\\b";
	for (const char *p = regex; (p = strchr(p, '\\')) != NULL; p += 2)
		if (p[1] == 'd' || p[1] == 'D')
			return "\\d and \\D are no part of a POSIX regular "
			       "expression; [0-9] is";
		else if (p[1] == 't' || p[1] == 'n' || p[1] == 'r')
			return "\\t, \\n and \\r are the letters t, n and r; in "
			       "double quotes they are what they are in JSON";
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

static bool
ends_field(char c)
{
	return c != '\0' && strchr(" \t\r\n()!=<>~&|,'\"", c) != NULL;
}

size_t
condition_field_length(struct span s)
{
	size_t n = 0, quoted;

	while (n < s.n && !ends_field(s.p[n])) {
		/* A name in ["..."] may hold any byte. */
		quoted = 1;
		if (s.n - n > 1 && s.p[n] == '[' && s.p[n + 1] == '"')
			quoted =
			    field_path_until((struct span){ s.p + n, s.n - n },
				']');
		n += quoted;
	}
	return n < s.n ? n : s.n;
}

/* Append a step of a path as `["NAME"]` or `[INDEX]`. */
static void
put_step(struct buffer *b, const struct field_step *step)
{
	buffer_byte(b, '[');
	if (step->index >= 0)
		buffer_int(b, step->index);
	else
		json_put_string(b, step->name);
	buffer_byte(b, ']');
}

void
condition_put_field(struct buffer *b, struct span text)
{
	struct field_step name = { .name = text, .index = -1 };
	struct field_path path = { 0 };

	if (condition_field_length(text) == text.n) {
		buffer_put(b, text);
		return;
	}
	buffer_byte(b, '.');
	if (*text.p == '.' || *text.p == '[' || *text.p == '/')
		field_path_parse(&path, text);
	else
		put_step(b, &name);
	for (size_t i = 0; i < path.n; i++)
		put_step(b, &path.steps[i]);
	field_path_fini(&path);
}
