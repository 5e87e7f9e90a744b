/*
 * SPDX-License-Identifier: ISC
 */
#include "json/indexed_line.h"
#include "base/digits.h"

/* Where the number at p ends; p itself where it is none. */
static const char *
number_end(const char *p)
{
	const char *start = p;

	p += *p == '-';
	if (!digits_is(*p))
		return start;
	p = *p == '0' ? p + 1 : digits_skip(p);
	if (*p == '.') {
		if (!digits_is(*++p))
			return start;
		p = digits_skip(p);
	}
	if ((*p | 0x20) == 'e') {
		p++;
		p += *p == '+' || *p == '-';
		if (!digits_is(*p))
			return start;
		p = digits_skip(p);
	}
	return p;
}

bool
indexed_line_has_scalar(const struct indexed_line *l, size_t token)
{
	const char *p = l->text + l->at[token],
		   *next = l->text + l->at[token + 1];
	const char *end;

	switch (*p) {
	case 't':
		end = memcmp(p, "true", 4) == 0 ? p + 4 : p;
		break;
	case 'f':
		end = memcmp(p, "false", 5) == 0 ? p + 5 : p;
		break;
	case 'n':
		end = memcmp(p, "null", 4) == 0 ? p + 4 : p;
		break;
	default:
		end = number_end(p);
	}
	return end != p &&
	    (end == next || *end == ' ' || *end == '\t' || *end == '\r');
}
