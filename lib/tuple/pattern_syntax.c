/*
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "tuple/pattern_syntax.h"

/* The bytes of a bracket expression; 0 where that is not clear. */
static size_t
bracket_length(const char *s)
{
	const char *p = s + 1;

	p += *p == '^';
	p += *p == ']';
	for (; *p != ']' && *p != '\0'; p++)
		if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
			p = strstr(p + 2, (char[]){ p[1], ']', '\0' });
			if (p == NULL)
				return 0;
			p++;
		}
	return *p == '\0' ? 0 : (size_t)(p + 1 - s);
}

size_t
pattern_token_length(const char *s)
{
	if (*s == '\\')
		return s[1] == '\0' ? 0 : 2;
	if (*s == '.' && s[1] == '*')
		return 2;
	if (*s == '[')
		return bracket_length(s);
	if (*s == '{')
		return s[strcspn(s, "}")] == '\0' ? 0 : strcspn(s, "}") + 1;
	return 1;
}

bool
pattern_is_one_byte(const char *s)
{
	return *s == '\\' ? strchr("^.[$()|*+?{\\sSwW", s[1]) != NULL :
			    strchr("^$()|*+?{", *s) == NULL;
}

bool
pattern_is_once(const char *s)
{
	return *s == '\0' || strchr("*+?{", *s) == NULL;
}

size_t
pattern_branch_length(const char *s)
{
	size_t depth = 0, at = 0, n;

	for (; s[at] != '\0' && (depth > 0 || s[at] != '|'); at += n) {
		n = pattern_token_length(s + at);
		if (n == 0 || (s[at] == ')' && depth == 0) ||
		    (s[at] == '\\' && strchr("123456789", s[at + 1]) != NULL))
			return 0;
		depth += s[at] == '(';
		depth -= s[at] == ')';
	}
	return at;
}
